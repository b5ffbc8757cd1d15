// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.control;

import io.gpuagent.model.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;

/** Sends commands to one daemon, one at a time. */
final class Commands {
    /** A command takes 75 ms on an H200 host. */
    static final Duration DEADLINE = Duration.ofSeconds(10);

    private final ControlTransport transport;
    private final CommandObserver observer;
    private final Clock clock;
    private final ReentrantLock oneAtATime = new ReentrantLock();

    Commands(ControlTransport transport, CommandObserver observer, Clock clock) {
        this.transport = transport;
        this.observer = observer;
        this.clock = clock;
    }

    <T> Answer<T> ask(String command, Function<String, T> reader) {
        return ask(command, DEADLINE, reader);
    }

    <T> Answer<T> ask(String command, Duration deadline, Function<String, T> reader) {
        return inTurn(command, () -> transport.send(command, deadline), reader);
    }

    <T> Answer<T> askVersion(Function<String, T> reader) {
        return inTurn("-v", () -> transport.version(DEADLINE), reader);
    }

    private <T> Answer<T> inTurn(String command, Supplier<Exchange> sending, Function<String, T> reader) {
        try {
            if (!oneAtATime.tryLock(DEADLINE.toSeconds(), TimeUnit.SECONDS)) {
                return new Answer.Refused<>(command, Refusal.BUSY, "");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Answer.Refused<>(command, Refusal.BUSY, "");
        }
        try {
            long start = clock.nanos();
            Exchange exchange = sending.get();
            observer.finished(command, exchange, clock.nanos() - start);
            return AnswerText.read(command, exchange, reader);
        } finally {
            oneAtATime.unlock();
        }
    }

    /**
     * Sets a value and asks whether it is in force.
     *
     * @param set the setting's answer
     * @param get asks for the value in force
     * @param wanted what should be in force
     */
    <T> Answer<T> verified(String command, Answer<Accepted> set, Supplier<Answer<T>> get, T wanted) {
        return set.then(_ -> get.get()).then(now -> compare(command, now, wanted));
    }

    static <T> Answer<T> compare(String command, T now, T wanted) {
        return now.equals(wanted)
                ? new Answer.Value<>(now)
                : new Answer.Refused<>(command, Refusal.NOT_IN_FORCE, "in force is " + now);
    }
}
