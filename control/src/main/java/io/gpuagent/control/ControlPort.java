// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control;

/**
 * Whoever carries requests out: this process where it may, or the root helper. Calls block until the answer is there, at
 * the latest a few seconds after {@link Request#deadline()}; never call from an event loop. Any thread may call.
 */
public interface ControlPort {
    /**
     * Carries out one request.
     *
     * @param request what to do
     * @param caller hears of progress and is asked to let go of GPUs
     * @return what became of it; never throws for what the machine does
     */
    Answer perform(Request request, Caller caller);
}
