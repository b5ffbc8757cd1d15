// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The steps of a scenario that make calls go wrong, of one GPU or, where they name none, of the whole node. */
final class FaultSteps {
    private FaultSteps() {}

    static Faults of(SimulatedDriver driver, int gpu) {
        return gpu < 0 ? driver.faults() : driver.gpu(gpu).faults();
    }

    static Consumer<SimulatedDriver> answer(StepKeys keys, int gpu) {
        String function = keys.function();
        int code = keys.needed("code", 1, 999);
        Turns turns = keys.turns();
        return driver -> of(driver, gpu).answer(function, code, turns);
    }

    static Consumer<SimulatedDriver> hang(StepKeys keys, int gpu) {
        String function = keys.function();
        Turns turns = keys.turns();
        return driver -> of(driver, gpu).hang(function, turns);
    }

    static Consumer<SimulatedDriver> release(StepKeys keys, int gpu) {
        String function = keys.function();
        return driver -> of(driver, gpu).release(function);
    }

    static Consumer<SimulatedDriver> delay(StepKeys keys, int gpu) {
        String function = keys.function();
        Duration time = keys.neededTime("for", "how much longer the calls take, such as 500ms or 46s");
        Turns turns = keys.turns();
        return driver -> of(driver, gpu).delay(function, time, turns);
    }

    static Consumer<SimulatedDriver> garbage(StepKeys keys, int gpu) {
        String function = keys.function();
        Garbage kind = keys.neededText("with").flatMap(text -> kind(keys, text)).orElse(Garbage.ONES);
        Turns turns = keys.turns();
        return driver -> of(driver, gpu).garble(function, kind, turns);
    }

    private static Optional<Garbage> kind(StepKeys keys, String text) {
        switch (text) {
            case "ones" -> {
                return Optional.of(Garbage.ONES);
            }
            case "random" -> {
                return Optional.of(Garbage.RANDOM);
            }
            case "counts" -> {
                return Optional.of(Garbage.COUNTS);
            }
            default -> {
                try {
                    return Optional.of(Garbage.value(Long.decode(text)));
                } catch (NumberFormatException e) {
                    keys.mistake(
                            "with",
                            text + " is none of ones, random, counts, and no whole number"
                                    + NearestWord.advice(text, List.of("ones", "random", "counts")));
                    return Optional.empty();
                }
            }
        }
    }

    /** Ends faults, and for a GPU as a whole what was set. */
    static Consumer<SimulatedDriver> heal(StepKeys keys, int gpu) {
        if (keys.has("function")) {
            String function = keys.function();
            return driver -> of(driver, gpu).clear(function);
        }
        return driver -> {
            of(driver, gpu).clear();
            if (gpu >= 0) {
                driver.gpu(gpu).unpin();
            }
        };
    }

    static Consumer<SimulatedDriver> missing(StepKeys keys, Duration at) {
        if (keys.neededText("function").isEmpty()) {
            return driver -> {};
        }
        String function = keys.function();
        if (function.equals(Faults.ALL)) {
            keys.mistake("function", "do: missing needs the name of one function");
        }
        if (!at.isZero()) {
            keys.mistake("at", "a function does not vanish from a loaded library, so do: missing needs at: 0s");
        }
        return driver -> driver.remove(function);
    }
}
