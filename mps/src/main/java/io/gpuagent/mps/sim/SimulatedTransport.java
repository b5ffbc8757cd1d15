// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.sim;

import io.gpuagent.model.time.Clock;
import io.gpuagent.mps.control.ControlTransport;
import io.gpuagent.mps.control.Exchange;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The way to a simulated daemon in this process. A daemon that does not answer is waited for on the injected clock. */
public final class SimulatedTransport implements ControlTransport {
    /** How often the daemon is looked at while it does not answer. */
    private static final Duration LOOK = Duration.ofMillis(50);

    private final Supplier<SimulatedDaemon> daemon;
    private final int uid;
    private final Clock clock;

    /**
     * A way to a daemon.
     *
     * @param daemon the daemon now; another one after a restart
     * @param uid the user who sends
     * @param clock the daemon's clock
     */
    public SimulatedTransport(Supplier<SimulatedDaemon> daemon, int uid, Clock clock) {
        this.daemon = daemon;
        this.uid = uid;
        this.clock = clock;
    }

    @Override
    public Exchange send(String command, Duration deadline) {
        SimulatedDaemon target = daemon.get();
        long start = clock.nanos();
        CompletableFuture<Reply> answer = target.answer(command + "\n", uid);
        try {
            while (!answer.isDone()) {
                long waited = clock.nanos() - start;
                if (waited >= deadline.toNanos()) {
                    return new Exchange.TimedOut(deadline);
                }
                clock.sleepUntil(start + Math.min(waited + LOOK.toNanos(), deadline.toNanos()));
                target.tick();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Exchange.TimedOut(Duration.ofNanos(clock.nanos() - start));
        }
        Reply reply = answer.join();
        return new Exchange.Completed(
                reply.text(), "", reply.exitStatus(), false, Duration.ofNanos(clock.nanos() - start));
    }

    @Override
    public Exchange version(Duration deadline) {
        return new Exchange.Completed(versionText(daemon.get().setup().version()), "", 0, false, Duration.ZERO);
    }

    /**
     * What {@code nvidia-cuda-mps-control -v} prints.
     *
     * @param version the binary version
     * @return the text as captured
     */
    public static String versionText(int version) {
        return "CUDA MPS Control for Linux/Unix/QNX. Binary version: " + version
                + "\nCopyright (C) 2003 - 2025 NVIDIA Corporation.\n\n";
    }
}
