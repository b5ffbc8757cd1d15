// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.mps.log.MpsEvent;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What follows of observations, in orders in which they seldom come. */
class DaemonPictureTest {
    private static final Instant AT = Instant.parse("2026-12-01T00:00:00Z");
    private static final long SERVER = 4711;

    private final DaemonPicture running = DaemonPicture.NOTHING
            .after(told(new MpsEvent.ServerStarting(SERVER, 0)))
            .after(told(new MpsEvent.ServerReady(SERVER)));

    private static Observation told(MpsEvent event) {
        return new Observation.Logged(AT, event);
    }

    private static Observation emptyList() {
        return new Observation.Listed(AT, Map.of(), List.of());
    }

    /** A server that SIGKILL ended is logged with status 0 (captured on an H200); the list was asked for just before. */
    @Test
    void aServerThatAListLacksBeforeTheLogTellsOfItsEndHasFailedOnce() {
        DaemonPicture listed = running.after(emptyList());
        assertThat(listed.servers()).containsKey(SERVER);

        DaemonPicture told = listed.after(told(new MpsEvent.ServerExited(SERVER, 0)));

        assertThat(told.servers()).isEmpty();
        assertThat(told.counters().serverFailures()).isEqualTo(1);
    }

    @Test
    void aServerThatTwoListsLackIsGoneWhateverTheLogHasLost() {
        DaemonPicture listed = running.after(emptyList()).after(emptyList());

        assertThat(listed.servers()).isEmpty();
        assertThat(listed.counters().serverFailures()).isZero();
    }

    @Test
    void theListOfAFaultDoesNotBringAServerBackThatHasEnded() {
        DaemonPicture picture = running.after(told(new MpsEvent.GpuFaultBegun(SERVER)))
                .after(told(new MpsEvent.ServerExited(SERVER, 0)))
                .after(told(new MpsEvent.GpuFault(SERVER, List.of(0), List.of(540L))));

        assertThat(picture.servers()).isEmpty();
        assertThat(picture.counters().faults()).isEqualTo(1);
    }
}
