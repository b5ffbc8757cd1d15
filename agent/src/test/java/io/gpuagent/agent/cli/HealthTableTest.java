// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.agent.api.json.HealthJson;
import io.gpuagent.model.GpuSnapshot;
import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.SampleHealth;
import io.gpuagent.model.SampleSnapshots;
import io.gpuagent.model.health.HealthAction;
import io.gpuagent.model.health.HealthState;
import io.gpuagent.model.health.NodeHealth;
import io.gpuagent.model.health.SourceStatus;
import io.gpuagent.model.health.Verdict;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Verdicts as people read them. */
class HealthTableTest {
    private static final NodeSnapshot NODE = SampleSnapshots.h200(2);

    private static void check(String golden, NodeHealth health) throws IOException {
        HealthJson json =
                new HealthJson(NODE.gpus().stream().map(GpuSnapshot::identity).toList());
        String text = new HealthTable(true).render(json.node(health));
        assertThat(text.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        Golden.check(golden, text);
    }

    private static NodeHealth node(HealthState state, List<Verdict> gpus, SourceStatus... sources) {
        return new NodeHealth(
                Instant.parse("2026-12-01T12:00:00Z"),
                state,
                HealthAction.NONE,
                gpus,
                List.of(),
                List.of(sources),
                List.of(),
                "1");
    }

    @Test
    void gpusThatAreWell() throws IOException {
        List<Verdict> well = NODE.gpus().stream()
                .map(gpu -> new Verdict(
                        gpu.identity().uuid(),
                        Optional.empty(),
                        HealthState.OK,
                        HealthAction.NONE,
                        List.of(),
                        List.of()))
                .toList();
        check(
                "health-ok.txt",
                node(HealthState.OK, well, new SourceStatus("kernel_log", SourceStatus.State.OK, "", 0, 0, 0)));
    }

    @Test
    void oneDegradedOneLostAndASourceThatFails() throws IOException {
        check("health-ailing.txt", SampleHealth.ailing(NODE));
    }

    @Test
    void nothingIsKnownBeforeAnyGpuWasRead() throws IOException {
        check(
                "health-unknown.txt",
                node(
                        HealthState.UNKNOWN,
                        List.of(),
                        new SourceStatus(
                                "kernel_log",
                                SourceStatus.State.DENIED,
                                "/dev/kmsg may not be read, so Xids are not seen; the agent needs CAP_SYSLOG, as its"
                                        + " unit gives it",
                                0,
                                0,
                                0)));
    }
}
