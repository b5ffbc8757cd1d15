// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.VgpuLayouts.nvmlVgpuVersion_t;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.gpuagent.nvml.internal.Calls;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.MemorySegment;

/** NVIDIA's vGPU manager on this host. NOT_SUPPORTED where there is none. */
public final class VgpuManager {
    private final Calls calls;

    VgpuManager(Calls calls) {
        this.calls = calls;
    }

    /**
     * Which vGPU versions it takes from machines (nvmlGetVgpuVersion).
     *
     * @return what it can, and what an administrator has narrowed that down to
     */
    public Answer<Versions> versions() {
        NvmlFunction function = NvmlFunction.nvmlGetVgpuVersion;
        Scratch scratch = Scratch.fresh();
        MemorySegment supported = scratch.take(nvmlVgpuVersion_t);
        MemorySegment current = scratch.take(nvmlVgpuVersion_t);
        int code = calls.call(function, supported, current);
        return Queries.answer(
                function, code, supported, o -> new Answer.Value<>(new Versions(range(o), range(current))));
    }

    private static Range range(MemorySegment memory) {
        Struct version = new Struct(nvmlVgpuVersion_t, memory);
        return new Range(version.u32("minVersion"), version.u32("maxVersion"));
    }

    /**
     * What it can do (nvmlGetVgpuDriverCapabilities).
     *
     * @param capability which
     * @return true where it can
     */
    public Answer<Boolean> can(Capability capability) {
        NvmlFunction function = NvmlFunction.nvmlGetVgpuDriverCapabilities;
        MemorySegment out = Scratch.fresh().take(JAVA_INT);
        int code = calls.call(function, capability.c, out);
        return Queries.answer(function, code, out, o -> new Answer.Value<>(o.get(JAVA_INT, 0) != 0));
    }

    /**
     * Ranges of vGPU versions.
     *
     * @param supported what the manager can
     * @param current what it takes
     */
    public record Versions(Range supported, Range current) {}

    /**
     * A range of vGPU versions.
     *
     * @param min the oldest
     * @param max the newest
     */
    public record Range(long min, long max) {}

    /** {@code nvmlVgpuDriverCapability_t}. */
    public enum Capability {
        /** A machine can have vGPUs of different types. */
        HETEROGENEOUS_MULTI_VGPU(0),
        /** The host's driver can be updated under running vGPUs. */
        WARM_UPDATE(1);

        private final int c;

        Capability(int c) {
            this.c = c;
        }
    }
}
