// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.FakeSession.FIRST_HANDLE;
import static io.gpuagent.nvml.internal.EventLayouts.nvmlEventData_t;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Events of GPUs. */
class EventSetTest {
    private static final long SET = 0x5E7;
    private static final long XID = EventType.XID_CRITICAL_ERROR.bit();

    private final List<Long> registered = new ArrayList<>();
    private final List<Long> freed = new ArrayList<>();
    private final List<Integer> waited = new ArrayList<>();
    private final FakeSession session = new FakeSession()
            .with("nvmlEventSetCreate", arguments -> {
                FakeSession.writeLong(arguments[0], SET);
                return 0;
            })
            .with("nvmlDeviceGetSupportedEventTypes", arguments -> {
                FakeSession.writeLong(arguments[1], 0xFF9F);
                return 0;
            })
            .with("nvmlDeviceRegisterEvents", arguments -> {
                registered.add(arguments[1]);
                return arguments[2] == SET ? 0 : 2;
            })
            .with("nvmlEventSetFree", arguments -> {
                freed.add(arguments[0]);
                return 0;
            });

    private EventSet open() {
        return EventSet.create(session.calls).orThrow();
    }

    /** What a set with GPU 3 makes of what the library wrote. */
    private Answer<Optional<Event>> received(String function, Consumer<FakeSession.Struct> writer) {
        session.with(function, arguments -> {
            waited.add((int) arguments[2]);
            writer.accept(FakeSession.struct(arguments[1], nvmlEventData_t));
            return 0;
        });
        try (EventSet set = open()) {
            set.register(session.gpu(3), XID);
            return set.await(Duration.ofSeconds(1));
        }
    }

    @Test
    void xidErrorOfAnInstanceIsTold() {
        Answer<Optional<Event>> event = received(
                "nvmlEventSetWait_v2",
                out -> out.set("device", FIRST_HANDLE + 3)
                        .set("eventType", XID)
                        .set("eventData", 79L)
                        .set("gpuInstanceId", 2)
                        .set("computeInstanceId", 0));

        assertThat(event.orThrow())
                .contains(new Event(
                        OptionalInt.of(3),
                        XID,
                        Optional.of(EventType.XID_CRITICAL_ERROR),
                        OptionalLong.of(79),
                        OptionalInt.of(2),
                        OptionalInt.of(0)));
        assertThat(waited).containsExactly(1_000);
    }

    @Test
    void allOnesIsNoInstance() {
        Event event = received(
                        "nvmlEventSetWait_v2",
                        out -> out.set("eventType", XID)
                                .set("eventData", 48L)
                                .set("gpuInstanceId", -1)
                                .set("computeInstanceId", -1))
                .orThrow()
                .orElseThrow();

        assertThat(event.gpuInstanceId()).isEmpty();
        assertThat(event.computeInstanceId()).isEmpty();
    }

    @Test
    void olderFunctionLeavesInstancesAloneAndSoNamesNone() {
        Event event = received(
                        "nvmlEventSetWait",
                        out -> out.set("device", FIRST_HANDLE + 3)
                                .set("eventType", XID)
                                .set("eventData", 48L))
                .orThrow()
                .orElseThrow();

        assertThat(event.xid()).hasValue(48);
        assertThat(event.gpuInstanceId()).isEmpty();
        assertThat(event.computeInstanceId()).isEmpty();
    }

    @Test
    void xidThatTheDriverDoesNotKnowHasNoNumber() {
        Event event = received(
                        "nvmlEventSetWait_v2", out -> out.set("eventType", XID).set("eventData", 999L))
                .orThrow()
                .orElseThrow();

        assertThat(event.type()).contains(EventType.XID_CRITICAL_ERROR);
        assertThat(event.xid()).isEmpty();
    }

    @Test
    void otherEventsHaveNoXidAndUnknownOnesNoType() {
        Event event = received("nvmlEventSetWait_v2", out -> out.set("eventType", 0x10000L))
                .orThrow()
                .orElseThrow();

        assertThat(event)
                .isEqualTo(new Event(
                        OptionalInt.empty(),
                        0x10000,
                        Optional.empty(),
                        OptionalLong.empty(),
                        OptionalInt.empty(),
                        OptionalInt.empty()));
    }

