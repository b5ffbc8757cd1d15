// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.DeviceLayouts.nvmlExcludedDeviceInfo_t;
import static io.gpuagent.nvml.internal.DeviceLayouts.nvmlUUID_v1_t;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.gpuagent.nvml.internal.Calls;
import io.gpuagent.nvml.internal.Handle;
import io.gpuagent.nvml.internal.Layouts;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Finds GPUs and MIG devices by other names than their indices. */
final class GpuSearch {
    /** NVML_UUID_TYPE_BINARY of nvmlUUIDType_t. */
    private static final int BINARY = 2;

    private final Calls calls;

    GpuSearch(Calls calls) {
        this.calls = calls;
    }

    /** By the C function that takes a name as text. */
    Answer<Gpu> byText(NvmlFunction function, String name) {
        Scratch scratch = Scratch.fresh();
        return find(function, text(name, scratch), scratch);
    }

    private static MemorySegment text(String name, Scratch scratch) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        MemorySegment argument = scratch.take(text.length + 1L);
        MemorySegment.copy(text, 0, argument, JAVA_BYTE, 0, text.length);
        return argument;
    }

    /** A MIG device by its UUID. */
    Answer<MigDevice> mig(String uuid) {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetHandleByUUID;
        Scratch scratch = Scratch.fresh();
        MemorySegment name = text(uuid, scratch);
        MemorySegment out = scratch.take(ADDRESS);
        int code = calls.call(function, name, out);
        return Queries.answer(function, code, out, o -> mig(function, o.get(ADDRESS, 0)));
    }

    private Answer<MigDevice> mig(NvmlFunction function, MemorySegment address) {
        Handle device = new Handle(calls, address, -1);
        if (!isMig(device)) {
            return Queries.refused(function, NvmlReturn.INVALID_ARGUMENT.code());
        }
        MemorySegment out = Scratch.fresh().take(ADDRESS);
        NvmlFunction parent = NvmlFunction.nvmlDeviceGetDeviceHandleFromMigDeviceHandle;
        int code = calls.call(parent, device, out);
        if (code != NvmlReturn.SUCCESS.code()) {
            return Queries.refused(parent, code);
        }
        Answer<Long> gpu = Queries.u32(new Handle(calls, out.get(ADDRESS, 0), -1), NvmlFunction.nvmlDeviceGetIndex);
        // nvml.h: of a MIG device, it is the index on its GPU.
        Answer<Long> index = Queries.u32(device, NvmlFunction.nvmlDeviceGetIndex);
        return gpu.value().isEmpty()
                ? gpu.map(_ -> new MigDevice(device, 0))
                : index.map(of ->
                        new MigDevice(new Handle(calls, address, gpu.orThrow().intValue()), of.intValue()));
    }

    private static boolean isMig(Handle device) {
        return new Identity(device)
                .uuid()
                .value()
                .filter(uuid -> uuid.startsWith("MIG-"))
                .isPresent();
    }

    Answer<Gpu> byUuid(UUID uuid) {
        Scratch scratch = Scratch.fresh();
        Struct argument = new Struct(nvmlUUID_v1_t, scratch.take(nvmlUUID_v1_t));
        argument.set("version", Layouts.version(nvmlUUID_v1_t, 1));
        argument.set("type", BINARY);
        argument.part("value")
                .asByteBuffer()
                .put(ByteBuffer.allocate(2 * Long.BYTES)
                        .putLong(uuid.getMostSignificantBits())
                        .putLong(uuid.getLeastSignificantBits())
                        .flip());
        return find(NvmlFunction.nvmlDeviceGetHandleByUUIDV, argument.memory(), scratch);
    }

    private Answer<Gpu> find(NvmlFunction function, MemorySegment name, Scratch scratch) {
        MemorySegment out = scratch.take(ADDRESS);
        int code = calls.call(function, name, out);
        return Queries.answer(function, code, out, o -> gpu(function, o.get(ADDRESS, 0)));
    }

    private Answer<Gpu> gpu(NvmlFunction function, MemorySegment address) {
        Handle device = new Handle(calls, address, -1);
        // A UUID may be a MIG device's; what NVML answers as its index would be taken for a GPU's.
        return isMig(device)
                ? Queries.refused(function, NvmlReturn.INVALID_ARGUMENT.code())
                : Queries.u32(device, NvmlFunction.nvmlDeviceGetIndex)
                        .map(index -> new Gpu(new Handle(calls, address, index.intValue())));
    }

    /** GPUs that the driver leaves alone. */
    Answer<List<ExcludedGpu>> excluded() {
        NvmlFunction function = NvmlFunction.nvmlGetExcludedDeviceCount;
        MemorySegment out = Scratch.fresh().take(JAVA_INT);
        int code = calls.call(function, out);
        return Queries.answer(function, code, out, count -> excluded(count.get(JAVA_INT, 0)));
    }

    private Answer<List<ExcludedGpu>> excluded(int count) {
        NvmlFunction function = NvmlFunction.nvmlGetExcludedDeviceInfoByIndex;
        List<ExcludedGpu> gpus = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Struct info = new Struct(nvmlExcludedDeviceInfo_t, Scratch.fresh().take(nvmlExcludedDeviceInfo_t));
            int code = calls.call(function, i, info.memory());
            if (code != NvmlReturn.SUCCESS.code()) {
                return Queries.refused(function, code);
            }
            gpus.add(new ExcludedGpu(Identity.PciInfo.of(info.part("pciInfo")), info.text("uuid")));
        }
        return new Answer.Value<>(List.copyOf(gpus));
    }
}
