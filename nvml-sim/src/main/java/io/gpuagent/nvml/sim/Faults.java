// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What has been told to go wrong, on one GPU or on the node: calls that answer another code, take their time, never
 * return or answer nonsense, by function and by turn. A call meets the faults of the node before those of its GPU.
 */
public final class Faults {
    /** Stands for every function. */
    public static final String ALL = "*";

    private final FaultTable<Integer> answers = new FaultTable<>(code -> {});
    private final FaultTable<Hang> hangs = new FaultTable<>(Hang::release);
    private final FaultTable<Delay> delays =
            new FaultTable<>(delay -> delay.hold().release());
    private final FaultTable<Garbage> garbage = new FaultTable<>(kind -> {});

    private record Delay(Hang hold, long nanos) {}

    Faults() {}

    /**
     * Makes a function answer a code instead of doing anything.
     *
     * @param function C name, or {@link #ALL}
     * @param code an {@code nvmlReturn_t}
     * @param turns in which calls
     */
    public void answer(String function, int code, Turns turns) {
        answers.put(function, code, turns);
    }

    void answer(String function, int code) {
        answer(function, code, Turns.ALL);
    }

    void answerTimes(String function, int code, int times) {
        if (times < 1) {
            throw new IllegalArgumentException("an answer given " + times + " times is none");
        }
        answer(function, code, Turns.next(times));
    }

    /**
     * Makes a function not return.
     *
     * @param function C name, or {@link #ALL}
     * @param turns in which calls; they go on when they are let go
     * @return to see who hangs and to let go
     */
    public Hang hang(String function, Turns turns) {
        Hang hang = new Hang();
        hangs.put(function, hang, turns);
        return hang;
    }

    Hang hang(String function) {
        return hang(function, Turns.ALL);
    }

    /**
     * Makes a function take longer, on the thread that calls it and by the clock that the GPUs live by. An interrupt does
     * not shorten it, as in a driver.
     *
     * @param function C name, or {@link #ALL}
     * @param time how much longer
     * @param turns in which calls
     * @return to see who waits and to let go
     */
    public Hang delay(String function, Duration time, Turns turns) {
        Hang hold = new Hang();
        delays.put(function, new Delay(hold, time.toNanos()), turns);
        return hold;
    }

    /**
     * Makes a function that succeeds answer nonsense. Nothing is written that the function would not have written to:
     * never behind the caller's memory.
     *
     * @param function C name, or {@link #ALL}
     * @param kind what nonsense
     * @param turns in which calls
     */
    public void garble(String function, Garbage kind, Turns turns) {
        garbage.put(function, kind, turns);
    }

    /** Ends all faults. */
    public void clear() {
        answers.clear();
        hangs.clear();
        delays.clear();
        garbage.clear();
    }

    /**
     * Ends all faults of a function.
     *
     * @param function C name, or {@link #ALL} for those that were told of all functions
     */
    public void clear(String function) {
        answers.remove(function);
        hangs.remove(function);
        delays.remove(function);
        garbage.remove(function);
    }

    /** Lets those go who hang in a function or are delayed there; later calls pass. */
    void release(String function) {
        hangs.remove(function);
        delays.remove(function);
    }

    /** Blocks the calling thread while a hang holds this call, or for as long as it is delayed. */
    void hold(String function, SimulatedClock clock) {
        hangs.met(function).ifPresent(Hang::hold);
        delays.met(function).ifPresent(delay -> delay.hold().hold(clock, delay.nanos()));
    }

    /** Whether everything answers this code. */
    boolean isForced(int code) {
        return answers.always().filter(forced -> forced == code).isPresent();
    }

    /** The code that this call must return, if one is forced; counts the call. */
    OptionalInt forced(String function) {
        return answers.met(function).map(OptionalInt::of).orElse(OptionalInt.empty());
    }

    /** The nonsense that this call must answer, if it succeeds; counts the call. */
    Optional<Garbage> garbled(String function) {
        return garbage.met(function);
    }

    static boolean isKnown(String function) {
        return function.equals(ALL) || Abi.get().functions().containsKey(function);
    }
}
