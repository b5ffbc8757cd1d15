// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpuagent.host.RuntimeFolders.Chosen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderOwnershipTest {
    @TempDir
    Path folder;

    private int me;

    @BeforeEach
    void whoAmI() throws IOException {
        me = (Integer) Files.getAttribute(folder, "unix:uid");
        Files.createDirectory(folder.resolve("tmp"));
    }

    @Test
    void makesTheSystemsFolders() throws HostException, IOException {
        HostView root = new HostView(folder, Map.of(), 0);
        new FolderOwnership(root).prepare(usual(root, true));
        assertThat(folder.resolve("run/gpu-agent/simulated")).isDirectory();
        assertThat(folder.resolve("var/lib/gpu-agent/simulated")).isDirectory();
        assertThat(new FolderOwnership(root).trusted(usual(root, true))).isTrue();
    }

    @Test
    void aSymbolicLinkInTmpIsRefused() throws IOException {
        HostView user = user();
        Path theirs = folder.resolve("tmp/gpu-agent-" + user.uid());
        Files.createSymbolicLink(theirs, folder);
        assertThatThrownBy(() -> new FolderOwnership(user).prepare(usual(user, false)))
                .isInstanceOf(HostException.class)
                .hasMessageStartingWith("cannot use " + theirs + ": it is a symbolic link");
        assertThatThrownBy(() -> new FolderOwnership(user).prepare(usual(user, true)))
                .hasMessageStartingWith("cannot use " + theirs + ": it is a symbolic link");
    }

    @Test
    void aFolderOfAnotherUserIsRefused() throws IOException {
        HostView user = new HostView(folder, Map.of(), me + 1);
        Path theirs = Files.createDirectory(folder.resolve("tmp/gpu-agent-" + user.uid()));
        assertThatThrownBy(() -> new FolderOwnership(user).prepare(usual(user, false)))
                .hasMessage("cannot use " + theirs + ": it belongs to user " + me + " and not to user " + (me + 1)
                        + "; choose another folder with --runtime-dir");
        assertThat(new FolderOwnership(user).trusted(usual(user, false))).isFalse();
        assertThat(new FolderOwnership(user).trusted(usual(user, true))).isFalse();
    }

    @Test
    void aFileInTheWayIsSaidInOneSentence() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        HostView root = new HostView(folder, Map.of(), 0);
        Chosen folders = new RuntimeFolders(root).choose(false, Optional.of(file), Optional.empty());
        assertThatThrownBy(() -> new FolderOwnership(root).prepare(folders))
                .hasMessage("cannot use " + file + ": it is not a folder; choose another folder with --runtime-dir");
        Chosen below =
                new RuntimeFolders(root).choose(false, Optional.empty(), Optional.of(file.resolve("deeper/still")));
        assertThatThrownBy(() -> new FolderOwnership(root).prepare(below))
                .isInstanceOf(HostException.class)
                .hasMessageStartingWith("cannot make the folder " + file + "/deeper/still: ")
                .hasMessageEndingWith("; choose another folder with --state-dir");
    }

    @Test
    void aUsersFolderIsTheirsAlone() throws HostException, IOException {
        // Only a test that does not run as root can be a user whose files are its own.
        HostView user = user();
        assumeTrue(user.uid() == me);
        new FolderOwnership(user).prepare(usual(user, false));
        Path mine = folder.resolve("tmp/gpu-agent-" + me);
        assertThat(new FolderOwnership(user).trusted(usual(user, false))).isTrue();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(mine)))
                .isEqualTo("rwx------");
        Files.setPosixFilePermissions(mine, PosixFilePermissions.fromString("rwxrwx---"));
        assertThatThrownBy(() -> new FolderOwnership(user).prepare(usual(user, false)))
                .hasMessageContaining("other users may write to it (mode rwxrwx---)");
    }

    private HostView user() throws IOException {
        return TestHost.user(folder, Map.of());
    }

    private static Chosen usual(HostView host, boolean simulated) {
        return new RuntimeFolders(host).choose(simulated, Optional.empty(), Optional.empty());
    }
}
