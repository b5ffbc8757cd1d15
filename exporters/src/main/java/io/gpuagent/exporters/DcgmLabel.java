// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import io.gpuagent.model.DriverState;
import io.gpuagent.model.GpuSnapshot;
import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.PciAddress;
import io.gpuagent.model.ReadingKey;
import io.gpuagent.model.ReadingKeys;
import java.util.Optional;

/** DCGM fields that a counters file puts on every series as a label; the name of the field is the label's. */
public enum DcgmLabel {
    /** Version of the driver. */
    DCGM_FI_DRIVER_VERSION {
        @Override
        Optional<String> value(NodeSnapshot node, GpuSnapshot gpu) {
            return up(node).map(DriverState.Up::driverVersion);
        }
    },
    /** Version of the NVML library. */
    DCGM_FI_NVML_VERSION {
        @Override
        Optional<String> value(NodeSnapshot node, GpuSnapshot gpu) {
            return up(node).map(DriverState.Up::nvmlVersion);
        }
    },
    /** Product name. */
    DCGM_FI_DEV_NAME {
        @Override
        Optional<String> value(NodeSnapshot node, GpuSnapshot gpu) {
            return read(gpu, ReadingKeys.NAME);
        }
    },
    /** Serial number of the board. */
    DCGM_FI_DEV_SERIAL {
        @Override
        Optional<String> value(NodeSnapshot node, GpuSnapshot gpu) {
            return read(gpu, ReadingKeys.SERIAL);
        }
    },
    /** UUID, as nvidia-smi prints it. */
    DCGM_FI_DEV_UUID {
        @Override
        Optional<String> value(NodeSnapshot node, GpuSnapshot gpu) {
            return Optional.of(gpu.identity().uuid());
        }
    },
    /** PCI bus id. */
    DCGM_FI_DEV_PCI_BUSID {
        @Override
        Optional<String> value(NodeSnapshot node, GpuSnapshot gpu) {
            return gpu.readings().value(ReadingKeys.PCI).map(PciAddress::busId);
        }
    },
    /** Version of the VBIOS. */
    DCGM_FI_DEV_VBIOS_VERSION {
        @Override
        Optional<String> value(NodeSnapshot node, GpuSnapshot gpu) {
            return read(gpu, ReadingKeys.VBIOS);
        }
    };

    /** The value; empty where it is not known, and then the series has no such label. */
    abstract Optional<String> value(NodeSnapshot node, GpuSnapshot gpu);

    private static Optional<DriverState.Up> up(NodeSnapshot node) {
        return node.driver() instanceof DriverState.Up up ? Optional.of(up) : Optional.empty();
    }

    private static Optional<String> read(GpuSnapshot gpu, ReadingKey<String> key) {
        return gpu.readings().value(key);
    }
}
