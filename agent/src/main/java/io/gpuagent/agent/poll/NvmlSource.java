// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import io.gpuagent.nvml.NvmlLibrary;
import io.gpuagent.nvml.SymbolSource;
import java.nio.file.Path;
import java.util.Optional;

/** Where NVML comes from: opened before each attempt to initialise it, closed after it was shut down. */
public interface NvmlSource {
    /**
     * Opens it.
     *
     * @return its functions
     * @throws NvmlLibrary.NotFound when there is none
     */
    Opened open() throws NvmlLibrary.NotFound;

    /**
     * An open source.
     *
     * @param symbols its functions
     * @param description where it came from, for people: a file, or the simulation's name
     * @param close lets it go
     */
    record Opened(SymbolSource symbols, String description, Runnable close) {}

    /**
     * The driver's own library.
     *
     * @param configured the file to take, or empty to search for it
     * @return the source
     */
    static NvmlSource library(Optional<Path> configured) {
        return () -> {
            NvmlLibrary library = NvmlLibrary.open(configured);
            return new Opened(library, library.path(), library::close);
        };
    }

    /**
     * A source that outlives the sessions made with it, such as a simulation.
     *
     * @param symbols its functions
     * @param description what it is
     * @return the source
     */
    static NvmlSource lasting(SymbolSource symbols, String description) {
        return () -> new Opened(symbols, description, () -> {});
    }
}
