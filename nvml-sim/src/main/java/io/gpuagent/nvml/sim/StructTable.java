// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All structs of {@code nvml.h} and their version words, from {@code nvml-structs.json}. */
public final class StructTable {
    private final Map<String, CStruct> structs = new LinkedHashMap<>();
    /** By version word, for the structs that start with one. */
    private final Map<String, Map<Integer, CStruct>> versions = new LinkedHashMap<>();

    StructTable(JsonTree facts) {
        JsonTree listed = facts.object("structs");
        for (String name : listed.members().keySet()) {
            JsonTree entry = listed.object(name);
            structs.put(name, entry.has("same") ? get(entry.text("same")) : struct(name, entry));
        }
        JsonTree words = facts.object("versions");
        for (String macro : words.members().keySet()) {
            @Nullable CStruct struct = structs.get(macro + "_t");
            if (struct != null && struct.isVersioned()) {
                versions.computeIfAbsent(family(struct.name()), family -> new LinkedHashMap<>())
                        .put((int) words.integer(macro), struct);
            }
        }
    }

    private static CStruct struct(String name, JsonTree entry) {
        Map<String, CStruct.Field> fields = new LinkedHashMap<>();
        JsonTree listed = entry.object("fields");
        for (String field : listed.members().keySet()) {
            JsonTree figures = listed.object(field);
            long count = figures.has("count") ? figures.integer("count") : 1;
            fields.put(
                    field,
                    new CStruct.Field(figures.integer("offset"), figures.integer("size"), count, figures.text("type")));
        }
        return new CStruct(name, entry.integer("size"), fields);
    }

    /**
     * Whether there is such a struct.
     *
     * @param name its typedef
     * @return true for a struct or union of the header
     */
    public boolean has(String name) {
        return structs.containsKey(name);
    }

    /**
     * A struct.
     *
     * @param name its typedef
     * @return the struct; a second name of another one gives that
     */
    public CStruct get(String name) {
        @Nullable CStruct struct = structs.get(name);
        if (struct == null) {
            throw new IllegalArgumentException("nvml.h has no struct " + name);
        }
        return struct;
    }

    /**
     * The struct that a caller means, by the version word it has put in.
     *
     * @param declared the struct that the function declares
     * @param word the word
     * @return a struct of the same family; the declared one where the header gives the family no version words
     * @throws Refusal with ARGUMENT_VERSION_MISMATCH where no struct of the family has this word
     */
    CStruct byVersion(CStruct declared, int word) {
        @Nullable Map<Integer, CStruct> family = versions.get(family(declared.name()));
        if (family == null) {
            return declared;
        }
        @Nullable CStruct struct = family.get(word);
        if (struct == null) {
            throw new Refusal(Code.ARGUMENT_VERSION_MISMATCH);
        }
        return struct;
    }

    /**
     * The versions that a caller can ask for where a struct is declared.
     *
     * @param declared the struct that the function declares
     * @return by version word, newest first; empty where the header gives no words
     */
    public SortedMap<Integer, CStruct> versions(CStruct declared) {
        SortedMap<Integer, CStruct> newestFirst = new TreeMap<>(
                Comparator.comparingInt((Integer word) -> word >>> 24).reversed());
        newestFirst.putAll(versions.getOrDefault(family(declared.name()), Map.of()));
        return newestFirst;
    }

    /** {@code nvmlGpuFabricInfo_v3_t} and {@code nvmlGpuFabricInfo_v2_t} are one family. */
    private static String family(String name) {
        return name.replaceFirst("(_v\\d+)?_t$", "");
    }
}
