// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mig;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.control.LastUse;
import io.gpuagent.model.GpuProcess;
import io.gpuagent.model.GpuSnapshot;
import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.ProcessType;
import io.gpuagent.model.Reading;
import io.gpuagent.model.ReadingKeys;
import io.gpuagent.model.SampleSnapshots;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class LastUsesTest {
    private static final NodeSnapshot NODE = SampleSnapshots.h200(1);
    private static final String GPU = NODE.gpus().getFirst().identity().uuid();

    private final LastUses uses = new LastUses();

    /** A snapshot some seconds after the first, in which processes run on GPU instances. */
    private static NodeSnapshot after(long seconds, Integer... instances) {
        long at = seconds(seconds);
        GpuSnapshot gpu = NODE.gpus().getFirst();
        List<GpuProcess> running = List.of(instances).stream()
                .map(instance ->
                        new GpuProcess(4711, OptionalLong.empty(), OptionalInt.of(instance), OptionalInt.of(0)))
                .toList();
        return new NodeSnapshot(
                NODE.generation() + seconds,
                at,
                NODE.takenAt(),
                NODE.driver(),
                List.of(new GpuSnapshot(
                        gpu.identity(),
                        gpu.condition(),
                        gpu.readings().toBuilder()
                                .put(ReadingKeys.processes(ProcessType.COMPUTE), Reading.of(running, at))
                                .build())),
                NODE.agent());
    }

    private static long seconds(long after) {
        return SampleSnapshots.TAKEN_AT_NANOS + Duration.ofSeconds(after).toNanos();
    }

    @Test
    void aUseIsAsOldAsTheLastSnapshotInWhichSomethingRan() {
        uses.observe(after(0, 2));
        uses.observe(after(10, 2));
        uses.observe(after(20));

        assertThat(uses.of(GPU, seconds(70)))
                .containsExactly(new LastUse(2, OptionalInt.of(0), Duration.ofSeconds(60)));
    }

    @Test
    void theLatestUseComesFirstAndOtherGpusHaveNone() {
        uses.observe(after(0, 2, 9));
        uses.observe(after(10, 9));

        assertThat(uses.of(GPU, seconds(10))).extracting(LastUse::gpuInstance).containsExactly(9, 2);
        assertThat(uses.of("GPU-another", seconds(10))).isEmpty();
    }

    @Test
    void aUseIsForgottenAfterADay() {
        uses.observe(after(0, 2));
        long nextDay = Duration.ofDays(1).toSeconds() + 1;

        assertThat(uses.of(GPU, seconds(nextDay))).isEmpty();
    }
}
