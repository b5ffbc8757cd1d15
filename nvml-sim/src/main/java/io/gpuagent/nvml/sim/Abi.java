// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import io.gpuagent.nvml.SymbolSource;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The functions and structs of {@code nvml.h}, from the facts that the binding's jar carries.
 *
 * @param functions by C name
 * @param structs all structs
 */
public record Abi(Map<String, CFunction> functions, StructTable structs) {
    /** Read once: a thousand lines of JSON, the same for every simulated driver. */
    private static final class Loaded {
        static final Abi ABI = load();
    }

    /**
     * The facts.
     *
     * @return always the same
     */
    public static Abi get() {
        return Loaded.ABI;
    }

    private static Abi load() {
        Map<String, CFunction> functions = new LinkedHashMap<>();
        JsonTree facts = read("nvml-functions.json");
        for (String name : facts.members().keySet()) {
            functions.put(name, CFunction.parse(name, facts.object(name)));
        }
        return new Abi(Map.copyOf(functions), new StructTable(read("nvml-structs.json")));
    }

    private static JsonTree read(String name) {
        try (InputStream in = SymbolSource.class.getResourceAsStream("abi/" + name)) {
            if (in == null) {
                throw new IllegalStateException("the NVML binding on the class path lacks abi/" + name);
            }
            return JsonTree.read(name, in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
