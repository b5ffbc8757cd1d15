// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Turns the answer of one call into nonsense. It is made before the call is answered, while the caller's version words and
 * lengths are still there, and writes afterwards: only to what the answer was written to.
 */
final class Garbler {
    private static final Set<String> OPAQUE = Set.of(
            "nvmlDevice_t",
            "nvmlGpuInstance_t",
            "nvmlComputeInstance_t",
            "nvmlEventSet_t",
            "nvmlSystemEventSet_t",
            "nvmlGpmSample_t",
            "nvmlUnit_t");
    private static final Set<String> WIDE = Set.of("unsigned long long", "unsigned long");

    private final Call call;
    private final GarbageBytes bytes;
    private final List<Runnable> writes = new ArrayList<>();
    /** Lengths of arrays, which are needed until the arrays are done. */
    private final List<Runnable> lastWrites = new ArrayList<>();

    /**
     * Looks at where a call will write.
     *
     * @param call not answered yet
     * @param kind what nonsense
     * @param random for random bytes
     */
    Garbler(Call call, Garbage kind, RandomGenerator random) {
        this.call = call;
        this.bytes = new GarbageBytes(kind, random);
        for (CFunction.Parameter parameter : call.function().parameters()) {
            if (parameter.isOutput() && !OPAQUE.contains(parameter.type()) && !call.isNull(parameter.index())) {
                prepare(parameter);
            }
        }
    }

    /** Writes the nonsense over the answer. */
    void garble() {
        writes.forEach(Runnable::run);
        lastWrites.forEach(Runnable::run);
    }

    private void prepare(CFunction.Parameter parameter) {
        int at = parameter.index();
        ArrayLength length = ArrayLength.of(call, parameter);
        if (parameter.type().equals("char")) {
            // One function writes to as many bytes as nvml.h says and is told nothing; its text stays.
            if (at + 1 < call.function().parameters().size() && call.function().isBufferLength(at + 1)) {
                writes.add(() -> bytes.text(NativeMemory.at(call.handle(at), call.value(at + 1))));
            }
        } else if (Abi.get().structs().has(parameter.type())) {
            CStruct struct = call.layout(at);
            writes.add(() -> {
                for (long i = 0; i < length.elements(); i++) {
                    bytes.struct(NativeMemory.at(call.handle(at) + i * struct.size(), struct.size()), struct);
                }
            });
        } else {
            long size = WIDE.contains(parameter.type()) ? Long.BYTES : Integer.BYTES;
            boolean isCount = GarbageBytes.isCount(parameter.name());
            long room = isCount && size == Integer.BYTES ? Integer.toUnsignedLong(call.readInt(at)) : 0;
            (isCount ? lastWrites : writes).add(() -> {
                for (long i = 0; i < length.elements(); i++) {
                    bytes.number(NativeMemory.at(call.handle(at) + i * size, size), parameter.name(), room);
                }
            });
        }
    }
}
