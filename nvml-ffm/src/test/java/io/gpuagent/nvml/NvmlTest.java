// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Sessions. */
class NvmlTest {
    private final AtomicInteger users = new AtomicInteger();
    private final FakeLibrary library = new FakeLibrary()
            .with("nvmlInit_v2", arguments -> users.incrementAndGet() > 0 ? 0 : 999)
            .with("nvmlShutdown", arguments -> users.decrementAndGet() >= 0 ? 0 : 1);

    private Answer<Nvml> open() {
        return Nvml.open(library, CallObserver.NONE, () -> 0);
    }

    @Test
    void driverThatIsNotLoadedGivesNoSessionAndTheReason() {
        library.with("nvmlInit_v2", NvmlReturn.DRIVER_NOT_LOADED);

        assertThat(open()).isEqualTo(new Answer.Refused<>(NvmlFunction.nvmlInit_v2, NvmlReturn.DRIVER_NOT_LOADED));
    }

    @Test
    void closingTwiceShutsDownOnce() {
        Nvml first = open().orThrow();
        Nvml second = open().orThrow();

        assertThat(first.close()).isTrue();
        assertThat(first.close()).isTrue();

        assertThat(users).as("the second session goes on").hasValue(1);
        assertThat(second.close()).isTrue();
        assertThat(users).hasValue(0);
    }

    @Test
    void shutdownThatFailedIsTriedAgain() {
        AtomicInteger tries = new AtomicInteger();
        library.with("nvmlShutdown", arguments -> tries.incrementAndGet() == 1 ? 999 : 0);
        Nvml nvml = open().orThrow();

        assertThat(nvml.close()).isFalse();
        assertThat(nvml.close()).isTrue();
    }

    @Test
    void sessionIsNotShutDownUnderACall() {
        AtomicReference<Nvml> session = new AtomicReference<>();
        AtomicReference<Boolean> closed = new AtomicReference<>();
        library.with("nvmlDeviceGetCount_v2", arguments -> {
            closed.set(session.get().close());
            return 0;
        });
        session.set(open().orThrow());

        session.get().gpuCount();

        assertThat(closed).hasValue(false);
        assertThat(users).hasValue(1);
        assertThat(session.get().close()).isTrue();
        assertThat(users).hasValue(0);
    }

    @Test
    void textThatFillsItsBufferEndsWithTheBuffer() {
        library.with("nvmlSystemGetDriverVersion", arguments -> {
            FakeLibrary.memory(arguments[0], arguments[1]).fill((byte) '5');
            return 0;
        });

        assertThat(open().orThrow().driverVersion().orThrow()).isEqualTo("5".repeat(80));
    }

    @Test
    void textEndsWithItsNul() {
        library.with("nvmlSystemGetDriverVersion", arguments -> {
            FakeLibrary.memory(arguments[0], arguments[1])
                    .setString(0, "580.159.04\0rubbish", StandardCharsets.US_ASCII);
            return 0;
        });

        assertThat(open().orThrow().driverVersion().orThrow()).isEqualTo("580.159.04");
    }

    @Test
    void cudaVersionIsTakenApart() {
        library.with("nvmlSystemGetCudaDriverVersion_v2", arguments -> {
            FakeLibrary.memory(arguments[0], 4).set(ValueLayout.JAVA_INT, 0, 12_080);
            return 0;
        });

        assertThat(open().orThrow().cudaDriverVersion().orThrow()).isEqualTo("12.8");
    }
}
