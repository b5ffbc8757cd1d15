// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessIdentityTest {
    private static final String REST = " S 1 1 1 0 -1 4194560 9 8 7 6 5 4 3 2 20 0 1 0 ";

    @TempDir
    Path folder;

    @Test
    void readsTheStartTime() throws IOException {
        HostView host = TestHost.root(folder);
        TestHost.write(host, "/proc/42/stat", "42 (python3)" + REST + "123456 1000 2000\n");
        assertThat(ProcessIdentity.of(host, 42)).contains(new ProcessIdentity(42, 123456));
    }

    @Test
    void aNameMayHoldSpacesAndParentheses() throws IOException {
        HostView host = TestHost.root(folder);
        TestHost.write(host, "/proc/42/stat", "42 (a) S 9 (b) c)" + REST + "123456 1000 2000\n");
        assertThat(ProcessIdentity.of(host, 42)).contains(new ProcessIdentity(42, 123456));
    }

    @Test
    void aProcessThatIsGoneHasNoIdentity() {
        assertThat(ProcessIdentity.of(TestHost.root(folder), 42)).isEmpty();
    }

    @Test
    void aLineThatIsCutShortHasNoIdentity() {
        assertThat(ProcessIdentity.parse(42, "42 (x) S 1 1")).isEmpty();
        assertThat(ProcessIdentity.parse(42, "")).isEmpty();
        assertThat(ProcessIdentity.parse(42, "42 (x)" + REST + "never 1 2")).isEmpty();
    }

    @Test
    void findsThisProcess() {
        ProcessIdentity self = ProcessIdentity.self(HostView.real());
        assertThat(self.pid()).isEqualTo(ProcessHandle.current().pid());
        assertThat(self.startTicks()).isPositive();
    }
}
