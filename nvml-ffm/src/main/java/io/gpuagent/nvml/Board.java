// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.DeviceLayouts.nvmlBridgeChipHierarchy_t;
import static io.gpuagent.nvml.internal.DeviceLayouts.nvmlPlatformInfo_v1_t;
import static io.gpuagent.nvml.internal.DeviceLayouts.nvmlPlatformInfo_v2_t;

import io.gpuagent.nvml.internal.Handle;
import java.util.List;
import java.util.OptionalLong;

/** The board a GPU is on, and where that sits in the machine and the rack. */
public final class Board {
    private final Handle device;

    Board(Handle device) {
        this.device = device;
    }

    /**
     * A number that GPUs behind the same PCIe switch share (nvmlDeviceGetBoardId). Together with {@link #isMultiGpu()} it
     * tells who shares a board. It may change with a reboot.
     *
     * @return the number
     */
    public Answer<Long> id() {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetBoardId);
    }

    /**
     * Whether there is more than one GPU on the board (nvmlDeviceGetMultiGpuBoard).
     *
     * @return true where there is
     */
    public Answer<Boolean> isMultiGpu() {
        return Queries.flag(device, NvmlFunction.nvmlDeviceGetMultiGpuBoard);
    }

    /**
     * The GPU module's place on its baseboard (nvmlDeviceGetModuleId).
     *
     * @return its number; 0 for boards that are none
     */
    public Answer<Long> moduleId() {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetModuleId);
    }

    /**
     * The bridge chips between the GPUs of a board (nvmlDeviceGetBridgeChipInfo).
     *
     * @return the chips; NOT_SUPPORTED where there is none
     */
    public Answer<List<BridgeChip>> bridgeChips() {
        return Structs.plain(
                device,
                NvmlFunction.nvmlDeviceGetBridgeChipInfo,
                nvmlBridgeChipHierarchy_t,
                bridges -> bridges.list("bridgeChipInfo", bridges.u8("bridgeCount"), BridgeChip::of));
    }

    /**
     * What it is plugged into (nvmlDeviceGetBusType).
     *
     * @return the kind of bus
     */
    public Answer<Coded<BusType>> busType() {
        return Queries.coded(device, NvmlFunction.nvmlDeviceGetBusType, BusType.class);
    }

    /**
     * The interrupt (nvmlDeviceGetIrqNum).
     *
     * @return its number in /proc/interrupts
     */
    public Answer<Long> interrupt() {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetIrqNum);
    }

    /**
     * Where the GPU is in its rack (nvmlDeviceGetPlatformInfo, version 2 of its struct, then version 1).
     *
     * @return the place; before Blackwell little more than the module
     */
    public Answer<RackPlace> rackPlace() {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetPlatformInfo;
        return Versions.newest(List.of(
                () -> Structs.versioned(device, function, nvmlPlatformInfo_v2_t, 2, RackPlace::ofVersion2),
                () -> Structs.versioned(device, function, nvmlPlatformInfo_v1_t, 1, RackPlace::ofVersion1)));
    }

    /**
     * A chip that joins GPUs on one board.
     *
     * @param type what chip
     * @param firmwareVersion its firmware; empty where the driver does not know
     */
    public record BridgeChip(Coded<Type> type, OptionalLong firmwareVersion) {
        private static BridgeChip of(Struct chip) {
            long firmware = chip.u32("fwVersion");
            return new BridgeChip(
                    chip.coded("type", Type.class), firmware == 0 ? OptionalLong.empty() : OptionalLong.of(firmware));
        }

        /** {@code nvmlBridgeChipType_t}. */
        public enum Type implements CEnum {
            /** A PCIe switch by PLX. */
            PLX(0),
            /** NVIDIA's BR04. */
            BRO4(1);

            private final int code;

            Type(int code) {
                this.code = code;
            }

            @Override
            public int code() {
                return code;
            }
        }
    }

    /** {@code NVML_BUS_TYPE_*}. */
    public enum BusType implements CEnum {
        /** None that the driver knows. */
        UNKNOWN(0),
        /** PCI. */
        PCI(1),
        /** PCI Express. */
        PCIE(2),
        /** FPCI, inside a chipset. */
        FPCI(3),
        /** AGP. */
        AGP(4);

        private final int code;

        BusType(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }
}
