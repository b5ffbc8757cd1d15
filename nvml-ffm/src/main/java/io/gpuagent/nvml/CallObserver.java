// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

/**
 * Sees every call of the binding, before and after. Counters, the age of a call in flight and call logs come from here.
 *
 * <p>It is called on the calling thread and must neither block, nor throw, nor allocate much.
 */
public interface CallObserver {
    /** Sees nothing. */
    CallObserver NONE = new CallObserver() {
        @Override
        public void before(NvmlFunction function, int gpu) {}

        @Override
        public void after(NvmlFunction function, int gpu, int code, long nanos) {}
    };

    /**
     * A call is about to be made.
     *
     * @param function the function
     * @param gpu index of the GPU it asks, or -1 where it asks none
     */
    void before(NvmlFunction function, int gpu);

    /**
     * The call has returned.
     *
     * @param function the function
     * @param gpu index of the GPU it asked, or -1
     * @param code the {@code nvmlReturn_t} it returned
     * @param nanos how long it took
     */
    void after(NvmlFunction function, int gpu, int code, long nanos);
}
