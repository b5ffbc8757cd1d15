// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * A file that a user has named: read whole, but only if it has an end. Opening a pipe would wait for its writer, and
 * reading a device would never stop.
 *
 * @param path where it is
 * @param mostMebibytes what it may hold, in MiB
 */
record InputFile(Path path, int mostMebibytes) {
    /**
     * Reads it.
     *
     * @return all its bytes
     * @throws IOException when it is not there or cannot be read
     * @throws IllegalArgumentException when it is not a regular file or holds too much
     */
    byte[] bytes() throws IOException {
        if (!Files.readAttributes(path, BasicFileAttributes.class).isRegularFile()) {
            throw new IllegalArgumentException(path + " is not a regular file");
        }
        int most = mostMebibytes << 20;
        try (InputStream in = Files.newInputStream(path)) {
            byte[] bytes = in.readNBytes(most + 1);
            if (bytes.length > most) {
                throw new IllegalArgumentException(path + " is larger than " + mostMebibytes + " MiB");
            }
            return bytes;
        }
    }

    /**
     * Reads it as UTF-8.
     *
     * @return its text
     * @throws IOException when it is not there or cannot be read
     * @throws IllegalArgumentException when it is not a regular file, holds too much or is not UTF-8
     */
    String text() throws IOException {
        byte[] bytes = bytes();
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(path + " is not text in UTF-8", e);
        }
    }
}
