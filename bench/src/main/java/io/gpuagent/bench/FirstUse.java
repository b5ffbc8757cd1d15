// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.bench;

import io.gpuagent.model.time.SystemClock;
import io.gpuagent.nvml.CallObserver;
import io.gpuagent.nvml.Ecc;
import io.gpuagent.nvml.Gpu;
import io.gpuagent.nvml.Nvml;
import io.gpuagent.nvml.NvmlLibrary;
import io.gpuagent.nvml.Samples;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The binding's first calls in a JVM of their own: on standard error, a line with the nanoseconds of its start, and one
 * per number of arguments with those of the first call and of the next one, which differ by the linking.
 */
final class FirstUse {
    /** The numbers of arguments of the lines that follow the first one. */
    static final List<Integer> LINKED = List.of(1, 3, 4, 5, 6);

    private final List<String> lines = new ArrayList<>();

    private FirstUse() {}

    /**
     * Makes the calls.
     *
     * @param arguments the library; none to let the binding search for it
     * @throws NvmlLibrary.NotFound when there is no library
     */
    public static void main(String[] arguments) throws NvmlLibrary.NotFound {
        Optional<Path> configured = arguments.length == 0 ? Optional.empty() : Optional.of(Path.of(arguments[0]));
        FirstUse use = new FirstUse();
        long start = SystemClock.INSTANCE.nanos();
        NvmlLibrary library = NvmlLibrary.open(configured);
        long loaded = SystemClock.INSTANCE.nanos();
        Nvml nvml = Nvml.open(library, CallObserver.NONE, SystemClock.INSTANCE::nanos)
                .orThrow();
        long initialised = SystemClock.INSTANCE.nanos();
        Gpu gpu = nvml.gpu(0).orThrow();
        long attached = SystemClock.INSTANCE.nanos();
        gpu.power().usage();
        long end = SystemClock.INSTANCE.nanos();
        use.lines.add("start " + (loaded - start) + " " + (initialised - loaded) + " " + (attached - initialised) + " "
                + (end - attached));
        // Two arguments are linked by the handle, none by nvmlInit.
        use.link(1, nvml::gpuCount);
        use.link(3, () -> gpu.identity().name());
        use.link(4, () -> gpu.ecc().total(Ecc.ErrorType.CORRECTED, Ecc.Counter.VOLATILE));
        use.link(5, () -> gpu.ecc().remappedRows());
        use.link(6, () -> gpu.samples().read(Samples.Kind.TOTAL_POWER, 0));
        use.lines.forEach(System.err::println);
    }

    private void link(int parameters, Runnable call) {
        long start = SystemClock.INSTANCE.nanos();
        call.run();
        long first = SystemClock.INSTANCE.nanos();
        call.run();
        lines.add("link " + parameters + " " + (first - start) + " " + (SystemClock.INSTANCE.nanos() - first));
    }
}
