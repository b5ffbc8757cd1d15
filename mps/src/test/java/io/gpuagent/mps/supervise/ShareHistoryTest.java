// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.host.ProcessIdentity;
import io.gpuagent.model.Share;
import io.gpuagent.model.ThreadPercentage;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a client came under, by the time at which it came. */
class ShareHistoryTest {
    private static final Instant START = Instant.parse("2026-12-01T00:00:00Z");
    private static final Share QUARTER = Share.UNLIMITED.withThreads(ThreadPercentage.parse("25"));
    private static final Share HALF = Share.UNLIMITED.withThreads(ThreadPercentage.parse("50"));

    @TempDir
    Path folder;

    private final ShareHistory history = ShareHistory.EMPTY
            .with(START, START, QUARTER)
            .open(START.plusSeconds(10), HALF)
            .close(START.plusSeconds(11), HALF);

    @Test
    void aClientHasTheShareOfTheTimeAtWhichItCame() {
        assertThat(history.at(START.plusSeconds(5))).contains(QUARTER);
        assertThat(history.at(START.plusSeconds(12))).contains(HALF);
    }

    @Test
    void whoCameDuringAChangeOrBeforeAllThatIsKeptIsUnknown() {
        assertThat(history.at(START.plusSeconds(10).plusMillis(500))).isEmpty();
        assertThat(history.at(START.minusSeconds(1))).isEmpty();
    }

    @Test
    void aChangeThatNobodyEndedLeavesAllThatCameSinceUnknown() {
        assertThat(history.open(START.plusSeconds(20), QUARTER).at(START.plusSeconds(3600)))
                .isEmpty();
    }

    @Test
    void aRecordComesBackFromDiskAsItWas() {
        DaemonStore store = new DaemonStore(new SupervisionFolders(folder, folder, folder));
        DaemonRecord record = new DaemonRecord(
                new DaemonSpec("pair", List.of("GPU-1", "GPU-2"), HALF, true, true, 996),
                DaemonRecord.Run.GIVEN_UP,
                Map.of("GPU-1", ComputeModes.Mode.DEFAULT, "GPU-2", ComputeModes.Mode.PROHIBITED),
                history.open(START.plusSeconds(20), QUARTER),
                Optional.of(new Drain(START.plusSeconds(60), new ProcessIdentity(4711, 99))));

        store.write(record);

        assertThat(store.ids()).containsExactly("pair");
        assertThat(store.read("pair")).contains(record);
    }
}
