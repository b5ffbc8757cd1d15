// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A function of {@code nvml.h}.
 *
 * @param name its C name
 * @param kinds one letter per parameter: P pointer or handle, I 32 bits, L 64 bits
 * @param returns I for {@code nvmlReturn_t}, P for a string
 * @param parameters its parameters
 */
public record CFunction(String name, String kinds, char returns, List<Parameter> parameters) {
    private static final Set<String> HANDLES = Set.of("nvmlDevice_t", "nvmlGpuInstance_t", "nvmlComputeInstance_t");

    /**
     * A parameter.
     *
     * @param index its place
     * @param type its C type without {@code *} and {@code const}
     * @param name its C name
     * @param isPointer whether it points to the caller's memory
     * @param isConst whether that memory is only read
     */
    public record Parameter(int index, String type, String name, boolean isPointer, boolean isConst) {
        static Parameter parse(int index, String declaration) {
            boolean isConst = declaration.startsWith("const ");
            boolean isPointer = declaration.contains("*") || declaration.contains("[");
            String plain = declaration.replaceAll("const |\\*|\\[.*]", " ").strip();
            int space = plain.lastIndexOf(' ');
            return new Parameter(
                    index, plain.substring(0, space).strip(), plain.substring(space + 1), isPointer, isConst);
        }

        /**
         * Whether it is a handle, or points to where one is given.
         *
         * @return true for a device and for the instances of MIG
         */
        public boolean isHandle() {
            return HANDLES.contains(type);
        }

        /**
         * Whether the function writes to it.
         *
         * @return true for a pointer to what is not const
         */
        public boolean isOutput() {
            return isPointer && !isConst;
        }
    }

    /**
     * Finds a parameter.
     *
     * @param parameter its C name
     * @return its place
     */
    public int index(String parameter) {
        for (Parameter candidate : parameters) {
            if (candidate.name().equals(parameter)) {
                return candidate.index();
            }
        }
        throw new IllegalArgumentException(name + " has no parameter " + parameter);
    }

    static CFunction parse(String name, JsonTree facts) {
        List<Parameter> parameters = new ArrayList<>();
        String declared = facts.text("parameters");
        if (!declared.equals("void")) {
            for (String declaration : declared.split(",", -1)) {
                parameters.add(Parameter.parse(parameters.size(), declaration.strip()));
            }
        }
        return new CFunction(name, facts.text("kinds"), facts.text("returns").charAt(0), List.copyOf(parameters));
    }

    boolean asksDevice() {
        return takesFirst("nvmlDevice_t");
    }

    /** What the handle stands for that is its first argument; null where that is no handle of a GPU or an instance. */
    @Nullable
    Class<?> asked() {
        return asksDevice()
                ? SimulatedGpu.class
                : takesFirst("nvmlGpuInstance_t")
                        ? MigGpuInstance.class
                        : takesFirst("nvmlComputeInstance_t") ? MigComputeInstance.class : null;
    }

    private boolean takesFirst(String type) {
        return !parameters.isEmpty()
                && parameters.getFirst().type().equals(type)
                && !parameters.getFirst().isPointer();
    }

    /**
     * Whether a parameter gives the length of the text buffer before it.
     *
     * @param index its place
     * @return true for the length of a buffer
     */
    public boolean isBufferLength(int index) {
        return index > 0
                && kinds.charAt(index) == 'I'
                && parameters.get(index - 1).type().equals("char")
                && parameters.get(index - 1).isOutput();
    }
}
