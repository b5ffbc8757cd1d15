// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PipeDirectoryTest {
    @TempDir
    Path folder;

    @Test
    void aPathOf85BytesIsTakenAndOneOf86IsRefused() {
        String longest = "/" + "a".repeat(84);

        // A socket's path may have 107 bytes: the longest name takes 19 with its slash.
        assertThat(new PipeDirectory(Path.of(longest))
                        .file(PipeDirectory.CONTROL_PRIVILEGED)
                        .toString())
                .hasSize(104);
        assertThatExceptionOfType(MpsException.class)
                .isThrownBy(() -> new PipeDirectory(Path.of(longest + "b")))
                .withMessageContaining("is 86 bytes long: it may have 85 at most");
    }

    @Test
    void bytesCountAndNotCharacters() {
        assertThatExceptionOfType(MpsException.class)
                .isThrownBy(() -> new PipeDirectory(Path.of("/" + "ü".repeat(43))))
                .withMessageContaining("is 87 bytes long");
    }

    @ParameterizedTest
    @ValueSource(strings = {"run/mps", "/run/../mps", "/run/./mps", ""})
    void aPathThatClientsCannotUseAsItIsIsRefused(String path) {
        assertThatExceptionOfType(MpsException.class)
                .isThrownBy(() -> new PipeDirectory(Path.of(path)))
                .withMessageContaining("absolute path without . and ..");
    }

    @Test
    void theAgentsLayoutTakesAFileNameAsId() {
        DaemonFolders folders = DaemonFolders.of(Path.of("/run/gpu-agent"), Path.of("/var/log/gpu-agent"), "GPU-12ab");

        assertThat(folders.pipe().path()).isEqualTo(Path.of("/run/gpu-agent/mps/GPU-12ab/pipe"));
        assertThat(folders.serverLog()).isEqualTo(Path.of("/var/log/gpu-agent/mps/GPU-12ab/server.log"));
        for (String id : new String[] {"", "..", "a/b", "-x", "a b"}) {
            assertThatExceptionOfType(MpsException.class)
                    .isThrownBy(() -> DaemonFolders.of(Path.of("/run"), Path.of("/log"), id))
                    .withMessageContaining("is no file name");
        }
    }

    @Test
    void aParentThatOtherUsersCannotPassIsTold() throws IOException {
        PipeDirectory pipe = make("rwxr-x---", "rwxr-xr-x");

        assertThat(PipePermissions.problems(pipe, true, folder))
                .containsExactly("clients of other users cannot pass the folder " + folder.resolve("mps")
                        + " (mode rwxr-x---): run chmod o+x " + folder.resolve("mps"));
        assertThat(PipePermissions.problems(pipe, false, folder)).isEmpty();
    }

    @Test
    void aParentThatAnyoneCanWriteToIsTold() throws IOException {
        PipeDirectory pipe = make("rwxrwxrwx", "rwxr-xr-x");

        assertThat(PipePermissions.problems(pipe, true, folder))
                .singleElement()
                .asString()
                .startsWith("any user can replace what is in the folder " + folder.resolve("mps"));
    }

    @Test
    void foldersAsTheyShouldBeAreNoProblem() throws IOException {
        assertThat(PipePermissions.problems(make("rwxr-xr-x", "rwxr-xr-x"), true, folder))
                .isEmpty();
    }

    private PipeDirectory make(String parentMode, String pipeMode) throws IOException {
        Path parent = Files.createDirectories(folder.resolve("mps"));
        Path pipe = Files.createDirectories(parent.resolve("pipe"));
        Files.setPosixFilePermissions(pipe, PosixFilePermissions.fromString(pipeMode));
        Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString(parentMode));
        return new PipeDirectory(pipe);
    }
}
