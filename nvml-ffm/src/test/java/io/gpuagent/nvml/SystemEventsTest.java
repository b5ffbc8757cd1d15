// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.EventLayouts.nvmlSystemEventData_v1_t;
import static io.gpuagent.nvml.internal.EventLayouts.nvmlSystemEventSetCreateRequest_v1_t;
import static io.gpuagent.nvml.internal.EventLayouts.nvmlSystemEventSetFreeRequest_v1_t;
import static io.gpuagent.nvml.internal.EventLayouts.nvmlSystemEventSetWaitRequest_v1_t;
import static io.gpuagent.nvml.internal.EventLayouts.nvmlSystemRegisterEventRequest_v1_t;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.nvml.SystemEvents.Kind;
import io.gpuagent.nvml.SystemEvents.SystemEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Events of the driver. */
class SystemEventsTest {
    private static final long SET = 0x5E7;

    private final List<Long> freed = new ArrayList<>();
    private final FakeSession session = new FakeSession()
            .with("nvmlSystemEventSetCreate", arguments -> {
                FakeSession.struct(arguments[0], nvmlSystemEventSetCreateRequest_v1_t)
                        .set("set", SET);
                return 0;
            })
            .with("nvmlSystemEventSetFree", arguments -> {
                freed.add(FakeSession.struct(arguments[0], nvmlSystemEventSetFreeRequest_v1_t)
                        .getLong("set"));
                return 0;
            });

    @Test
    void driverThatIsBoundOrUnboundIsTold() {
        List<Long> registered = new ArrayList<>();
        session.with("nvmlSystemRegisterEvents", arguments -> {
                    FakeSession.Struct request = FakeSession.struct(arguments[0], nvmlSystemRegisterEventRequest_v1_t);
                    registered.add(request.getLong("eventTypes"));
                    return request.getLong("set") == SET ? 0 : 2;
                })
                .with("nvmlSystemEventSetWait", arguments -> {
                    FakeSession.Struct request = FakeSession.struct(arguments[0], nvmlSystemEventSetWaitRequest_v1_t);
                    long data = request.getLong("data");
                    FakeSession.struct(data, nvmlSystemEventData_v1_t)
                            .set("eventType", 1L)
                            .set("gpuId", 0x9A00);
                    FakeSession.struct(data + nvmlSystemEventData_v1_t.byteSize(), nvmlSystemEventData_v1_t)
                            .set("eventType", 4L);
                    request.set("numEvent", 2);
                    return request.getInt("timeoutms") == 250 && request.getInt("dataSize") == 16 ? 0 : 2;
                });
        try (SystemEvents events = SystemEvents.create(session.calls).orThrow()) {
            assertThat(events.register(EnumSet.allOf(Kind.class))).isEqualTo(NvmlReturn.SUCCESS);
            assertThat(events.await(Duration.ofMillis(250)).orThrow())
                    .containsExactly(
                            new SystemEvent(1, Optional.of(Kind.GPU_DRIVER_UNBIND), 0x9A00),
                            new SystemEvent(4, Optional.empty(), 0));
        }
        assertThat(registered).containsExactly(3L);
        assertThat(freed).containsExactly(SET);
    }

    @Test
    void timeoutIsNoEvent() {
        session.with("nvmlSystemEventSetWait", NvmlReturn.TIMEOUT);
        try (SystemEvents events = SystemEvents.create(session.calls).orThrow()) {
            assertThat(events.await(Duration.ZERO).orThrow()).isEmpty();
        }
    }

    @Test
    void olderDriverHasNoSuchSet() {
        assertThat(SystemEvents.create(new FakeSession().calls))
                .isEqualTo(new Answer.Refused<>(NvmlFunction.nvmlSystemEventSetCreate, NvmlReturn.FUNCTION_NOT_FOUND));
    }
}
