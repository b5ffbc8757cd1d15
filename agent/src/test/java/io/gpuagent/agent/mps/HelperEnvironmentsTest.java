// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mps;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.control.Answer;
import io.gpuagent.control.Caller;
import io.gpuagent.control.ControlPort;
import io.gpuagent.control.Outcome;
import io.gpuagent.control.RefusalCode;
import io.gpuagent.control.Request;
import io.gpuagent.host.GpuEnvironment;
import io.gpuagent.host.HostView;
import io.gpuagent.host.ProcessIdentity;
import io.gpuagent.model.time.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Over a /proc of files: an environment that is not there cannot be read by this process. */
class HelperEnvironmentsTest {
    private static final Map<String, String> HALF = Map.of("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "50");

    @TempDir
    Path machine;

    private final ManualClock clock = new ManualClock();
    private final List<List<Long>> asked = new ArrayList<>();
    private final Map<Long, GpuEnvironment> readByRoot = new HashMap<>();
    private boolean enabled = true;
    private HelperEnvironments environments;

    @BeforeEach
    void open() {
        environments = new HelperEnvironments(new HostView(machine, Map.of(), 998), new RootHelper(), clock);
    }

    private final class RootHelper implements ControlPort {
        @Override
        public Answer perform(Request request, Caller caller) {
            List<Long> pids = ((Request.ReadEnvironments) request).pids();
            asked.add(pids);
            return enabled
                    ? new Answer.Done(new Outcome.Environments(pids.stream()
                            .filter(readByRoot::containsKey)
                            .map(readByRoot::get)
                            .toList()))
                    : new Answer.Refused(RefusalCode.NO_HELPER, "there is no helper");
        }
    }

    private Path process(long pid, long startTicks) throws IOException {
        Path proc = Files.createDirectories(machine.resolve("proc/" + pid));
        Files.writeString(
                proc.resolve("stat"),
                pid + " (python3) S 1 1 0 0 -1 4194560 9 8 7 6 5 4 3 2 20 0 1 0 " + startTicks + " 1 2\n");
        return proc;
    }

    private void othersProcess(long pid, long startTicks) throws IOException {
        process(pid, startTicks);
        readByRoot.put(pid, new GpuEnvironment(new ProcessIdentity(pid, startTicks), HALF));
    }

    @Test
    void itsOwnUsersProcessesAreReadHere() throws IOException {
        Files.writeString(process(100, 7).resolve("environ"), "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE=50\0HOME=/\0");

        assertThat(environments.read(List.of(100L)).get(100L).variables()).isEqualTo(HALF);
        assertThat(asked).isEmpty();
    }

    @Test
    void allNewOnesAreAskedForAtOnceAndNoneTwice() throws IOException {
        othersProcess(100, 7);
        othersProcess(101, 8);
        process(102, 9);

        for (int look = 0; look < 10; look++) {
            assertThat(environments.read(List.of(100L, 101L, 102L))).containsOnlyKeys(100L, 101L);
        }
        othersProcess(103, 10);
        assertThat(environments.read(List.of(100L, 103L)).get(103L).variables()).isEqualTo(HALF);

        assertThat(asked).containsExactly(List.of(100L, 101L, 102L), List.of(103L));
    }

    @Test
    void aPidOfAnotherProcessByNowIsAskedForAnew() throws IOException {
        othersProcess(100, 7);
        environments.read(List.of(100L));

        process(100, 70);
        // Root has read the former one's.
        assertThat(environments.read(List.of(100L))).isEmpty();

        assertThat(asked).hasSize(2);
    }

    @Test
    void aProcessThatHasEndedIsNotAskedFor() {
        assertThat(environments.read(List.of(100L))).isEmpty();
        assertThat(asked).isEmpty();
    }

    @Test
    void aHelperThatIsNotEnabledIsLeftAloneForAMinute() throws IOException {
        enabled = false;
        othersProcess(100, 7);
        for (int second = 0; second < 59; second++) {
            assertThat(environments.read(List.of(100L))).isEmpty();
            clock.advance(Duration.ofSeconds(1));
        }
        assertThat(asked).hasSize(1);

        enabled = true;
        clock.advance(Duration.ofSeconds(1));

        assertThat(environments.read(List.of(100L))).containsOnlyKeys(100L);
    }

    @Test
    void whatIsRememberedHasABound() throws IOException {
        List<Long> many = LongStream.rangeClosed(1000, 1000 + HelperEnvironments.MOST)
                .boxed()
                .toList();
        for (long pid : many) {
            othersProcess(pid, pid);
        }

        environments.read(many);
        assertThat(asked.getFirst()).hasSize(HelperEnvironments.MOST);
        environments.read(List.of(many.getLast()));
        environments.read(List.of(many.getFirst()));

        assertThat(asked.subList(1, asked.size())).containsExactly(List.of(many.getLast()), List.of(many.getFirst()));
    }
}
