// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
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
 * @param answers what functions answer
 * @param fields what field ids answer
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
        Map<String, CannedAnswer> answers,
        Map<Integer, FieldDescription> fields) {
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
        static DriverVersions parse(JsonTree tree) {
            return new DriverVersions(tree.text("version"), tree.text("nvml"), tree.smallInteger("cuda"));
        }
    }

    static Description parse(JsonTree tree) {
        Map<String, CannedAnswer> answers = new LinkedHashMap<>();
        JsonTree listed = tree.object("answers");
        for (String function : listed.members().keySet()) {
            if (!Abi.get().functions().containsKey(function)) {
                throw new IllegalArgumentException(listed.place() + "." + function + " is not a function of nvml.h");
            }
            answers.put(function, CannedAnswer.parse(listed.object(function)));
        }
        Map<Integer, FieldDescription> fields = new LinkedHashMap<>();
        for (Object entry : tree.list("fields")) {
            FieldDescription field = FieldDescription.parse((JsonTree) entry);
            fields.put(field.id(), field);
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
                Map.copyOf(answers),
                Map.copyOf(fields));
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
                answers,
                fields);
    }

    private static Set<String> texts(JsonTree tree, String key) {
        Set<String> texts = new HashSet<>();
        for (Object text : tree.list(key)) {
            texts.add((String) text);
        }
        return texts;
    }
}
