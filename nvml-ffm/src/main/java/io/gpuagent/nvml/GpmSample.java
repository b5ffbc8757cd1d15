// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static java.lang.foreign.ValueLayout.ADDRESS;

import io.gpuagent.nvml.internal.Allocation;
import io.gpuagent.nvml.internal.Handle;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.MemorySegment;

/** Counters of a GPU at one moment, for {@link Gpm}. Once closed it answers UNINITIALIZED. */
public final class GpmSample implements AutoCloseable {
    private final Allocation sample;

    private GpmSample(Allocation sample) {
        this.sample = sample;
    }

    static Answer<GpmSample> allocate(Handle device) {
        NvmlFunction function = NvmlFunction.nvmlGpmSampleAlloc;
        MemorySegment out = Scratch.fresh().take(ADDRESS);
        int code = device.calls().callFor(device.gpu(), function, out);
        return Queries.answer(function, code, out, o -> {
            Handle handle = new Handle(device.calls(), o.get(ADDRESS, 0), device.gpu());
            return new Answer.Value<>(new GpmSample(Allocation.of(handle, NvmlFunction.nvmlGpmSampleFree, handle)));
        });
    }

    /** What was allocated, for a call of a GPU of the same session: a handle of another one may be anything in this. */
    Allocation of(Handle device) {
        if (sample.calls() != device.calls()) {
            throw new IllegalArgumentException("the sample is of another session");
        }
        return sample;
    }

    /** Frees it (nvmlGpmSampleFree): now, or when the call that uses it comes back. */
    @Override
    public void close() {
        sample.close();
    }
}
