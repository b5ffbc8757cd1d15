// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mps;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.Reading;
import io.gpuagent.model.ReadingKeys;
import io.gpuagent.model.SampleMps;
import io.gpuagent.model.SampleSnapshots;
import io.gpuagent.model.mps.MpsNodeView;
import io.gpuagent.model.mps.MpsReason;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExclusiveGpusTest {
    private static final MpsNodeView NO_DAEMON = SampleMps.none();

    private final ExclusiveGpus gpus = new ExclusiveGpus();

    /** GPU 0 as it was read at a time. */
    private static NodeSnapshot read(String mode, long atNanos) {
        return SampleSnapshots.with(SampleSnapshots.h200(2), 0, ReadingKeys.COMPUTE_MODE, Reading.of(mode, atNanos));
    }

    @Test
    void aGpuThatStaysExclusiveWithoutADaemonIsNamed() {
        gpus.without(read("exclusive_process", 1), NO_DAEMON);

        List<MpsReason> reasons = gpus.without(read("exclusive_process", 2), NO_DAEMON);

        assertThat(reasons).extracting(MpsReason::code).containsExactly("mps_exclusive_without_daemon");
        assertThat(reasons.getFirst().sentence())
                .contains(SampleSnapshots.h200(1).gpus().getFirst().identity().uuid());
    }

    @Test
    void oneReadingMayBeFromBeforeTheStopThatPutTheModeBack() {
        for (int look = 0; look < 3; look++) {
            assertThat(gpus.without(read("exclusive_process", 1), NO_DAEMON)).isEmpty();
        }
        assertThat(gpus.without(read("default", 2), NO_DAEMON)).isEmpty();
        assertThat(gpus.without(read("exclusive_process", 3), NO_DAEMON)).isEmpty();
    }

    @Test
    void oneWithItsDaemonIsAsItShouldBe() {
        MpsNodeView served = SampleMps.shared();
        String uuid = served.daemons().getFirst().devices().getFirst();
        assertThat(uuid)
                .isEqualTo(SampleSnapshots.h200(1).gpus().getFirst().identity().uuid());

        gpus.without(read("exclusive_process", 1), served);

        assertThat(gpus.without(read("exclusive_process", 2), served)).isEmpty();
    }
}
