// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.sim;

import java.util.Map;
import java.util.OptionalLong;

/** A CUDA program at a simulated daemon. What it got is fixed when it is let in and never changes. */
public final class SimulatedClient {
    /** What has become of a client; the numbers are CUDA's errors. */
    public enum State {
        /** Waits for a server, without an end. */
        PENDING(0),
        /** Is in. */
        RUNNING(0),
        /** Did not get in or broke: its memory limit is below what its context takes. */
        OUT_OF_MEMORY(2),
        /** Broke with its terminated neighbour, as captured once. */
        ILLEGAL_ADDRESS(700),
        /** Did not get in: the daemon was told to quit and waits for those that are in (captured on an H200). */
        CONNECTION_FAILED(805),
        /** Broke with its server or daemon. */
        RPC_FAILURE(806),
        /** Did not get in: the server recovers from a fault. */
        SERVER_NOT_READY(807),
        /** Did not get in: the server has all the contexts it can have. */
        MAX_CLIENTS_REACHED(808),
        /** Was terminated. */
        TERMINATED(810),
        /** Broke with a fatal GPU error. */
        GPU_FAULT(719);

        private final int cudaError;

        State(int cudaError) {
            this.cudaError = cudaError;
        }

        /**
         * What CUDA tells the program.
         *
         * @return the error, 0 for none
         */
        public int cudaError() {
            return cudaError;
        }
    }

    private final ClientProgram program;
    private volatile State state = State.PENDING;
    private volatile long server;
    private volatile long contextId;
    private volatile double threads;
    private volatile int multiprocessors;
    private volatile Map<Integer, Long> memory = Map.of();

    SimulatedClient(ClientProgram program) {
        this.program = program;
    }

    void admit(long byServer, long id, double percentage, int ofGpu, Map<Integer, Long> limits) {
        server = byServer;
        contextId = id;
        threads = percentage;
        multiprocessors = 2 * (int) Math.floor(ofGpu * percentage / 200);
        memory = Map.copyOf(limits);
        state = State.RUNNING;
    }

    void become(State next) {
        state = next;
    }

    /**
     * The program.
     *
     * @return what joined
     */
    public ClientProgram program() {
        return program;
    }

    /**
     * What has become of it.
     *
     * @return its state
     */
    public State state() {
        return state;
    }

    /**
     * Its server.
     *
     * @return its pid; 0 until it was let in
     */
    public long server() {
        return server;
    }

    /**
     * The number its server gave it.
     *
     * @return from 1 on; 0 until it was let in
     */
    public long contextId() {
        return contextId;
    }

    /**
     * Its share of threads: the smaller one of the server's when it came and of its own.
     *
     * @return percent
     */
    public double threads() {
        return threads;
    }

    /**
     * How many multiprocessors of the first device it can use.
     *
     * @return an even count
     */
    public int multiprocessors() {
        return multiprocessors;
    }

    /**
     * How much memory of a device it can allocate.
     *
     * @param device the ordinal
     * @return bytes; empty without a limit
     */
    public OptionalLong memoryLimit(int device) {
        Long bytes = memory.get(device);
        return bytes == null ? OptionalLong.empty() : OptionalLong.of(bytes);
    }
}
