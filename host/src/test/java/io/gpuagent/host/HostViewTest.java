// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostViewTest {
    @TempDir
    Path folder;

    @Test
    void knowsWhoRunsThisProcess() throws IOException {
        assertThat(HostView.real().uid()).isEqualTo(Files.getAttribute(folder, "unix:uid"));
    }

    @Test
    void theEffectiveUserCounts() throws IOException {
        assertThat(HostView.effectiveUid(List.of("Name:\tjava", "Uid:\t1000\t993\t1000\t1000")))
                .isEqualTo(993);
        assertThatThrownBy(() -> HostView.effectiveUid(List.of("Name:\tjava"))).isInstanceOf(IOException.class);
    }

    @Test
    void aRelativeFolderOfTheEnvironmentIsNone() {
        HostView host = new HostView(folder, Map.of("A", "/a", "B", "b", "C", ""), 1);
        assertThat(host.folder("A")).contains(Path.of("/a"));
        assertThat(host.folder("B")).isEmpty();
        assertThat(host.folder("C")).isEmpty();
        assertThat(host.folder("D")).isEmpty();
    }

    @Test
    void aFolderThatTheLocaleCannotExpressNamesItsVariable() {
        // Half of a surrogate pair has no bytes in any encoding, as a letter with an accent has none in the locale C.
        HostView host = new HostView(folder, Map.of("HOME", "/\uD800"), 1);
        assertThatThrownBy(() -> host.folder("HOME"))
                .isInstanceOfSatisfying(
                        InvalidPathException.class,
                        e -> assertThat(e.getInput()).isEqualTo("HOME=/\uD800"));
    }
}
