// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What has been told to go wrong, on one GPU or on the node: hangs and forced return codes, by function. */
final class Faults {
    /** Stands for every function. */
    static final String ALL = "*";

    private static final int FOREVER = -1;

    private final Map<String, Forced> answers = new ConcurrentHashMap<>();
    private final Map<String, Hang> hangs = new ConcurrentHashMap<>();

    private record Forced(int code, int left) {}

    void answer(String function, int code) {
        answers.put(known(function), new Forced(code, FOREVER));
    }

    void answerTimes(String function, int code, int times) {
        if (times < 1) {
            throw new IllegalArgumentException("an answer given " + times + " times is none");
        }
        answers.put(known(function), new Forced(code, times));
    }

    void clear(String function) {
        answers.remove(known(function));
    }

    void clear() {
        answers.clear();
        hangs.values().forEach(Hang::release);
        hangs.clear();
    }

    Hang hang(String function) {
        Hang hang = new Hang();
        @Nullable Hang before = hangs.put(known(function), hang);
        if (before != null) {
            before.release();
        }
        return hang;
    }

    void release(String function) {
        @Nullable Hang hang = hangs.remove(known(function));
        if (hang != null) {
            hang.release();
        }
    }

    /** Blocks the calling thread while a hang holds this function. */
    void holdIfHung(String function) {
        hold(function);
        hold(ALL);
    }

    private void hold(String function) {
        @Nullable Hang hang = hangs.get(function);
        if (hang != null) {
            hang.hold();
        }
    }

    /** Whether everything answers this code. */
    boolean isForced(int code) {
        @Nullable Forced forced = answers.get(ALL);
        return forced != null && forced.code() == code;
    }

    /** The code that this call must return, if one is forced; counts the call. */
    OptionalInt forced(String function) {
        OptionalInt own = take(function);
        return own.isPresent() ? own : take(ALL);
    }

    private OptionalInt take(String function) {
        if (!answers.containsKey(function)) {
            return OptionalInt.empty();
        }
        int[] code = new int[1];
        boolean[] isForced = new boolean[1];
        answers.computeIfPresent(function, (key, forced) -> {
            code[0] = forced.code();
            isForced[0] = true;
            if (forced.left() == FOREVER) {
                return forced;
            }
            return forced.left() == 1 ? null : new Forced(forced.code(), forced.left() - 1);
        });
        return isForced[0] ? OptionalInt.of(code[0]) : OptionalInt.empty();
    }

    private static String known(String function) {
        if (!isKnown(function)) {
            throw new IllegalArgumentException(function + " is not a function of nvml.h");
        }
        return function;
    }

    static boolean isKnown(String function) {
        return function.equals(ALL) || Abi.get().functions().containsKey(function);
    }
}
