// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.nvml.Access;
import io.gpuagent.nvml.CallLog;
import io.gpuagent.nvml.Effect;
import io.gpuagent.nvml.FakeLibrary;
import io.gpuagent.nvml.NvmlFunction;
import io.gpuagent.nvml.NvmlReturn;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a session that was opened to read does with functions that change something. */
class ReadOnlySessionTest {
    private final AtomicInteger reached = new AtomicInteger();
    private final FakeLibrary library = new FakeLibrary();
    private final CallLog log = new CallLog();

    static Stream<NvmlFunction> changing() {
        return Stream.of(NvmlFunction.values()).filter(function -> function.effect() == Effect.CHANGES);
    }

    @ParameterizedTest
    @MethodSource("changing")
    void refusesWithoutReachingTheLibrary(NvmlFunction function) {
        assertThat(call(function, Access.READ_ONLY)).isEqualTo(NvmlReturn.NO_PERMISSION.code());
        assertThat(reached).hasValue(0);
        assertThat(library.lookUps()).isEmpty();
        assertThat(log.lines()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("changing")
    void sessionForControlCalls(NvmlFunction function) {
        assertThat(call(function, Access.CONTROL)).isZero();
        assertThat(reached).hasValue(1);
    }

    private int call(NvmlFunction function, Access access) {
        library.with(function.name(), arguments -> {
            reached.incrementAndGet();
            return 0;
        });
        Calls calls = new Calls(library, log, () -> 0, access);
        Handle handle = new Handle(calls, MemorySegment.ofAddress(0x1000), 0);
        MemorySegment memory = Scratch.fresh().take(Long.BYTES);
        return switch (function.parameters()) {
            case "P" -> calls.call(function, handle);
            case "I" -> calls.call(function, 1);
            case "PI" -> calls.call(function, handle, 1);
            case "PL" -> calls.call(function, handle, 1L);
            case "PP" -> calls.call(function, handle, memory);
            case "II" -> calls.call(function, 1, 1);
            case "PII" -> calls.call(function, handle, 1, 1);
            case "PIP" -> calls.call(function, handle, 1, memory);
            case "PIPP" -> calls.call(function, handle, 1, memory, memory);
            default -> throw new AssertionError("add a line here for " + function.parameters());
        };
    }
}
