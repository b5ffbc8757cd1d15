// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
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

    /**
     * What functions answered that ask for nothing but numbers, and answer nothing but numbers and texts: in the form of a
     * description, for those who need to look something up.
     */
    Map<String, CannedAnswer> plainAnswers() {
        Map<String, CannedAnswer> answers = new LinkedHashMap<>();
        calls.forEach((name, questions) -> {
            CFunction function = Objects.requireNonNull(Abi.get().functions().get(name));
            if (questions.stream().allMatch(call -> isPlain(function, call))) {
                answers.put(name, plain(function, questions));
            }
            numbers(function, questions)
                    .ifPresent(items -> answers.put(
                            name,
                            new CannedAnswer(
                                    new CannedAnswer.Items(items),
                                    questions.getFirst().micros())));
        });
        return answers;
    }

    /** A list of numbers, behind the parameter that tells its length. */
    private static Optional<List<Long>> numbers(CFunction function, List<RecordedCall> questions) {
        RecordedCall only = questions.getFirst();
        if (!only.in().isEmpty() || only.out().size() != 1) {
            return Optional.empty();
        }
        Map.Entry<String, Object> out = only.out().entrySet().iterator().next();
        boolean isList =
                out.getValue() instanceof List<?> items && items.stream().allMatch(Long.class::isInstance);
        String length = function.parameters().size() < 3
                ? ""
                : function.parameters().get(1).name();
        return isList
                        && out.getKey().endsWith("[" + length + "]")
                        && function.kinds().startsWith("PPP")
                ? Optional.of(((List<?>) out.getValue())
                        .stream().map(Long.class::cast).toList())
                : Optional.empty();
    }

    private static boolean isPlain(CFunction function, RecordedCall call) {
        boolean asksNumbers = call.in().keySet().equals(asked(function).keySet())
                && call.in().values().stream().allMatch(Long.class::isInstance);
        boolean answersPlainly = call.out().entrySet().stream()
                .allMatch(out -> out.getValue() instanceof Long
                        || (out.getValue() instanceof String && isText(function, out.getKey())));
        return asksNumbers && answersPlainly && !call.isHung();
    }

    private static boolean isText(CFunction function, String parameter) {
        return function.parameters().get(function.index(parameter)).type().equals("char");
    }

    /** The integer parameters of a function but for lengths of buffers, by name, in their order. */
    private static Map<String, Integer> asked(CFunction function) {
        Map<String, Integer> asked = new LinkedHashMap<>();
        for (int i = 0; i < function.kinds().length(); i++) {
            if (function.kinds().charAt(i) == 'I' && !function.isBufferLength(i)) {
                asked.put(function.parameters().get(i).name(), i);
            }
        }
        return asked;
    }

    private static CannedAnswer plain(CFunction function, List<RecordedCall> questions) {
        Map<String, Integer> asked = asked(function);
        if (asked.isEmpty()) {
            return plain(function, questions.getFirst());
        }
        Map<String, CannedAnswer> cases = new LinkedHashMap<>();
        for (RecordedCall call : questions) {
            String inputs = asked.keySet().stream()
                    .map(name -> String.valueOf(call.in().get(name)))
                    .collect(Collectors.joining(","));
            cases.put(inputs, plain(function, call));
        }
        CannedAnswer otherwise = new CannedAnswer(new CannedAnswer.Refused(Code.INVALID_ARGUMENT), 0);
        return new CannedAnswer(new CannedAnswer.Cases(cases, otherwise), 0);
    }

    private static CannedAnswer plain(CFunction function, RecordedCall call) {
        if (call.code() != Code.SUCCESS || call.out().isEmpty()) {
            return new CannedAnswer(new CannedAnswer.Refused(call.code()), call.micros());
        }
        List<Object> values = call.out().entrySet().stream()
                .sorted(Comparator.comparingInt(out -> function.index(out.getKey())))
                .<Object>map(Map.Entry::getValue)
                .toList();
        return new CannedAnswer(new CannedAnswer.Values(values), call.micros());
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
