// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import static io.gpuagent.exporters.MetricFamily.Type.COUNTER;
import static io.gpuagent.exporters.MetricFamily.Type.GAUGE;
import static io.gpuagent.exporters.MetricFamily.Type.INFO;

import io.gpuagent.exporters.MetricFamily.Group;
import io.gpuagent.exporters.MetricFamily.Samples;
import io.gpuagent.model.GpuProcess;
import io.gpuagent.model.GpuSnapshot;
import io.gpuagent.model.MemoryUse;
import io.gpuagent.model.ProcessType;
import io.gpuagent.model.ReadingKeys;
import io.gpuagent.model.mig.MigComputeView;
import io.gpuagent.model.mig.MigDeviceUse;
import io.gpuagent.model.mig.MigDeviceView;
import io.gpuagent.model.mig.MigInstanceView;
import io.gpuagent.model.mig.MigView;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A GPU that is cut up: its instances, what they use, and what still fits beside them. */
final class MigFamilies {
    private static final String INSTANCE = "gpu_instance_id";
    private static final String COMPUTE = "compute_instance_id";

    static final List<MetricFamily> ALL = List.of(
            family(
                            "gpu_mig_instance_info",
                            INFO,
                            "Which compute instances there are, and the place of their GPU instance in memory slices;"
                                    + " where a GPU instance has no compute instance yet, compute_instance_id, mig_uuid"
                                    + " and compute_profile are empty")
                    .label(INSTANCE)
                    .label(COMPUTE)
                    .label("mig_uuid")
                    .label("profile")
                    .label("compute_profile")
                    .label("placement_start")
                    .label("placement_size")
                    .source("nvmlDeviceGetGpuInstances, nvmlGpuInstanceGetInfo, nvmlGpuInstanceGetComputeInstances,"
                            + " nvmlComputeInstanceGetInfo_v2, nvmlDeviceGetMigDeviceHandleByIndex, nvmlDeviceGetUUID")
                    .values(ReadingKeys.MIG, MigFamilies::info)
                    .build(),
            family(
                            "gpu_mig_incomplete_instances",
                            GAUGE,
                            "GPU instances without a compute instance, on which nothing can run; absent while MIG is off")
                    .source("nvmlDeviceGetGpuInstances, nvmlGpuInstanceGetComputeInstances")
                    .values(ReadingKeys.MIG, (mig, samples) -> {
                        if (mig.enabled()) {
                            samples.add((double) mig.instances().stream()
                                    .filter(MigInstanceView::isIncomplete)
                                    .count());
                        }
                    })
                    .build(),
            family(
                            "gpu_mig_free_instances",
                            GAUGE,
                            "GPU instances of a profile that still fit beside those there are, if no other is made")
                    .label("profile")
                    .source("the places, counts and engines of the profiles, and the instances there are")
                    .values(
                            ReadingKeys.MIG,
                            (mig, samples) -> mig.room().forEach(room -> samples.add(room.count(), room.profile())))
                    .build(),
            family(
                            "gpu_mig_multiprocessors",
                            GAUGE,
                            "Multiprocessors of a compute instance; fewer than those of its GPU instance where it takes"
                                    + " a part of it")
                    .label(INSTANCE)
                    .label(COMPUTE)
                    .source("nvmlGpuInstanceGetComputeInstanceProfileInfoV")
                    .values(ReadingKeys.MIG, MigFamilies::multiprocessors)
                    .build(),
            family("gpu_mig_memory_size_bytes", GAUGE, "Memory of a GPU instance as its profile gives it, in bytes")
                    .label(INSTANCE)
                    .source("nvmlDeviceGetGpuInstanceProfileInfoV")
                    .values(
                            ReadingKeys.MIG,
                            (mig, samples) -> mig.instances()
                                    .forEach(instance ->
                                            samples.add((double) instance.memoryBytes(), id(instance.id()))))
                    .build(),
            family(
                            "gpu_mig_memory_bytes",
                            GAUGE,
                            "Memory of a GPU instance by state, in bytes; its compute instances share it, so it is counted"
                                    + " once, and a GPU instance without a compute instance has none")
                    .label(INSTANCE)
                    .label("state", "used", "free", "reserved")
                    .source("nvmlDeviceGetMemoryInfo_v2 of the MIG device")
                    .values(ReadingKeys.MIG_MEMORY, MigFamilies::memory)
                    .build(),
            family(
                            "gpu_mig_processes",
                            GAUGE,
                            "Processes on a compute instance, as gpu_processes counts those on the GPU; 0 when none is in"
                                    + " the GPU's list, absent when that could not be read")
                    .label(INSTANCE)
                    .label(COMPUTE)
                    .label("type", ProcessType.values(), ProcessType::label)
                    .source("nvmlDeviceGetComputeRunningProcesses_v3, nvmlDeviceGetGraphicsRunningProcesses_v3,"
                            + " nvmlDeviceGetMPSComputeRunningProcesses_v3 of the GPU")
                    .gpu(MigFamilies::processes, ReadingKeys.MIG)
                    .build(),
            family(
                            "gpu_mig_ecc_errors_total",
                            COUNTER,
                            "Memory errors of a compute instance since the driver was loaded; NVML counts uncorrected ones"
                                    + " in SRAM for an instance, and all others for the GPU")
                    .label(INSTANCE)
                    .label(COMPUTE)
                    .label("severity", "uncorrected")
                    .label("memory", "sram")
                    .source("nvmlDeviceGetMemoryErrorCounter of the MIG device")
                    .values(
                            ReadingKeys.MIG_ERRORS,
                            (all, samples) -> all.forEach(errors -> errors.uncorrectedSram()
                                    .value()
                                    .ifPresent(count -> samples.add(
                                            (double) count,
                                            id(errors.gpuInstance()),
                                            id(errors.computeInstance()),
                                            "uncorrected",
                                            "sram"))))
                    .build());

