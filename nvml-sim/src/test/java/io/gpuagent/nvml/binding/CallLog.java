// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.binding;

import io.gpuagent.nvml.CallObserver;
import io.gpuagent.nvml.NvmlFunction;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What the binding called, in order. */
final class CallLog implements CallObserver {
    private final List<Entry> entries = new CopyOnWriteArrayList<>();

    /** A call that returned; the GPU's index is -1 where it asked none. */
    record Entry(NvmlFunction function, int gpu, int code) {}

    @Override
    public void before(NvmlFunction function, int gpu) {}

    @Override
    public void after(NvmlFunction function, int gpu, int code, long nanos) {
        entries.add(new Entry(function, gpu, code));
    }

    List<Entry> entries() {
        return entries;
    }

    List<NvmlFunction> functions() {
        return entries.stream().map(Entry::function).toList();
    }

    void clear() {
        entries.clear();
    }
}
