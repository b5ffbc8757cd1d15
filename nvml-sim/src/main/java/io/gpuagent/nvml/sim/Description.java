// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A GPU and the driver that runs it, as a JSON description gives them.
 *
 * @param name what the profile is called
 * @param driver versions of the driver
 * @param hardware the figures that moving readings stay within
 * @param idle the readings with nothing to do
 * @param busy the readings with all units at work
 * @param energyMillijoules what the energy counter stood at
 * @param missing functions that the driver does not export
 * @param fieldLimit the first field id that the driver does not know
 * @param processRecord the struct in which the newest lists of processes are given
 * @param profileKinds how many kinds of MIG profiles the driver knows
 * @param unknownStructs structs, or versions of them, that the driver does not know
 * @param mig how the card can be cut up; null where it cannot
 * @param links how several of these cards are linked to each other; null where they are not
 * @param answers what functions answer
 * @param fields what field ids answer
 * @param recording what was captured; null for a card that was described by hand
 * @param isReplay whether nothing moves: all GPUs answer as they were captured
 */
record Description(
        String name,
        DriverVersions driver,
        Hardware hardware,
        OperatingPoint idle,
        OperatingPoint busy,
        long energyMillijoules,
        Set<String> missing,
        int fieldLimit,
        String processRecord,
        int profileKinds,
        Set<String> unknownStructs,
        @Nullable MigDescription mig,
        @Nullable LinkDescription links,
        Map<String, CannedAnswer> answers,
        Map<Integer, FieldDescription> fields,
        @Nullable Recording recording,
        boolean isReplay) {
    /** Of captures; an older build refuses a newer one. */
    static final int FORMAT = 1;

    /** NVML_GPU_INSTANCE_PROFILE_COUNT of the header that the simulator is made from. */
    private static final int NEWEST_PROFILE_KINDS = 17;

    /**
     * Versions of a driver.
     *
     * @param driver of the driver
     * @param nvml of the library
     * @param cuda what CUDA it supports, 1000 times the major plus 10 times the minor version
     */
    record DriverVersions(String driver, String nvml, int cuda) {
        static final DriverVersions UNKNOWN = new DriverVersions("", "", 0);

        static DriverVersions parse(JsonTree tree) {
            return new DriverVersions(tree.text("version"), tree.text("nvml"), tree.smallInteger("cuda"));
        }
    }

    /**
     * Reads a description. One with {@code objects} is a capture; it is replayed as it is, unless somebody has added
     * {@code hardware}, {@code idle} and {@code busy} to it: then those move its first GPU.
     */
    static Description parse(JsonTree tree) {
        if (!tree.has("objects")) {
            return described(tree, null);
        }
        Recording recording = Recording.parse(tree.object("objects"));
        return tree.has("hardware") ? described(tree, recording) : captured(tree, recording);
    }

    private static Description captured(JsonTree tree, Recording recording) {
        if (tree.smallInteger("format") != FORMAT) {
            throw new IllegalArgumentException(tree.place() + "format " + tree.integer("format")
                    + " is newer than this build, which reads " + FORMAT);
        }
        OperatingPoint still = new OperatingPoint(0, 0, 0, 0, 0, 0);
        return new Description(
                tree.text("name"),
                tree.has("driver") ? DriverVersions.parse(tree.object("driver")) : DriverVersions.UNKNOWN,
                Hardware.UNKNOWN,
                still,
                still,
                0,
                texts(tree, "missing"),
                Integer.MAX_VALUE,
                "nvmlProcessInfo_v2_t",
                NEWEST_PROFILE_KINDS,
                Set.of(),
                null,
                null,
                Map.of(),
                Map.of(),
                recording,
                true);
    }

    private static Description described(JsonTree tree, @Nullable Recording recording) {
        Map<String, CannedAnswer> answers = recording == null
                ? new LinkedHashMap<>()
                : recording.object(Recording.gpu(0)).plainAnswers();
        answers.putAll(answers(tree));
        Map<Integer, FieldDescription> fields = new LinkedHashMap<>();
        if (recording != null) {
            recording.object(Recording.gpu(0)).fields().forEach((key, field) -> {
                if (key == field.id()) {
                    fields.put(field.id(), field);
                }
            });
        }
        if (tree.has("fields") || recording == null) {
            for (JsonTree entry : tree.objects("fields")) {
                FieldDescription field = FieldDescription.parse(entry);
                fields.put(field.id(), field);
            }
        }
        return new Description(
                tree.text("name"),
                DriverVersions.parse(tree.object("driver")),
                Hardware.parse(tree.object("hardware")),
                OperatingPoint.parse(tree.object("idle")),
                OperatingPoint.parse(tree.object("busy")),
                tree.object("idle").integer("energy-mj"),
                texts(tree, "missing"),
                Integer.MAX_VALUE,
                "nvmlProcessInfo_v2_t",
                NEWEST_PROFILE_KINDS,
                Set.of(),
                tree.has("mig") ? MigDescription.parse(tree.object("mig")) : null,
                tree.has("nvlink") ? LinkDescription.parse(tree.object("nvlink")) : null,
                Map.copyOf(answers),
                Map.copyOf(fields),
                recording,
                false);
    }

    private static Map<String, CannedAnswer> answers(JsonTree tree) {
        Map<String, CannedAnswer> answers = new LinkedHashMap<>();
        if (!tree.has("answers") && tree.has("objects")) {
            return answers;
        }
        JsonTree listed = tree.object("answers");
        for (String function : listed.members().keySet()) {
            if (!Abi.get().functions().containsKey(function)) {
                throw new IllegalArgumentException(listed.place() + "." + function + " is not a function of nvml.h");
            }
            answers.put(function, CannedAnswer.parse(listed.object(function)));
        }
        return answers;
    }

    /** What a field id answers in a scope, such as a link; null where the driver does not know it. */
    @Nullable
    FieldDescription field(int id, int scope) {
        @Nullable
        FieldDescription scoped = recording == null || scope == 0
                ? null
                : recording.object(Recording.gpu(0)).fields().get(RecordedObject.fieldKey(id, scope));
        return scoped == null ? fields.get(id) : scoped;
    }

    /**
     * The same card under another driver.
     *
     * @param older what that driver lacks
     * @return this description without it
     */
    Description under(JsonTree older) {
        Set<String> lacks = new HashSet<>(missing);
        lacks.addAll(texts(older, "missing"));
        return new Description(
                name.replaceFirst("@.*", "") + "@" + older.text("name"),
                DriverVersions.parse(older.object("driver")),
                hardware,
                idle,
                busy,
                energyMillijoules,
                lacks,
                older.has("field-limit") ? older.smallInteger("field-limit") : fieldLimit,
                older.has("process-record") ? older.text("process-record") : processRecord,
                older.has("profile-kinds") ? older.smallInteger("profile-kinds") : profileKinds,
                older.has("unknown-structs") ? texts(older, "unknown-structs") : unknownStructs,
                mig,
                links,
                answers,
                fields,
                recording,
                isReplay);
    }

    /**
     * A number that a function answers, where it is always the same.
     *
     * @param function C name
     * @param inputs the values of its integer parameters
     * @return empty where it refuses, or says something else
     */
    OptionalInt figure(String function, int... inputs) {
        return figure(function, 0, inputs);
    }

    /** The same, of one of several numbers that it answers. */
    OptionalInt figure(String function, int which, int[] inputs) {
        @Nullable CannedAnswer answer = answers.get(function);
        if (answer == null) {
            return recorded(function, which, inputs);
        }
        if (answer.content() instanceof CannedAnswer.Cases cases) {
            String key = IntStream.of(inputs).mapToObj(Integer::toString).collect(Collectors.joining(","));
            answer = cases.cases().getOrDefault(key, cases.otherwise());
        }
        return answer.content() instanceof CannedAnswer.Values values
                        && values.values().get(which) instanceof Long number
                ? OptionalInt.of(number.intValue())
                : OptionalInt.empty();
    }

    private OptionalInt recorded(String function, int which, int[] inputs) {
        @Nullable CFunction called = Abi.get().functions().get(function);
        if (recording == null || called == null) {
            return OptionalInt.empty();
        }
        List<Object> asked =
                IntStream.of(inputs).mapToObj(input -> (Object) (long) input).toList();
        List<CFunction.Parameter> outputs = called.parameters().stream()
                .filter(CFunction.Parameter::isOutput)
                .toList();
        return recording.object(Recording.gpu(0)).calls().getOrDefault(function, List.of()).stream()
                .filter(call -> call.code() == Code.SUCCESS
                        && List.copyOf(call.in().values()).equals(asked))
                .map(call -> call.out().get(outputs.get(which).name()))
                .filter(Long.class::isInstance)
                .mapToInt(number -> ((Long) number).intValue())
                .findFirst();
    }

    /** The list of numbers that a function answers without a question; empty where it gives none. */
    List<Long> figures(String function) {
        @Nullable CannedAnswer answer = answers.get(function);
        if (answer != null) {
            return answer.content() instanceof CannedAnswer.Items items ? items.items() : List.of();
        }
        return recording == null
                ? List.of()
                : recording.object(Recording.gpu(0)).calls().getOrDefault(function, List.of()).stream()
                        .flatMap(call -> call.out().values().stream())
                        .filter(List.class::isInstance)
                        .flatMap(list -> ((List<?>) list).stream())
                        .filter(Long.class::isInstance)
                        .map(Long.class::cast)
                        .toList();
    }

    private static Set<String> texts(JsonTree tree, String key) {
        return new HashSet<>(tree.texts(key));
    }
}
