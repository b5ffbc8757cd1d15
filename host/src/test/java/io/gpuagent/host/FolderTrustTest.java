// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderTrustTest {
    @TempDir
    Path folder;

    private int uid;
    private FolderTrust trust;

    @BeforeEach
    void thisUser() throws IOException {
        uid = (Integer) Files.getAttribute(folder, "unix:uid");
        trust = new FolderTrust(uid);
    }

    private void refused(Path path, String sentence) {
        assertThatExceptionOfType(HostException.class)
                .isThrownBy(() -> trust.prepare(path))
                .withMessage(sentence)
                .matches(HostException::denied);
    }

    @Test
    void whatIsMissingIsMadeForAllToReadAndUsToWrite() throws Exception {
        Path deep = folder.resolve("a/b");

        trust.prepare(deep);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(deep)))
                .isEqualTo("rwxr-xr-x");
    }

    @Test
    void aLinkOnTheWayIsNotFollowed() throws Exception {
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Path link = Files.createSymbolicLink(folder.resolve("mps"), elsewhere);

        refused(link.resolve("x"), "cannot use " + link + ": it is a link or no folder; remove it");
        assertThat(elsewhere).isEmptyDirectory();
    }

    @Test
    void aFolderThatOthersMayWriteToMustBeSticky() throws Exception {
        Path open = Files.createDirectory(folder.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxr-x"));

        refused(
                open.resolve("x"),
                "cannot use " + open
                        + ": other users may write to it and it is not sticky; run chmod go-w or chmod +t on it");
        assertThat(open).isEmptyDirectory();

        Files.setAttribute(open, "unix:mode", 01775);
        trust.prepare(open.resolve("x"));
        assertThat(open.resolve("x")).isDirectory();
    }

    @Test
    void aFolderOfAnotherUsersIsNotTrusted() throws Exception {
        // The folder is this user's; whoever else writes below it cannot trust it, unless it is root's.
        FolderTrust other = new FolderTrust(uid + 1);
        Callable<Void> attempt = () -> {
            other.prepare(folder.resolve("x"));
            return null;
        };

        if (uid == 0) {
            assertThat(attempt.call()).isNull();
        } else {
            assertThatExceptionOfType(HostException.class)
                    .isThrownBy(attempt::call)
                    .withMessageContaining(
                            "user " + uid + ", to whom it belongs, could redirect what is written there");
        }
    }
}
