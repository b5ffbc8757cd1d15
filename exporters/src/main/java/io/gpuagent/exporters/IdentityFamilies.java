// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import static io.gpuagent.exporters.MetricFamily.Type.GAUGE;
import static io.gpuagent.exporters.MetricFamily.Type.INFO;

import io.gpuagent.exporters.MetricFamily.Group;
import io.gpuagent.exporters.MetricFamily.Samples;
import io.gpuagent.model.DriverState;
import io.gpuagent.model.GpuCondition;
import io.gpuagent.model.GpuSnapshot;
import io.gpuagent.model.PciAddress;
import io.gpuagent.model.ReadingKey;
import io.gpuagent.model.ReadingKeys;
import java.util.List;
import java.util.function.Function;

/**
 * Which GPU, under which driver, and whether it answers. What describes a device stands in one info family only, so that
 * a new driver or firmware starts no new series anywhere else.
 */
final class IdentityFamilies {
    static final List<MetricFamily> ALL = List.of(
            FamilyBuilder.perGpu(
                            "gpu_info",
                            INFO,
                            Group.IDENTITY,
                            "What the GPU is; a label whose value the driver does not give is empty")
                    .label("name")
                    .label("serial")
                    .label("pci_bus_id")
                    .label("minor")
                    .label("architecture")
                    .label("compute_capability")
                    .label("vbios")
                    .label("board_part")
                    .source("nvmlDeviceGetName, nvmlDeviceGetSerial, nvmlDeviceGetPciInfo_v3, nvmlDeviceGetMinorNumber,"
                            + " nvmlDeviceGetArchitecture, nvmlDeviceGetCudaComputeCapability,"
                            + " nvmlDeviceGetVbiosVersion, nvmlDeviceGetBoardPartNumber")
                    .gpu(
                            IdentityFamilies::describe,
                            ReadingKeys.NAME,
                            ReadingKeys.SERIAL,
                            ReadingKeys.PCI,
                            ReadingKeys.MINOR,
                            ReadingKeys.ARCHITECTURE,
                            ReadingKeys.COMPUTE_CAPABILITY,
                            ReadingKeys.VBIOS,
                            ReadingKeys.BOARD_PART)
                    .build(),
            FamilyBuilder.node(
                            "gpu_driver_info",
                            INFO,
                            Group.IDENTITY,
                            "The driver, its NVML library and the highest CUDA version it takes; absent while NVML cannot"
                                    + " be used")
                    .label("driver_version")
                    .label("nvml_version")
                    .label("cuda_version")
                    .source("nvmlSystemGetDriverVersion, nvmlSystemGetNVMLVersion, nvmlSystemGetCudaDriverVersion_v2")
                    .from((node, samples) -> {
                        if (node.driver() instanceof DriverState.Up up) {
                            samples.add(1, up.driverVersion(), up.nvmlVersion(), up.cudaDriverVersion());
                        }
                    }),
            FamilyBuilder.perGpu(
                            "gpu_device_state",
                            GAUGE,
                            Group.IDENTITY,
                            "1 for the state the GPU is in, 0 for the others: whether it answers its driver at all")
                    .label("state", GpuCondition.State.values(), GpuCondition.State::label)
                    .source("the return codes of the calls to the GPU, and the calls that do not return")
                    .zeroToOne()
                    .gpu((gpu, samples) -> {
                        for (GpuCondition.State state : GpuCondition.State.values()) {
                            samples.add(gpu.condition().state() == state ? 1 : 0, state.label());
                        }
                    })
                    .build());

    private IdentityFamilies() {}

    private static void describe(GpuSnapshot gpu, Samples samples) {
        if (gpu.identity().uuid().isEmpty()) {
            return; // It has told nothing yet, and a description of empty words would look like an answer.
        }
        samples.add(
                1,
                text(gpu, ReadingKeys.NAME, Function.identity()),
                text(gpu, ReadingKeys.SERIAL, Function.identity()),
                text(gpu, ReadingKeys.PCI, PciAddress::busId),
                text(gpu, ReadingKeys.MINOR, minor -> Integer.toString(minor)),
                text(gpu, ReadingKeys.ARCHITECTURE, Function.identity()),
                text(gpu, ReadingKeys.COMPUTE_CAPABILITY, Function.identity()),
                text(gpu, ReadingKeys.VBIOS, Function.identity()),
                text(gpu, ReadingKeys.BOARD_PART, Function.identity()));
    }

    private static <T> String text(GpuSnapshot gpu, ReadingKey<T> key, Function<T, String> words) {
        return gpu.readings().value(key).map(words).orElse("");
    }
}
