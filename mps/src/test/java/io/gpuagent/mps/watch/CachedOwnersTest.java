// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.host.HostView;
import io.gpuagent.model.mps.ProcessOwnerView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CachedOwnersTest {
    @TempDir
    Path folder;

    private HostView host;

    @BeforeEach
    void look() {
        host = new HostView(folder, Map.of(), 0);
    }

    private void process(long pid, long startTicks, String unit) throws IOException {
        Path proc = Files.createDirectories(host.path("/proc/" + pid));
        Files.writeString(
                proc.resolve("stat"),
                pid + " (x) S 1 1 0 0 -1 4194560 9 8 7 6 5 4 3 2 20 0 1 0 " + startTicks + " 1 2\n");
        Files.writeString(proc.resolve("cgroup"), "0::/system.slice/" + unit + "\n");
    }

    private static ProcessOwnerView unit(String name) {
        return new ProcessOwnerView(Optional.of(name), Optional.empty(), Optional.empty());
    }

    @Test
    void aProcessIsReadOnce() throws IOException {
        CachedOwners owners = new CachedOwners(host, CachedOwners.MOST);
        process(42, 1, "a.service");
        assertThat(owners.of(42)).isEqualTo(unit("a.service"));
        Files.delete(host.path("/proc/42/cgroup"));

        assertThat(owners.of(42)).isEqualTo(unit("a.service"));
    }

    @Test
    void thePidOfAnotherProcessIsAnotherOwner() throws IOException {
        CachedOwners owners = new CachedOwners(host, CachedOwners.MOST);
        process(42, 1, "a.service");
        owners.of(42);
        process(42, 2, "b.service");

        assertThat(owners.of(42)).isEqualTo(unit("b.service"));
    }

    @Test
    void whoHasEndedHasNoOwner() throws IOException {
        CachedOwners owners = new CachedOwners(host, CachedOwners.MOST);
        process(42, 1, "a.service");
        owners.of(42);
        Files.delete(host.path("/proc/42/stat"));

        assertThat(owners.of(42)).isEqualTo(ProcessOwnerView.UNKNOWN);
    }

    @Test
    void theBoundHoldsAndWhoWasAskedForLastStays() throws IOException {
        CachedOwners owners = new CachedOwners(host, 2);
        process(1, 1, "a.service");
        process(2, 1, "b.service");
        process(3, 1, "c.service");
        owners.of(1);
        owners.of(2);
        owners.of(1);
        owners.of(3);
        Files.delete(host.path("/proc/1/cgroup"));
        Files.delete(host.path("/proc/2/cgroup"));

        assertThat(owners.size()).isEqualTo(2);
        assertThat(owners.of(1)).isEqualTo(unit("a.service"));
        assertThat(owners.of(2)).isEqualTo(ProcessOwnerView.UNKNOWN);
    }
}