    private MigFamilies() {}

    private static FamilyBuilder family(String name, MetricFamily.Type type, String help) {
        return FamilyBuilder.perGpu(name, type, Group.MIG, help);
    }

    private static void info(MigView mig, Samples samples) {
        for (MigInstanceView instance : mig.instances()) {
            for (MigComputeView compute : instance.computes()) {
                String uuid = compute.device().map(MigDeviceView::uuid).orElse("");
                info(instance, id(compute.id()), uuid, compute.profile(), samples);
            }
            if (instance.isIncomplete()) {
                info(instance, "", "", "", samples);
            }
        }
    }

    private static void info(
            MigInstanceView instance, String compute, String uuid, String computeProfile, Samples samples) {
        samples.add(
                1,
                id(instance.id()),
                compute,
                uuid,
                instance.profile(),
                computeProfile,
                id(instance.place().start()),
                id(instance.place().size()));
    }

    private static void multiprocessors(MigView mig, Samples samples) {
        for (MigInstanceView instance : mig.instances()) {
            for (MigComputeView compute : instance.computes()) {
                compute.multiprocessors().ifPresent(count -> samples.add(count, id(instance.id()), id(compute.id())));
            }
        }
    }

    /** The first device of a GPU instance that tells speaks for all. */
    private static void memory(List<MigDeviceUse> devices, Samples samples) {
        Set<Integer> told = new HashSet<>();
        for (MigDeviceUse device : devices) {
            Optional<MemoryUse> memory = device.memory().value();
            if (memory.isPresent() && told.add(device.gpuInstance())) {
                String instance = id(device.gpuInstance());
                samples.add((double) memory.get().usedBytes(), instance, "used");
                samples.add((double) memory.get().freeBytes(), instance, "free");
                memory.get().reservedBytes().ifPresent(bytes -> samples.add((double) bytes, instance, "reserved"));
            }
        }
    }

    private static void processes(GpuSnapshot gpu, Samples samples) {
        Optional<MigView> mig = gpu.readings().value(ReadingKeys.MIG);
        for (ProcessType type : ProcessType.values()) {
            Optional<List<GpuProcess>> running = gpu.readings().value(ReadingKeys.processes(type));
            if (mig.isEmpty() || running.isEmpty()) {
                continue;
            }
            for (MigInstanceView instance : mig.get().instances()) {
                for (MigComputeView compute : instance.computes()) {
                    long count = running.get().stream()
                            .filter(process -> process.isOn(instance.id(), compute.id()))
                            .count();
                    samples.add((double) count, id(instance.id()), id(compute.id()), type.label());
                }
            }
        }
    }

    private static String id(int number) {
        return Integer.toString(number);
    }
}
