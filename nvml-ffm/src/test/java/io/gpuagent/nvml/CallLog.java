// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Writes down what an observer is told, a line each. */
public final class CallLog implements CallObserver {
    private final List<String> lines = new CopyOnWriteArrayList<>();

    /** A log with nothing in it. */
    public CallLog() {}

    @Override
    public void before(NvmlFunction function, int gpu) {
        lines.add("before " + function + " on " + gpu);
    }

    @Override
    public void after(NvmlFunction function, int gpu, int code, long nanos) {
        lines.add("after " + function + " on " + gpu + ": " + code + " in " + nanos);
    }

    /**
     * What was observed.
     *
     * @return lines, in order
     */
    public List<String> lines() {
        return lines;
    }
}
