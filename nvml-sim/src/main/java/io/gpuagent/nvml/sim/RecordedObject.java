// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one object of a captured node answered: the node itself, a GPU, or an instance of MIG.
 *
 * @param calls by C function
 * @param fields what nvmlDeviceGetFieldValues answered, by {@link #fieldKey}
 */
record RecordedObject(Map<String, List<RecordedCall>> calls, Map<Long, FieldDescription> fields) {
    static final RecordedObject SILENT = new RecordedObject(Map.of(), Map.of());

    static RecordedObject parse(JsonTree tree) {
        Map<String, List<RecordedCall>> calls = new LinkedHashMap<>();
        JsonTree listed = tree.object("calls");
        for (String function : listed.members().keySet()) {
            if (!Abi.get().functions().containsKey(function)) {
                throw new IllegalArgumentException(listed.place() + "." + function + " is not a function of nvml.h");
            }
            List<RecordedCall> answers = new ArrayList<>();
            for (JsonTree answer : listed.objects(function)) {
                answers.add(RecordedCall.parse(answer));
            }
            calls.put(function, List.copyOf(answers));
        }
        Map<Long, FieldDescription> fields = new LinkedHashMap<>();
        if (tree.has("fields")) {
            for (JsonTree field : tree.objects("fields")) {
                int scope = field.has("scope") ? field.smallInteger("scope") : 0;
                FieldDescription description = FieldDescription.parse(field);
                fields.put(fieldKey(description.id(), scope), description);
            }
        }
        return new RecordedObject(calls, fields);
    }

    static long fieldKey(int id, int scope) {
        return (long) scope << 32 | id;
    }

    /** What functions answered that ask nothing but for numbers and texts, for those who need more than a copy of it. */
    Map<String, CannedAnswer> unquestioned() {
        Map<String, CannedAnswer> answers = new LinkedHashMap<>();
        calls.forEach((function, questions) -> {
            RecordedCall only = questions.getFirst();
            boolean isPlain = only.in().isEmpty()
                    && !only.isHung()
                    && only.code() == Code.SUCCESS
                    && !only.out().isEmpty()
                    && only.out().values().stream().allMatch(value -> value instanceof Long || value instanceof String);
            if (isPlain) {
                List<?> values = List.copyOf(only.out().values());
                answers.put(function, new CannedAnswer(new CannedAnswer.Values(values), only.micros()));
            }
        });
        return answers;
    }

    /** What a function without a question answered for one output parameter, where it was captured. */
    Optional<Object> output(String function, String parameter) {
        @Nullable List<RecordedCall> answers = calls.get(function);
        return answers == null || answers.isEmpty()
                ? Optional.empty()
                : Optional.ofNullable(answers.getFirst().out().get(parameter));
    }

    /** A number in a struct that a function without a question filled; 0 where it was not captured. */
    int number(String function, String parameter, String field) {
        return output(function, parameter)
                .filter(JsonTree.class::isInstance)
                .map(struct -> ((JsonTree) struct).members().getOrDefault(field, 0L))
                .filter(Long.class::isInstance)
                .map(value -> ((Long) value).intValue())
                .orElse(0);
    }
}
