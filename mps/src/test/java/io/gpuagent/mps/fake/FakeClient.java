// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.fake;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** A CUDA program that runs. */
public final class FakeClient {
    private static final long PATIENCE_SECONDS = 10;

    private final Process process;
    private volatile String state;

    FakeClient(Process process) {
        this.process = process;
        Thread.ofPlatform().daemon().start(this::read);
    }

    /**
     * The variables of a program that goes on running after it broke, and that SIGTERM does not end.
     *
     * @return the variables
     */
    public static Map<String, String> stubborn() {
        return Map.of(FakeCudaProgram.STUBBORN, "1");
    }

    /**
     * The variables of a program that has work on the GPU all the time.
     *
     * @return the variables
     */
    public static Map<String, String> busy() {
        return Map.of(FakeCudaProgram.BUSY, "1");
    }

    private void read() {
        try (BufferedReader reader = process.inputReader()) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                state = line;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Its process.
     *
     * @return the process, for example to kill it
     */
    public Process process() {
        return process;
    }

    /**
     * Its pid.
     *
     * @return the pid
     */
    public long pid() {
        return process.pid();
    }

    /**
     * What has become of it: {@code STATE MULTIPROCESSORS MEMORY}, for example {@code RUNNING 32 unlimited}.
     *
     * @return the last line; null before the first
     */
    public String state() {
        return state;
    }

    /**
     * Waits for a state, at most 10 s.
     *
     * @param prefix what it begins with; any where empty
     */
    public void awaitState(String prefix) {
        await(() -> state != null && state.startsWith(prefix), "the state " + prefix + " and not " + state);
    }

    static void await(Callable<Boolean> condition, String what) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        try {
            while (!condition.call()) {
                if (System.nanoTime() > end) {
                    throw new AssertionError("waited in vain for " + what);
                }
                Thread.sleep(5);
            }
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError("waited for " + what, e);
        }
    }
}
