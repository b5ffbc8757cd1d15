// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.DeviceLayouts.nvmlDeviceCapabilities_v1_t;
import static io.gpuagent.nvml.internal.DeviceLayouts.nvmlHostname_v1_t;
import static io.gpuagent.nvml.internal.DeviceLayouts.nvmlPciInfoExt_v1_t;
import static io.gpuagent.nvml.internal.DeviceLayouts.nvmlPdi_v1_t;
import static io.gpuagent.nvml.internal.Layouts.nvmlPciInfo_t;
import static io.gpuagent.nvml.internal.Layouts.offset;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.gpuagent.nvml.internal.Handle;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;

/** What a GPU is. None of it changes while the driver is loaded. */
public final class Identity {
    // nvml.h: NVML_DEVICE_NAME_V2_BUFFER_SIZE, NVML_DEVICE_UUID_V2_BUFFER_SIZE, NVML_DEVICE_SERIAL_BUFFER_SIZE,
    // NVML_DEVICE_VBIOS_VERSION_BUFFER_SIZE, NVML_DEVICE_PART_NUMBER_BUFFER_SIZE.
    private static final int NAME_BUFFER = 96;
    private static final int UUID_BUFFER = 96;
    private static final int SERIAL_BUFFER = 30;
    private static final int VBIOS_BUFFER = 32;
    private static final int PART_NUMBER_BUFFER = 80;

    private static final long DOMAIN = offset(nvmlPciInfo_t, "domain");
    private static final long BUS = offset(nvmlPciInfo_t, "bus");
    private static final long DEVICE = offset(nvmlPciInfo_t, "device");
    private static final long PCI_DEVICE_ID = offset(nvmlPciInfo_t, "pciDeviceId");
    private static final long PCI_SUBSYSTEM_ID = offset(nvmlPciInfo_t, "pciSubSystemId");

    private final Handle device;

    Identity(Handle device) {
        this.device = device;
    }

    /**
     * Product name (nvmlDeviceGetName).
     *
     * @return for example {@code NVIDIA H200}
     */
    public Answer<String> name() {
        return Queries.string(device, NvmlFunction.nvmlDeviceGetName, NAME_BUFFER);
    }

    /**
     * The UUID (nvmlDeviceGetUUID), which names this board for good.
     *
     * @return {@code GPU-} and 36 characters
     */
    public Answer<String> uuid() {
        return Queries.string(device, NvmlFunction.nvmlDeviceGetUUID, UUID_BUFFER);
    }

    /**
     * Serial number of the board (nvmlDeviceGetSerial).
     *
     * @return digits; NOT_SUPPORTED on boards without an InfoROM entry
     */
    public Answer<String> serial() {
        return Queries.string(device, NvmlFunction.nvmlDeviceGetSerial, SERIAL_BUFFER);
    }

    /**
     * Where it sits on the PCI bus (nvmlDeviceGetPciInfo_v3).
     *
     * @return the address and ids
     */
    public Answer<PciInfo> pci() {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetPciInfo_v3;
        MemorySegment out = Scratch.fresh().take(nvmlPciInfo_t);
        int code = device.calls().call(function, device, out);
        return Queries.answer(function, code, out, o -> new Answer.Value<>(PciInfo.of(o)));
    }

    /**
     * The N of its device file /dev/nvidiaN (nvmlDeviceGetMinorNumber); not its index.
     *
     * @return the number
     */
    public Answer<Integer> minorNumber() {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetMinorNumber;
        Answer<Long> number = Queries.u32(device, function);
        // Linux has 20 bits for one.
        return number.value().filter(minor -> minor >= 1L << 20).isPresent()
                ? new Answer.Unavailable<>(function)
                : number.map(Long::intValue);
    }

