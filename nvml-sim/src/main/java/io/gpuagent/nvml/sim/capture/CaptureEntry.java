// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim.capture;

import io.gpuagent.nvml.Effect;
import io.gpuagent.nvml.NvmlFunction;
import io.gpuagent.nvml.sim.Abi;
import io.gpuagent.nvml.sim.CFunction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A function and how it is asked.
 *
 * @param function the function, which only reads
 * @param inputs what is passed, by parameter or {@code parameter.field}
 * @param unasked names of inputs that are passed and are no part of the question
 * @param lengths by the name of an array, the parameter that gives its length
 */
record CaptureEntry(CFunction function, Map<String, Values> inputs, List<String> unasked, Map<String, String> lengths) {
    /** The verb of a name must be one of these, which is what keeps a function that changes anything out. */
    private static final Pattern READS = Pattern.compile(
            "nvml(System|Device|DeviceWorkloadPowerProfile|GpuInstance|ComputeInstance|Gpm)?(Get|Is|Query|OnSame)[A-Z].*");

    /** And none of its words may be one of these. */
    private static final Pattern CHANGES = Pattern.compile(
            ".*(Set|Create|Destroy|Reset|Clear|Remove|Modify|Freeze|Update|Activate|Register|Free|Alloc|Discover|Write"
                    + "|Validate|Inject|Wait|Init|Shutdown)([A-Z_0-9].*|$)");

    /** The values of an input. */
    sealed interface Values {
        /** Always these. */
        record Fixed(List<Long> values) implements Values {}

        /** What another function has answered on the same GPU, as {@code function.parameter.field}. */
        record Answered(String where) implements Values {}

        /** The handles of all GPUs. */
        record Gpus() implements Values {}
    }

    CaptureEntry {
        if (!onlyReads(function.name())) {
            throw new IllegalArgumentException(function.name() + " may change something and is never captured");
        }
        for (String array : lengths.keySet()) {
            function.index(array);
        }
        for (CFunction.Parameter parameter : function.parameters()) {
            boolean isGiven = parameter.isPointer()
                    ? parameter.isOutput()
                    : inputs.containsKey(parameter.name())
                            || (parameter.isHandle() && parameter.index() == 0)
                            || function.isBufferLength(parameter.index());
            if (!isGiven) {
                throw new IllegalArgumentException(function.name() + " lacks a value for " + parameter.name());
            }
        }
    }

    static boolean onlyReads(String name) {
        boolean isBoundAsChange = false;
        for (NvmlFunction bound : NvmlFunction.values()) {
            isBoundAsChange |= bound.name().equals(name) && bound.effect() == Effect.CHANGES;
        }
        return READS.matcher(name).matches() && !CHANGES.matcher(name).matches() && !isBoundAsChange;
    }

    static CaptureEntry parse(String line) {
        String[] words = line.split(" +", -1);
        @Nullable CFunction function = Abi.get().functions().get(words[0]);
        if (function == null) {
            throw new IllegalArgumentException(words[0] + " is not a function of nvml.h");
        }
        Map<String, Values> inputs = new LinkedHashMap<>();
        List<String> unasked = new ArrayList<>();
        Map<String, String> lengths = new LinkedHashMap<>();
        for (int i = 1; i < words.length; i++) {
            String word = words[i];
            int equals = word.indexOf('=');
            if (equals < 0) {
                int bracket = word.indexOf('[');
                lengths.put(word.substring(0, bracket), word.substring(bracket + 1, word.length() - 1));
                continue;
            }
            String name = word.substring(word.startsWith("~") ? 1 : 0, equals);
            if (word.startsWith("~")) {
                unasked.add(name);
            }
            function.index(name.indexOf('.') < 0 ? name : name.substring(0, name.indexOf('.')));
            inputs.put(name, values(word.substring(equals + 1)));
        }
        return new CaptureEntry(function, inputs, unasked, lengths);
    }

    private static Values values(String text) {
        if (text.equals("@gpus")) {
            return new Values.Gpus();
        }
        if (text.startsWith("@")) {
            return new Values.Answered(text.substring(1));
        }
        List<Long> values = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            int dots = part.indexOf("..");
            long first = Long.parseLong(dots < 0 ? part : part.substring(0, dots));
            long last = dots < 0 ? first : Long.parseLong(part.substring(dots + 2));
            for (long value = first; value <= last; value++) {
                values.add(value);
            }
        }
        return new Values.Fixed(List.copyOf(values));
    }
}
