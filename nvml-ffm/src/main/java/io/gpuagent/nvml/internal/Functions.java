// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.internal;

import io.gpuagent.nvml.NvmlFunction;
import io.gpuagent.nvml.SymbolSource;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;

/** Where a library has its functions; each is looked up when it is first called, and once. */
final class Functions {
    private final SymbolSource symbols;
    // Replaced by a copy when one is added, so that no call takes a lock to read it.
    private volatile Map<NvmlFunction, Entry> entries = new EnumMap<>(NvmlFunction.class);

    Functions(SymbolSource symbols) {
        this.symbols = symbols;
    }

    /**
     * A function of the library.
     *
     * @param shape its signature
     * @param address where it is; NULL where the library lacks it
     */
    record Entry(Shape shape, MemorySegment address) {
        boolean isMissing() {
            return address.address() == 0;
        }
    }

    Entry get(NvmlFunction function) {
        Entry known = entries.get(function);
        return known == null ? lookUp(function) : known;
    }

    private synchronized Entry lookUp(NvmlFunction function) {
        Entry entry = entries.get(function);
        if (entry == null) {
            entry = new Entry(Shape.of(function), find(function));
            Map<NvmlFunction, Entry> more = new EnumMap<>(entries);
            more.put(function, entry);
            entries = more;
        }
        return entry;
    }

    private MemorySegment find(NvmlFunction function) {
        for (String candidate : function.candidates()) {
            OptionalLong address = symbols.address(candidate);
            if (address.isPresent()) {
                return MemorySegment.ofAddress(address.getAsLong());
            }
        }
        return MemorySegment.NULL;
    }
}