    /**
     * The architecture (nvmlDeviceGetArchitecture).
     *
     * @return the generation; unavailable where the driver answers NVML_DEVICE_ARCH_UNKNOWN
     */
    public Answer<Coded<Architecture>> architecture() {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetArchitecture)
                .map(number -> Coded.of(number.intValue(), Architecture.class));
    }

    /**
     * CUDA compute capability (nvmlDeviceGetCudaComputeCapability).
     *
     * @return major and minor, such as {@code 9.0}
     */
    public Answer<String> computeCapability() {
        return Queries.pair(device, NvmlFunction.nvmlDeviceGetCudaComputeCapability)
                .map(pair -> pair.first() + "." + pair.second());
    }

    /**
     * Version of the video BIOS (nvmlDeviceGetVbiosVersion).
     *
     * @return for example {@code 96.00.A5.00.1A}
     */
    public Answer<String> vbiosVersion() {
        return Queries.string(device, NvmlFunction.nvmlDeviceGetVbiosVersion, VBIOS_BUFFER);
    }

    /**
     * Part number of the board (nvmlDeviceGetBoardPartNumber).
     *
     * @return for example {@code 692-2G520-0282-001}
     */
    public Answer<String> boardPartNumber() {
        return Queries.string(device, NvmlFunction.nvmlDeviceGetBoardPartNumber, PART_NUMBER_BUFFER);
    }

    /**
     * The brand (nvmlDeviceGetBrand).
     *
     * @return the brand
     */
    public Answer<Coded<Brand>> brand() {
        return Queries.coded(device, NvmlFunction.nvmlDeviceGetBrand, Brand.class);
    }

    /**
     * CUDA cores (nvmlDeviceGetNumGpuCores).
     *
     * @return the count; NOT_SUPPORTED for a MIG device
     */
    public Answer<Long> cores() {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetNumGpuCores);
    }

    /**
     * Width of the memory bus (nvmlDeviceGetMemoryBusWidth).
     *
     * @return bits
     */
    public Answer<Long> memoryBusWidth() {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetMemoryBusWidth);
    }

    /**
     * The Per Device Identifier (nvmlDeviceGetPdi), burnt into the chip.
     *
     * @return 16 hexadecimal digits; NOT_SUPPORTED before Pascal
     */
    public Answer<String> perDeviceIdentifier() {
        return Structs.versioned(
                device,
                NvmlFunction.nvmlDeviceGetPdi,
                nvmlPdi_v1_t,
                1,
                pdi -> HexFormat.of().toHexDigits(pdi.u64("value")));
    }

    /**
     * The PCI class (nvmlDeviceGetPciInfoExt).
     *
     * @return base class and sub-class
     */
    public Answer<PciClass> pciClass() {
        return Structs.versioned(
                device,
                NvmlFunction.nvmlDeviceGetPciInfoExt,
                nvmlPciInfoExt_v1_t,
                1,
                pci -> new PciClass(pci.s32("baseClass"), pci.s32("subClass")));
    }

    /**
     * What the device can do (nvmlDeviceGetCapabilities).
     *
     * @return a mask of NVML_DEV_CAP_* bits; bit 0 is extended GPU memory (EGM)
     */
    public Answer<Long> capabilities() {
        return Structs.versioned(
                device,
                NvmlFunction.nvmlDeviceGetCapabilities,
                nvmlDeviceCapabilities_v1_t,
                1,
                capabilities -> capabilities.u32("capMask"));
    }

    /**
     * The host name that an operator gave this GPU (nvmlDeviceGetHostname_v1).
     *
     * @return the name; NOT_SUPPORTED before Blackwell
     */
    public Answer<String> hostname() {
        return Structs.plain(
                device, NvmlFunction.nvmlDeviceGetHostname_v1, nvmlHostname_v1_t, name -> name.text("value"));
    }

    /**
     * Where a GPU sits on the PCI bus ({@code nvmlPciInfo_t}).
     *
     * @param domain PCI domain
     * @param bus bus, 0..255
     * @param device device, 0..31
     * @param deviceId device id in the upper and vendor id in the lower 16 bits
     * @param subsystemId subsystem ids, likewise
     */
    public record PciInfo(int domain, int bus, int device, int deviceId, int subsystemId) {
        static PciInfo of(MemorySegment pciInfo) {
            return new PciInfo(
                    pciInfo.get(JAVA_INT, DOMAIN),
                    pciInfo.get(JAVA_INT, BUS),
                    pciInfo.get(JAVA_INT, DEVICE),
                    pciInfo.get(JAVA_INT, PCI_DEVICE_ID),
                    pciInfo.get(JAVA_INT, PCI_SUBSYSTEM_ID));
        }
    }

    /**
     * A PCI class code.
     *
     * @param base base class, 3 for a display controller
     * @param sub sub-class, 0 for VGA, 2 for 3D
     */
    public record PciClass(int base, int sub) {}
}
