// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnerLockTest {
    private static final ProcessIdentity SELF = new ProcessIdentity(4711, 99);

    @TempDir
    Path folder;

    @Test
    void theFileNamesItsOwner() throws HostException, IOException {
        try (OwnerLock lock = held(OwnerLock.acquire(folder, SELF))) {
            assertThat(lock.file()).isEqualTo(folder.toRealPath().resolve("lock"));
            assertThat(Files.size(lock.file())).isPositive();
        }
    }

    @Test
    void aSecondAttemptInThisJvmIsRefused() throws HostException {
        try (OwnerLock _ = held(OwnerLock.acquire(folder, SELF))) {
            assertThat(OwnerLock.acquire(folder, SELF)).isEqualTo(new OwnerLock.Refused(folder, Optional.of(4711L)));
        }
    }

    @Test
    void theSameFolderUnderAnotherNameIsTheSameFolder() throws HostException, IOException {
        Path real = Files.createDirectory(folder.resolve("real"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), real);
        try (OwnerLock _ = held(OwnerLock.acquire(real, SELF))) {
            assertThat(OwnerLock.acquire(link, SELF)).isInstanceOf(OwnerLock.Refused.class);
        }
    }

    @Test
    void whatADeadOwnerLeftBehindIsTakenOver() throws HostException, IOException {
        Files.writeString(folder.resolve("lock"), "99999999 12345\n");
        try (OwnerLock lock = held(OwnerLock.acquire(folder, SELF))) {
            assertThat(lock.file()).exists();
        }
        assertThat(folder.resolve("lock")).hasContent("");
    }

    @Test
    void aClosedLockIsFree() throws HostException {
        OwnerLock first = held(OwnerLock.acquire(folder, SELF));
        first.close();
        first.close();
        held(OwnerLock.acquire(folder, SELF)).close();
    }

    @Test
    void aMissingFolderIsSaidInOneSentence() {
        assertThatThrownBy(() -> OwnerLock.acquire(folder.resolve("none"), SELF))
                .isInstanceOf(HostException.class)
                .hasMessage("cannot lock " + folder
                        + "/none/lock: it does not exist; the folder must exist and belong to" + " this user");
    }

    @Test
    void aLinkInPlaceOfTheFileIsNotFollowed() throws IOException {
        Files.createSymbolicLink(folder.resolve("lock"), folder.resolve("elsewhere"));
        assertThatThrownBy(() -> OwnerLock.acquire(folder, SELF)).isInstanceOf(HostException.class);
        assertThat(folder.resolve("elsewhere")).doesNotExist();
    }

    @Test
    void theSentenceNamesTheOwner() {
        assertThat(new OwnerLock.Refused(Path.of("/run/gpu-agent"), Optional.of(7L)).sentence())
                .isEqualTo(
                        "another gpu-agent, process 7, uses /run/gpu-agent; stop it first, or choose other folders with --runtime-dir and --state-dir");
        assertThat(new OwnerLock.Refused(Path.of("/run/gpu-agent"), Optional.empty()).sentence())
                .isEqualTo(
                        "another gpu-agent uses /run/gpu-agent; stop it first, or choose other folders with --runtime-dir and --state-dir");
    }

    private static OwnerLock held(OwnerLock.Attempt attempt) {
        assertThat(attempt).isInstanceOf(OwnerLock.Held.class);
        return ((OwnerLock.Held) attempt).lock();
    }
}
