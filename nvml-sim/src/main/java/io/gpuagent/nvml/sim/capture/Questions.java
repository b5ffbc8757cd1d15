// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim.capture;

import io.gpuagent.nvml.sim.Abi;
import io.gpuagent.nvml.sim.CFunction;
import io.gpuagent.nvml.sim.CStruct;
import io.gpuagent.nvml.sim.StructTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Makes the questions of a list's entries: all values in all combinations, each in all versions of its struct. */
final class Questions {
    private static final StructTable STRUCTS = Abi.get().structs();

    private final List<CapturedObject> gpus;
    private final Identifiers identifiers;
    /** What functions have answered, by {@code function.parameter.field}: other questions are made of it. */
    private final Map<String, Set<Long>> answered = new LinkedHashMap<>();

    Questions(List<CapturedObject> gpus, Identifiers identifiers) {
        this.gpus = gpus;
        this.identifiers = identifiers;
    }

    List<Question> of(CaptureEntry entry, CapturedObject object) {
        List<Map<String, Long>> combinations = List.of(Map.of());
        for (Map.Entry<String, CaptureEntry.Values> input : entry.inputs().entrySet()) {
            List<Map<String, Long>> longer = new ArrayList<>();
            for (Map<String, Long> combination : combinations) {
                for (long value : values(input.getKey(), input.getValue())) {
                    Map<String, Long> more = new LinkedHashMap<>(combination);
                    more.put(input.getKey(), value);
                    longer.add(more);
                }
            }
            combinations = longer;
        }
        List<Question> questions = new ArrayList<>();
        for (Map<String, Long> inputs : combinations) {
            questions.addAll(versions(entry, object, inputs));
        }
        return questions;
    }

    private Collection<Long> values(String input, CaptureEntry.Values values) {
        return switch (values) {
            case CaptureEntry.Values.Fixed fixed -> fixed.values();
            case CaptureEntry.Values.Answered other ->
                answered.getOrDefault(other.where(), Set.of()).stream()
                        .map(told -> identifiers.original(input, told))
                        .toList();
            case CaptureEntry.Values.Gpus _ ->
                gpus.stream().map(CapturedObject::handle).toList();
        };
    }

    private static List<Question> versions(CaptureEntry entry, CapturedObject object, Map<String, Long> inputs) {
        Map<String, CStruct> structs = new LinkedHashMap<>();
        Map<String, Integer> words = new LinkedHashMap<>();
        SortedMap<Integer, CStruct> family = new TreeMap<>();
        String versioned = "";
        for (CFunction.Parameter parameter : entry.function().parameters()) {
            if (!parameter.isOutput()
                    || !STRUCTS.has(parameter.type())
                    || entry.lengths().containsKey(parameter.name())) {
                continue;
            }
            CStruct declared = STRUCTS.get(parameter.type());
            structs.put(parameter.name(), declared);
            if (!declared.isVersioned() || inputs.containsKey(parameter.name() + ".version")) {
                continue;
            }
            SortedMap<Integer, CStruct> known = STRUCTS.versions(declared);
            if (!known.isEmpty()) {
                words.put(parameter.name(), known.firstKey());
                structs.put(parameter.name(), known.get(known.firstKey()));
                versioned = parameter.name();
                family = known;
            }
        }
        if (versioned.isEmpty()) {
            return List.of(new Question(entry, object, inputs, structs, words));
        }
        List<Question> questions = new ArrayList<>();
        for (Map.Entry<Integer, CStruct> version : family.entrySet()) {
            Map<String, CStruct> structsOfVersion = new LinkedHashMap<>(structs);
            Map<String, Integer> wordsOfVersion = new LinkedHashMap<>(words);
            structsOfVersion.put(versioned, version.getValue());
            wordsOfVersion.put(versioned, version.getKey());
            questions.add(new Question(entry, object, inputs, structsOfVersion, wordsOfVersion));
        }
        return questions;
    }

    /** Keeps the numbers of an answer for the questions that are made of them. */
    void note(String function, Map<String, Object> out) {
        out.forEach((key, value) -> {
            int bracket = key.indexOf('[');
            noteValue(function + "." + (bracket < 0 ? key : key.substring(0, bracket)), value);
        });
    }

    private void noteValue(String where, Object value) {
        switch (value) {
            case Number number ->
                answered.computeIfAbsent(where, key -> new LinkedHashSet<>()).add(number.longValue());
            case List<?> items -> items.forEach(item -> noteValue(where, item));
            case Map<?, ?> fields -> fields.forEach((field, inner) -> noteValue(where + "." + field, inner));
            default -> {
                // Texts and objects are never asked about.
            }
        }
    }
}
