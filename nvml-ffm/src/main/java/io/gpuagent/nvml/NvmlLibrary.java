// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The driver's library, libnvidia-ml.so.1. It is found by the loader's own search or in one of the folders where
 * distributions, containers and cloud images put it; {@link #path()} says which file was taken.
 */
public final class NvmlLibrary implements SymbolSource, AutoCloseable {
    private static final String NAME = "libnvidia-ml.so.1";

    /** Searched in this order when the loader does not find the library. */
    private static final List<String> FOLDERS = List.of(
            "/usr/lib/x86_64-linux-gnu",
            "/usr/lib/aarch64-linux-gnu",
            "/usr/lib64",
            "/usr/lib",
            "/usr/lib/x86_64-linux-gnu/nvidia/current",
            "/usr/lib64/nvidia",
            "/usr/lib/wsl/lib",
            "/usr/local/nvidia/lib64",
            "/usr/local/nvidia/lib",
            "/run/opengl-driver/lib",
            "/run/nvidia/driver/usr/lib/x86_64-linux-gnu",
            "/run/nvidia/driver/usr/lib64",
            "/home/kubernetes/bin/nvidia/lib64",
            "/opt/nvidia/lib64");

    private final Arena arena;
    private final SymbolLookup symbols;
    private final String path;

    private NvmlLibrary(Arena arena, SymbolLookup symbols, String path) {
        this.arena = arena;
        this.symbols = symbols;
        this.path = path;
    }

    /**
     * Opens the library.
     *
     * @param configured the one file to take, or empty to search
     * @return the library
     * @throws NotFound when no file could be loaded; the message says what was tried
     */
    public static NvmlLibrary open(Optional<Path> configured) throws NotFound {
        List<String> tried = new ArrayList<>();
        List<String> candidates = configured.map(Path::toString).map(List::of).orElseGet(NvmlLibrary::candidates);
        for (String candidate : candidates) {
            @SuppressWarnings("MustBeClosedChecker") // The library owns it, and close() closes it.
            Arena arena = Arena.ofShared();
            try {
                return new NvmlLibrary(arena, load(candidate, arena), loadedFrom(candidate));
            } catch (IllegalArgumentException e) {
                // The loader's only answer; its dlerror text is not handed on.
                arena.close();
                tried.add(candidate);
            }
        }
        throw new NotFound(tried);
    }

    private static List<String> candidates() {
        // A file that is not there need not be tried; one that is there and fails is worth telling.
        return Stream.concat(
                        Stream.of(NAME),
                        FOLDERS.stream().map(folder -> folder + "/" + NAME).filter(file -> Files.exists(Path.of(file))))
                .toList();
    }

    @SuppressWarnings("restricted") // The one place of this library that loads code.
    private static SymbolLookup load(String candidate, Arena arena) {
        return candidate.indexOf('/') < 0
                ? SymbolLookup.libraryLookup(candidate, arena)
                : SymbolLookup.libraryLookup(Path.of(candidate), arena);
    }

    /** The file behind a loaded library, from this process's own map; its name usually ends in the driver's version. */
    private static String loadedFrom(String candidate) {
        try (BufferedReader maps = Files.newBufferedReader(Path.of("/proc/self/maps"))) {
            for (String line = maps.readLine(); line != null; line = maps.readLine()) {
                if (line.contains("libnvidia-ml.so")) {
                    return line.substring(line.indexOf('/'));
                }
            }
            return candidate;
        } catch (IOException e) {
            return candidate;
        }
    }

    /**
     * The file that was loaded.
     *
     * @return its path, or the name where the path is not known
     */
    public String path() {
        return path;
    }

    @Override
    public OptionalLong address(String symbol) {
        return symbols.find(symbol)
                .map(found -> OptionalLong.of(found.address()))
                .orElse(OptionalLong.empty());
    }

    /**
     * Unloads the library, so that a newer one can be loaded after a driver upgrade. Only after {@link Nvml#close()} has
     * answered true: code of an unloaded library must not be running.
     */
    @Override
    public void close() {
        arena.close();
    }

    /** No library could be loaded. */
    public static final class NotFound extends Exception {
        private static final long serialVersionUID = 1L;

        private NotFound(List<String> tried) {
            super("could not load " + String.join(" or ", tried));
        }
    }
}