    @Test
    void timeoutIsNoEventAndNoError() {
        session.with("nvmlEventSetWait_v2", NvmlReturn.TIMEOUT);
        try (EventSet set = open()) {
            assertThat(set.await(Duration.ZERO)).isEqualTo(new Answer.Value<>(Optional.empty()));
        }
    }

    @Test
    void errorIsTold() {
        session.with("nvmlEventSetWait_v2", NvmlReturn.GPU_IS_LOST);
        try (EventSet set = open()) {
            assertThat(set.await(Duration.ZERO))
                    .isEqualTo(new Answer.Refused<>(NvmlFunction.nvmlEventSetWait_v2, NvmlReturn.GPU_IS_LOST));
        }
    }

    @ParameterizedTest
    @CsvSource({"PT-1S, 0", "PT0S, 0", "PT0.0000001S, 1", "PT0.25S, 250", "PT10000H, 2147483647"})
    void timeIsRoundedUpToMillisecondsThatFit(Duration atMost, int millis) {
        assertThat(EventSet.millis(atMost)).isEqualTo(millis);
    }

    @Test
    void onlyWhatTheGpuCanReportIsRegistered() {
        try (EventSet set = open()) {
            Answer<Long> types = set.register(session.gpu(0), EventType.mask(EnumSet.allOf(EventType.class)) | 0x20);

            assertThat(types).isEqualTo(new Answer.Value<>(0xFF9FL));
            assertThat(set.register(session.gpu(1), 0x40)).isEqualTo(new Answer.Value<>(0L));
        }
        assertThat(registered).containsExactly(0xFF9FL);
    }

    @Test
    void gpuOfAnotherSessionIsNotRegistered() {
        Gpu stranger = new FakeSession()
                .with("nvmlDeviceGetSupportedEventTypes", arguments -> {
                    FakeSession.writeLong(arguments[1], XID);
                    return 0;
                })
                .gpu(0);
        try (EventSet set = open()) {
            assertThatThrownBy(() -> set.register(stranger, XID)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(registered).isEmpty();
    }

    @Test
    void closedSetIsFreedOnceAndMakesNoCall() {
        session.with("nvmlEventSetWait_v2", NvmlReturn.SUCCESS);
        EventSet set = open();

        set.close();
        set.close();

        assertThat(freed).containsExactly(SET);
        assertThat(set.await(Duration.ZERO))
                .isEqualTo(new Answer.Refused<>(NvmlFunction.nvmlEventSetWait_v2, NvmlReturn.UNINITIALIZED));
        assertThat(session.log.lines()).noneMatch(line -> line.contains("Wait"));
    }

    @Test
    void setThatIsClosedUnderAWaitIsFreedWhenTheWaitReturns() {
        List<Integer> freedDuringTheWait = new ArrayList<>();
        EventSet set = open();
        session.with("nvmlEventSetWait_v2", arguments -> {
            // Stands for another thread that closes the set meanwhile.
            set.close();
            freedDuringTheWait.add(freed.size());
            return NvmlReturn.TIMEOUT.code();
        });

        set.await(Duration.ofSeconds(1));

        assertThat(freedDuringTheWait).containsExactly(0);
        assertThat(freed).containsExactly(SET);
    }

    @Test
    void sessionFreesWhatIsStillOpenBeforeItShutsDown() {
        List<String> order = new ArrayList<>();
        session.with("nvmlInit_v2", NvmlReturn.SUCCESS).with("nvmlShutdown", arguments -> {
            order.add("shutdown after " + freed);
            return 0;
        });
        Nvml nvml = Nvml.open(session.library, CallObserver.NONE, () -> 0).orThrow();
        EventSet forgotten = nvml.events().orThrow();
        nvml.events().orThrow().close();

        assertThat(nvml.close()).isTrue();
        forgotten.close();

        assertThat(order).containsExactly("shutdown after [" + SET + ", " + SET + "]");
        assertThat(freed).hasSize(2);
    }
}
