// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.direct;

import io.gpuagent.mig.apply.NvmlSource;
import io.gpuagent.nvml.Access;
import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.CallObserver;
import io.gpuagent.nvml.Nvml;
import io.gpuagent.nvml.NvmlFunction;
import io.gpuagent.nvml.NvmlLibrary;
import io.gpuagent.nvml.NvmlReturn;
import io.gpuagent.nvml.SymbolSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Sessions that may change something, each over a library of its own, which is unloaded behind it: one that stayed would
 * keep an old driver's version in this process.
 */
public final class NvmlSessions implements NvmlSource {
    // nvml.h, NVML_ERROR_LIBRARY_NOT_FOUND
    private static final NvmlReturn LIBRARY_NOT_FOUND = new NvmlReturn(12);

    private final Library library;
    private final CallObserver observer;
    private final LongSupplier nanos;
    private final Map<Nvml, SymbolSource> open = new ConcurrentHashMap<>();

    /** Where NVML's functions come from. */
    @FunctionalInterface
    public interface Library {
        /**
         * Opens it; an {@link NvmlLibrary} is closed again behind the session.
         *
         * @return the functions
         * @throws NvmlLibrary.NotFound where no driver is installed
         */
        SymbolSource open() throws NvmlLibrary.NotFound;
    }

    /**
     * Sessions of one machine.
     *
     * @param library opens NVML
     * @param observer sees each call
     * @param nanos measures how long calls take
     */
    public NvmlSessions(Library library, CallObserver observer, LongSupplier nanos) {
        this.library = library;
        this.observer = observer;
        this.nanos = nanos;
    }

    @Override
    public Answer<Nvml> open() {
        SymbolSource symbols;
        try {
            symbols = library.open();
        } catch (NvmlLibrary.NotFound noDriver) {
            return new Answer.Refused<>(NvmlFunction.nvmlInit_v2, LIBRARY_NOT_FOUND);
        }
        Answer<Nvml> opened = Nvml.open(symbols, observer, nanos, Access.CONTROL);
        opened.value().ifPresentOrElse(session -> open.put(session, symbols), () -> unload(symbols));
        return opened;
    }

    @Override
    public void closed(Nvml session) {
        SymbolSource symbols = open.remove(session);
        if (symbols != null) {
            unload(symbols);
        }
    }

    private static void unload(SymbolSource symbols) {
        if (symbols instanceof NvmlLibrary loaded) {
            loaded.close();
        }
    }
}
