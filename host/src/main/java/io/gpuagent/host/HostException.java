// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host;

import java.io.IOException;
import java.io.Serial;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/** Linux refused something; the message is one sentence for the user: what failed, where, and what would be right. */
public final class HostException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    private final boolean denied;

    private HostException(String sentence, boolean denied, Throwable cause) {
        super(sentence, cause);
        this.denied = denied;
    }

    HostException(String sentence, boolean denied) {
        super(sentence);
        this.denied = denied;
    }

    static HostException of(String what, Path where, IOException cause, String right) {
        return new HostException(
                "cannot " + what + " " + where + ": " + reason(cause) + "; " + right,
                cause instanceof AccessDeniedException,
                cause);
    }

    /**
     * Whether this user is not allowed to, where another one may be.
     *
     * @return false for every other failure
     */
    public boolean denied() {
        return denied;
    }

    /**
     * The reason alone: the file's name, which most of these exceptions repeat, is left out.
     *
     * @param cause what the JDK threw
     * @return a few words
     */
    static String reason(IOException cause) {
        if (cause instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (cause instanceof FileSystemException file && file.getReason() != null) {
            return file.getReason();
        }
        return switch (cause) {
            case NoSuchFileException _ -> "it does not exist";
            case FileAlreadyExistsException _ -> "a file stands in the way";
            case NotDirectoryException _ -> "it is not a folder";
            case DirectoryNotEmptyException _ -> "a folder that is not empty stands in the way";
            default -> String.valueOf(cause.getMessage());
        };
    }
}
