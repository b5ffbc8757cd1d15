// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MachineIdTest {
    @TempDir
    Path folder;

    @Test
    void readsTheId() throws IOException {
        HostView host = TestHost.root(folder);
        TestHost.write(host, "/etc/machine-id", "0123456789abcdef0123456789abcdef\n");
        assertThat(MachineId.read(host)).contains(new MachineId("0123456789abcdef0123456789abcdef"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "uninitialized\n", "0123456789ABCDEF0123456789ABCDEF\n", "0123\n"})
    void whatIsNoIdIsNone(String text) throws IOException {
        HostView host = TestHost.root(folder);
        TestHost.write(host, "/etc/machine-id", text);
        assertThat(MachineId.read(host)).isEmpty();
    }

    @Test
    void aMachineMayHaveNone() {
        assertThat(MachineId.read(TestHost.root(folder))).isEmpty();
    }
}
