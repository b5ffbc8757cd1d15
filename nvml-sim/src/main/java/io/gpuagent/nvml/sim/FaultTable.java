// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Faults of one kind, by function; a function has one of each kind at a time, and so have all functions together. */
final class FaultTable<T> {
    private final Map<String, Fault<T>> faults = new ConcurrentHashMap<>();
    private final Consumer<T> end;

    /**
     * A table.
     *
     * @param end what is to be done with a fault that is replaced, taken away or cleared
     */
    FaultTable(Consumer<T> end) {
        this.end = end;
    }

    void put(String function, T what, Turns turns) {
        ended(faults.put(known(function), new Fault<>(what, turns)));
    }

    void remove(String function) {
        ended(faults.remove(known(function)));
    }

    void clear() {
        faults.values().forEach(fault -> end.accept(fault.what()));
        faults.clear();
    }

    private void ended(@Nullable Fault<T> fault) {
        if (fault != null) {
            end.accept(fault.what());
        }
    }

    /** What meets this call: of the function itself before that of all functions. Counts the call for both. */
    Optional<T> met(String function) {
        Optional<T> own = one(function);
        Optional<T> ofAll = one(Faults.ALL);
        return own.or(() -> ofAll);
    }

    private Optional<T> one(String function) {
        @Nullable Fault<T> fault = faults.get(function);
        if (fault == null) {
            return Optional.empty();
        }
        long call = fault.count();
        if (fault.turns().isOver(call)) {
            faults.remove(function, fault);
        }
        return fault.turns().meets(call) ? Optional.of(fault.what()) : Optional.empty();
    }

    /** What meets every call of every function. */
    Optional<T> always() {
        @Nullable Fault<T> fault = faults.get(Faults.ALL);
        return fault != null && fault.turns().equals(Turns.ALL) ? Optional.of(fault.what()) : Optional.empty();
    }

    private static String known(String function) {
        if (!Faults.isKnown(function)) {
            throw new IllegalArgumentException(function + " is not a function of nvml.h");
        }
        return function;
    }
}
