// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.binding;

import io.gpuagent.nvml.Access;
import io.gpuagent.nvml.CallObserver;
import io.gpuagent.nvml.ComputeMode;
import io.gpuagent.nvml.EventSet;
import io.gpuagent.nvml.EventType;
import io.gpuagent.nvml.GpmSample;
import io.gpuagent.nvml.Gpu;
import io.gpuagent.nvml.Nvml;
import io.gpuagent.nvml.NvmlFunction;
import io.gpuagent.nvml.NvmlLibrary;
import io.gpuagent.nvml.SystemEvents;
import io.gpuagent.nvml.sim.SimProfile;
import io.gpuagent.nvml.sim.SimulatedDriver;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes many calls on every path of the binding, in a JVM of its own that tracks its native memory, and prints now and then
 * what the process holds: a line "CALLS NATIVE-BYTES THREADS DESCRIPTORS".
 */
public final class ManyCalls {
    /** How often it prints. */
    static final int SAMPLES = 20;

    /** What is rare and dear happens once in so many cycles. */
    private static final int RARELY = 20;

    private final SimulatedDriver driver = SimulatedDriver.start(SimProfile.parse("h200"), () -> 0);
    private final Counter counter = new Counter();
    private final Optional<Path> library;

    private ManyCalls(Optional<Path> library) {
        this.library = library;
        driver.remove("nvmlDeviceGetJpgUtilization");
        // Otherwise the simulator keeps the memory behind each handle it ever gave, so that none comes twice.
        driver.reuseHandles(true);
    }

    /**
     * Makes the calls.
     *
     * @param arguments how many, and a library that is loaded and unloaded meanwhile, if there is one
     * @throws Exception when a call is answered in a way it should not be
     */
    public static void main(String[] arguments) throws Exception {
        long wanted = Long.parseLong(arguments[0]);
        ManyCalls calls = new ManyCalls(arguments.length > 1 ? Optional.of(Path.of(arguments[1])) : Optional.empty());
        for (int sample = 1; sample <= SAMPLES; sample++) {
            calls.run(wanted * sample / SAMPLES);
            System.out.println(calls.counter.calls.get() + " " + Held.now());
        }
    }

    private void run(long until) throws InterruptedException, NvmlLibrary.NotFound {
        while (counter.calls.get() < until) {
            // A session per round, and a thread with scratch memory of its own.
            Nvml nvml = Nvml.open(driver, counter, () -> 0).orThrow();
            for (int i = 0; i < RARELY; i++) {
                cycle(nvml);
            }
            Thread thread = Thread.ofPlatform().start(() -> getters(nvml.gpu(0).orThrow()));
            thread.join();
            // Left for the session to free.
            nvml.gpu(0).orThrow().gpm().allocate().orThrow();
            nvml.events().orThrow();
            expect(nvml.close());
            refusedByBinding(nvml);
            if (library.isPresent()) {
                loadAndUnload();
            }
        }
    }

    private void cycle(Nvml nvml) {
        Gpu gpu = nvml.gpu(0).orThrow();
        getters(gpu);
        refusedByBinding(nvml);
        expect(gpu.utilization().jpeg().value().isEmpty());
        try (EventSet events = nvml.events().orThrow()) {
            events.register(gpu, EventType.XID_CRITICAL_ERROR.bit()).orThrow();
        }
        try (SystemEvents events = nvml.systemEvents().orThrow()) {
            events.register(Set.of(SystemEvents.Kind.GPU_DRIVER_UNBIND)).orThrow();
        }
        try (GpmSample sample = gpu.gpm().allocate().orThrow()) {
            gpu.gpm().sample(sample).orThrow();
        }
    }

    private static void getters(Gpu gpu) {
        for (Getter getter : Getter.ALL) {
            expect(getter.of(gpu) != null);
        }
    }

    /** A change in a session that may not change anything. */
    private void refusedByBinding(Nvml nvml) {
        nvml.gpu(0).value().ifPresent(gpu -> {
            counter.calls.incrementAndGet();
            expect(gpu.control().computeMode(ComputeMode.DEFAULT).value().isEmpty());
        });
    }

    private void loadAndUnload() throws NvmlLibrary.NotFound {
        try (NvmlLibrary loaded = NvmlLibrary.open(library)) {
            Nvml nvml = Nvml.open(loaded, counter, () -> 0, Access.CONTROL).orThrow();
            expect(nvml.gpu(0).orThrow().identity().name().value().isPresent());
            expect(nvml.close());
        }
    }

    private static void expect(boolean isSo) {
        if (!isSo) {
            throw new IllegalStateException("a call was not answered as it should be");
        }
    }

    /** Counts the calls that reach a library, and those that the binding refused. */
    private static final class Counter implements CallObserver {
        private final AtomicLong calls = new AtomicLong();

        @Override
        public void before(NvmlFunction function, int gpu) {}

        @Override
        public void after(NvmlFunction function, int gpu, int code, long nanos) {
            calls.incrementAndGet();
        }
    }
}
