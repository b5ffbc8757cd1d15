// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.gpuagent.control.RefusalCode;
import io.gpuagent.control.direct.Requester;
import io.gpuagent.model.GpuIdentity;
import io.gpuagent.model.time.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MigOperationsTest {
    private static final Requester ROOT = new Requester("0", Optional.of(0L), Optional.of(1L));

    private final List<String> released = new ArrayList<>();
    private final MigOperations operations = new MigOperations(
            (gpus, depth) -> {
                released.add(depth + " " + gpus);
                return Optional.of(() -> released.add("given back"));
            },
            new Ids(),
            new ManualClock());

    @AfterEach
    void end() {
        operations.close();
    }

    /** Work of one GPU that a test holds in its hands. */
    private static class Work implements GpuWork {
        private final GpuIdentity gpu;
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch mayEnd = new CountDownLatch(1);
        private End end = new End(OperationState.DONE, "it is as wanted");
        private Optional<MigRefusedException> stale = Optional.empty();

        Work(int index) {
            gpu = new GpuIdentity(index, "GPU-" + index);
        }

        Work ending(OperationState state, String sentence) {
            end = new End(state, sentence);
            mayEnd.countDown();
            return this;
        }

        @Override
        public GpuIdentity gpu() {
            return gpu;
        }

        @Override
        public void check() throws MigRefusedException {
            if (stale.isPresent()) {
                throw stale.get();
            }
        }

        @Override
        public End carryOut(MigCaller caller) {
            begun.countDown();
            caller.progress("a step");
            try {
                mayEnd.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return caller.goOn() ? end : new End(OperationState.CANCELLED, "all is as it was before");
        }
    }

    private OperationView begin(Work... works) throws MigRefusedException {
        return operations.begin(OperationKind.APPLY, Optional.of("plan-1"), ROOT, List.of(works));
    }

    private OperationView ended(OperationView operation) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> operations.find(operation.id()).state().isEnd());
        try {
            return operations.find(operation.id());
        } catch (MigRefusedException e) {
            throw new AssertionError(e);
        }
    }

    private static Work done(int gpu) {
        return new Work(gpu).ending(OperationState.DONE, "it is as wanted");
    }

    @Test
    void changesOneGpuAfterTheOther() throws Exception {
        OperationView end = ended(begin(done(0), done(1)));

        assertThat(end.state()).isEqualTo(OperationState.DONE);
        assertThat(end.sentence()).isEqualTo("all 2 GPUs are as wanted");
        assertThat(end.gpus()).extracting(OperationView.OnGpu::state).containsOnly(OperationState.DONE);
        assertThat(end.gpus().getFirst().log())
                .extracting(OperationView.Line::text)
                .containsExactly("a step");
    }

    @Test
    void stopsAtTheFirstGpuThatFailsAndSaysWhatStands() throws Exception {
        Work failing = new Work(1).ending(OperationState.ROLLED_BACK, "the driver says it is in use");

        OperationView end = ended(begin(done(0), failing, done(2), done(3)));

        assertThat(end.state()).isEqualTo(OperationState.ROLLED_BACK);
        assertThat(end.sentence())
                .isEqualTo(
                        "GPU 1: the driver says it is in use; done before and left so: GPU 0; not begun: GPU 2, GPU 3");
    }

    @Test
    void touchesNoGpuWhereOneHasChangedSinceThePlan() throws Exception {
        Work first = done(0);
        Work second = done(1);
        second.stale = Optional.of(new MigRefusedException(RefusalCode.STALE, "GPU 1 has changed"));

        OperationView end = ended(begin(first, second));

        assertThat(end.state()).isEqualTo(OperationState.REFUSED);
        assertThat(end.sentence()).isEqualTo("GPU 1 has changed");
        assertThat(first.begun.getCount()).isEqualTo(1);
    }

    @Test
    void twoOperationsOnOneGpuRunInTheOrderInWhichTheyWereAskedFor() throws Exception {
        Work first = new Work(0);
        Work second = done(0);
        OperationView running = begin(first);
        first.begun.await();
        OperationView waiting = begin(second);

        assertThat(operations.find(waiting.id()).state()).isEqualTo(OperationState.QUEUED);
        first.mayEnd.countDown();

        assertThat(ended(waiting).state()).isEqualTo(OperationState.DONE);
        assertThat(operations.find(running.id()).state()).isEqualTo(OperationState.DONE);
    }

    @Test
    void operationsOnDifferentGpusDoNotWaitForEachOther() throws Exception {
        Work held = new Work(0);
        begin(held);
        held.begun.await();

        assertThat(ended(begin(done(1))).state()).isEqualTo(OperationState.DONE);
        held.mayEnd.countDown();
    }

    @Test
    void oneThatWaitsIsCalledOffAtOnce() throws Exception {
        Work held = new Work(0);
        OperationView first = begin(held);
        held.begun.await();
        Work never = done(0);
        OperationView waiting = begin(never);

        operations.cancel(waiting.id());

        assertThat(ended(waiting).state()).isEqualTo(OperationState.CANCELLED);
        assertThat(never.begun.getCount()).isEqualTo(1);
        held.mayEnd.countDown();
        assertThat(ended(first).state()).isEqualTo(OperationState.DONE);
    }

    @Test
    void oneThatRunsIsCalledOffBeforeItsNextStep() throws Exception {
        Work held = new Work(0);
        Work never = done(1);
        OperationView running = begin(held, never);
        held.begun.await();

        assertThat(operations.cancel(running.id()).isCancelling()).isTrue();
        held.mayEnd.countDown();

        OperationView end = ended(running);
        assertThat(end.state()).isEqualTo(OperationState.CANCELLED);
        assertThat(end.sentence()).isEqualTo("GPU 0: all is as it was before; not begun: GPU 1");
        assertThat(never.begun.getCount()).isEqualTo(1);
    }

    @Test
    void oneThatHasEndedIsNotCalledOff() throws Exception {
        OperationView end = ended(begin(done(0)));

        assertThatThrownBy(() -> operations.cancel(end.id()))
                .isInstanceOf(MigRefusedException.class)
                .hasMessage("the operation " + end.id() + " has ended: done");
    }

    @Test
    void aFaultOfOurOwnEndsTheOperationAndNotTheNextOne() throws Exception {
        Work faulty = new Work(0) {
            @Override
            public End carryOut(MigCaller caller) {
                throw new IllegalStateException("a fault");
            }
        };

        OperationView end = ended(begin(faulty));

        assertThat(end.state()).isEqualTo(OperationState.FAILED);
        assertThat(end.sentence())
                .contains("a fault of the agent itself")
                .contains("look at the GPU before asking again");
        assertThat(ended(begin(done(0))).state()).isEqualTo(OperationState.DONE);
    }

    @Test
    void soManyInFlightAndNoMore() throws Exception {
        Work held = new Work(0);
        for (int i = 0; i < MigOperations.MOST_IN_FLIGHT; i++) {
            begin(i == 0 ? held : done(0));
        }

        assertThatThrownBy(() -> begin(done(0)))
                .isInstanceOfSatisfying(
                        MigRefusedException.class, e -> assertThat(e.code()).isEqualTo(RefusalCode.BUSY));
        held.mayEnd.countDown();
        await().until(() -> operations.all().stream()
                .allMatch(operation -> operation.state().isEnd()));
    }

    @Test
    void keepsTheNewestOnly() throws Exception {
        OperationView first = ended(begin(done(0)));
        for (int i = 0; i < MigOperations.MOST_KEPT; i++) {
            ended(begin(done(0)));
        }

        assertThat(operations.all()).hasSize(MigOperations.MOST_KEPT);
        assertThatThrownBy(() -> operations.find(first.id())).hasMessageContaining("there is no operation");
    }

    @Test
    void whatWasLetGoOfIsGivenBack() throws Exception {
        Work work = new Work(0) {
            @Override
            public End carryOut(MigCaller caller) {
                assertThat(caller.quiesce(List.of("GPU-0"))).isTrue();
                return new End(OperationState.DONE, "done");
            }
        };

        ended(begin(work));

        assertThat(released).containsExactly("INSTANCES [GPU-0]", "given back");
    }
}
