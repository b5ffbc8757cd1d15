// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.host.RuntimeFolders.Chosen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RuntimeFoldersTest {
    private static final Path SLASH = Path.of("/");

    @Test
    void rootHasTheSystemsFolders() {
        Chosen folders = usual(new HostView(SLASH, Map.of("XDG_RUNTIME_DIR", "/run/user/0"), 0), false);
        assertThat(folders)
                .isEqualTo(new Chosen(Path.of("/run/gpu-agent"), Path.of("/var/lib/gpu-agent"), false, true));
        assertThat(folders.socket()).isEqualTo(Path.of("/run/gpu-agent/gpu-agent.sock"));
    }

    @Test
    void thePackagesUserHasTheSystemsFoldersAndNoOtherUserWhateverTheyCallThemselves(@TempDir Path machine)
            throws IOException {
        Files.createDirectories(machine.resolve("etc"));
        Files.writeString(machine.resolve("etc/passwd"), """
                root:x:0:0:root:/root:/bin/bash
                # gpu-agent:x:1000:1000::/:/bin/sh
                gpu-agent:x:998:997:The agent:/var/lib/gpu-agent:/usr/sbin/nologin
                agpu-agent:x:1000:1000::/:/bin/sh
                """);

        assertThat(usual(new HostView(machine, Map.of(), 998), false))
                .isEqualTo(new Chosen(
                        machine.resolve("run/gpu-agent"), machine.resolve("var/lib/gpu-agent"), false, true));
        assertThat(usual(new HostView(machine, Map.of("USER", "gpu-agent", "LOGNAME", "gpu-agent"), 1000), false)
                        .system())
                .isFalse();
    }

    @Test
    void aSimulatedRunHasAFolderBelow() {
        assertThat(usual(new HostView(SLASH, Map.of(), 0), true))
                .isEqualTo(new Chosen(
                        Path.of("/run/gpu-agent/simulated"), Path.of("/var/lib/gpu-agent/simulated"), true, true));
    }

    @Test
    void anotherUserHasTheirOwnFolders() {
        Map<String, String> session = Map.of("XDG_RUNTIME_DIR", "/run/user/1000", "XDG_STATE_HOME", "/data/state");
        assertThat(usual(new HostView(SLASH, session, 1000), false))
                .isEqualTo(new Chosen(
                        Path.of("/run/user/1000/gpu-agent"), Path.of("/data/state/gpu-agent"), false, false));
        assertThat(usual(new HostView(SLASH, Map.of("HOME", "/home/a"), 1000), true))
                .isEqualTo(new Chosen(
                        Path.of("/tmp/gpu-agent-1000/simulated"),
                        Path.of("/home/a/.local/state/gpu-agent/simulated"),
                        true,
                        false));
    }

    @Test
    void aUserWithoutASessionOrAHomeHasAFolderInTmp() {
        Map<String, String> relative = Map.of("XDG_RUNTIME_DIR", "run", "XDG_STATE_HOME", "");
        assertThat(usual(new HostView(SLASH, relative, 1000), false))
                .isEqualTo(
                        new Chosen(Path.of("/tmp/gpu-agent-1000"), Path.of("/tmp/gpu-agent-1000/state"), false, false));
    }

    @Test
    void whatIsAskedForIsTaken() {
        Chosen folders = new RuntimeFolders(new HostView(SLASH, Map.of(), 0))
                .choose(true, Optional.of(Path.of("/a")), Optional.of(Path.of("/b")));
        assertThat(folders).isEqualTo(new Chosen(Path.of("/a"), Path.of("/b"), true, true));
    }

    @Test
    void aCommandLooksAtItsOwnUsersAgentFirstAndAtSimulatedOnesLast() {
        HostView user = new HostView(SLASH, Map.of("XDG_RUNTIME_DIR", "/run/user/1000"), 1000);
        assertThat(new RuntimeFolders(user)
                        .lookups().stream().map(Chosen::socket).map(Path::toString))
                .containsExactly(
                        "/run/user/1000/gpu-agent/gpu-agent.sock",
                        "/run/gpu-agent/gpu-agent.sock",
                        "/run/user/1000/gpu-agent/simulated/gpu-agent.sock");
        assertThat(new RuntimeFolders(new HostView(SLASH, Map.of(), 0)).lookups())
                .hasSize(2);
    }

    private static Chosen usual(HostView host, boolean simulated) {
        return new RuntimeFolders(host).choose(simulated, Optional.empty(), Optional.empty());
    }
}
