// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * To how many elements an answer was written where a parameter points to. nvml.h tells an array from a single value only
 * by the parameter beside it that gives its length.
 */
final class ArrayLength {
    private static final ArrayLength ONE = new ArrayLength(() -> 1);

    private final LongSupplier elements;

    private ArrayLength(LongSupplier elements) {
        this.elements = elements;
    }

    /** To be asked once the call has been answered. */
    long elements() {
        return elements.getAsLong();
    }

    /**
     * Finds it.
     *
     * @param call not answered yet
     * @param output a parameter that the function writes to
     */
    static ArrayLength of(Call call, CFunction.Parameter output) {
        List<CFunction.Parameter> all = call.function().parameters();
        int at = output.index();
        boolean isStruct = Abi.get().structs().has(output.type());
        // Four numbers, one of which is called a count.
        if (GarbageBytes.isCount(output.name()) || call.function().name().endsWith("Stats")) {
            return ONE;
        }
        for (int before = at - 1; before >= Math.max(0, at - 2); before--) {
            CFunction.Parameter length = all.get(before);
            if (isList(length)) {
                return told(call, before, Integer.toUnsignedLong(call.readInt(before)));
            }
            if (!length.isPointer() && before == at - 1 && isFixed(length)) {
                int fixed = before;
                return new ArrayLength(() -> call.integer(fixed));
            }
        }
        if (at + 1 < all.size()) {
            CFunction.Parameter length = all.get(at + 1);
            if (isStruct && isList(length)) {
                return told(call, at + 1, Long.MAX_VALUE);
            }
            if (!length.isPointer() && length.name().equals("size")) {
                return new ArrayLength(() -> call.integer(at + 1) / Integer.BYTES);
            }
        }
        return ONE;
    }

    /** A number that the answer has written, but never more than the caller said that there is room for. */
    private static ArrayLength told(Call call, int length, long room) {
        return new ArrayLength(
                () -> call.isNull(length) ? 0 : Math.min(room, Integer.toUnsignedLong(call.readInt(length))));
    }

    private static boolean isList(CFunction.Parameter length) {
        return length.isOutput() && length.type().equals("unsigned int") && GarbageBytes.isCount(length.name());
    }

    private static boolean isFixed(CFunction.Parameter length) {
        String name = length.name().toLowerCase(Locale.ROOT);
        return name.endsWith("count") || name.endsWith("setsize");
    }
}
