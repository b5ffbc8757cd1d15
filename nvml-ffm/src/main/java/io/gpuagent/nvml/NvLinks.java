// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.Layouts.nvmlPciInfo_t;
import static io.gpuagent.nvml.internal.LinkLayouts.nvmlNvLinkInfo_v1_t;
import static io.gpuagent.nvml.internal.LinkLayouts.nvmlNvLinkInfo_v2_t;
import static io.gpuagent.nvml.internal.LinkLayouts.nvmlNvlinkGetBwMode_v1_t;
import static io.gpuagent.nvml.internal.LinkLayouts.nvmlNvlinkSetBwMode_v1_t;
import static io.gpuagent.nvml.internal.LinkLayouts.nvmlNvlinkSupportedBwModes_v1_t;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.gpuagent.nvml.internal.Handle;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The NVLinks of a GPU, numbered from 0. A link that the GPU does not have answers INVALID_ARGUMENT, a GPU without
 * NVLink NOT_SUPPORTED. Traffic and speed are fields: {@link FieldId#NVLINK_THROUGHPUT_DATA_TX} and its neighbours.
 */
public final class NvLinks {
    /** How many links a GPU may have: NVML_NVLINK_MAX_LINKS of nvml.h 13.0. */
    public static final int MAX_LINKS = 18;

    // nvml.h: nvmlNvlinkVersion_t, from 1.
    private static final List<String> VERSIONS = List.of("1.0", "2.0", "2.2", "3.0", "3.1", "4.0", "5.0");

    private final Handle device;

    NvLinks(Handle device) {
        this.device = device;
    }

    /**
     * Whether a link is up (nvmlDeviceGetNvLinkState).
     *
     * @param link its number
     * @return true where it is
     */
    public Answer<Boolean> isActive(int link) {
        return Queries.flag(device, NvmlFunction.nvmlDeviceGetNvLinkState, link);
    }

    /**
     * The NVLink version of a link (nvmlDeviceGetNvLinkVersion).
     *
     * @param link its number
     * @return for example {@code 4.0}; unavailable where the driver answers NVML_NVLINK_VERSION_INVALID or one newer
     *     than nvml.h 13.0
     */
    public Answer<String> version(int link) {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetNvLinkVersion;
        Answer<Long> number = Queries.u32(device, function, link);
        if (number instanceof Answer.Value<Long>(Long n) && (n == 0 || n > VERSIONS.size())) {
            return new Answer.Unavailable<>(function);
        }
        return number.map(n -> VERSIONS.get(n.intValue() - 1));
    }

    /**
     * Whether a link can do something (nvmlDeviceGetNvLinkCapability).
     *
     * @param link its number
     * @param capability what
     * @return true where it can
     */
    public Answer<Boolean> has(int link, Capability capability) {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetNvLinkCapability, link, capability.c)
                .map(state -> state != 0);
    }

    /**
     * Errors of a link (nvmlDeviceGetNvLinkErrorCounter). Blackwell counts others: the fields NVLINK_COUNT_*.
     *
     * @param link its number
     * @param counter which errors
     * @return the count
     */
    public Answer<Long> errors(int link, ErrorCounter counter) {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetNvLinkErrorCounter;
        MemorySegment out = Scratch.fresh().take(JAVA_LONG);
        int code = device.calls().call(function, device, link, counter.c, out);
        return Queries.answer(function, code, out, o -> Queries.unsigned(function, o.get(JAVA_LONG, 0)));
    }

    /**
     * Sets all error counters of a link to zero (nvmlDeviceResetNvLinkErrorCounters).
     *
     * @param link its number
     * @return done; NO_PERMISSION unless root
     */
    public Answer<Done> resetErrors(int link) {
        NvmlFunction function = NvmlFunction.nvmlDeviceResetNvLinkErrorCounters;
        return Queries.done(function, device.calls().call(function, device, link));
    }

    /**
     * Where the other end of a link sits on the PCI bus (nvmlDeviceGetNvLinkRemotePciInfo_v2).
     *
     * @param link its number
     * @return its address; the subsystem ids in it mean nothing
     */
    public Answer<Identity.PciInfo> remotePci(int link) {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetNvLinkRemotePciInfo_v2;
        return Structs.plain(
                device,
                function,
                link,
                nvmlPciInfo_t,
                out -> new Identity.PciInfo(
                        out.s32("domain"),
                        out.s32("bus"),
                        out.s32("device"),
                        out.s32("pciDeviceId"),
                        out.s32("pciSubSystemId")));
    }

    /**
     * What is at the other end of a link (nvmlDeviceGetNvLinkRemoteDeviceType).
     *
     * @param link its number
     * @return its kind
     */
    public Answer<Coded<RemoteDevice>> remoteDevice(int link) {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetNvLinkRemoteDeviceType, link)
                .map(type -> Coded.of(type.intValue(), RemoteDevice.class));
    }

    /**
     * Encryption and firmware (nvmlDeviceGetNvLinkInfo, version 2; from older drivers version 1, without firmware).
     *
     * @return what the driver tells
     */
    public Answer<Details> details() {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetNvLinkInfo;
        return Versions.newest(List.of(
                () -> Structs.versioned(
                        device,
                        function,
                        nvmlNvLinkInfo_v2_t,
                        2,
                        out -> new Details(out.flag("isNvleEnabled"), firmware(out.struct("firmwareInfo")))),
                () -> Structs.versioned(
                        device,
                        function,
                        nvmlNvLinkInfo_v1_t,
                        1,
                        out -> new Details(out.flag("isNvleEnabled"), List.of()))));
    }

    private static List<Firmware> firmware(Struct info) {
        return info.list(
                "firmwareVersion",
                info.u32("numValidEntries"),
                version -> new Firmware(
                        Coded.of(version.u8("ucodeType"), Microcode.class),
                        version.u32("major") + "." + version.u32("minor") + "." + version.u32("subMinor")));
    }

    /**
     * Which reduced bandwidths can be set (nvmlDeviceGetNvlinkSupportedBwModes), on Blackwell and newer.
     *
     * @return numbers of modes
     */
    public Answer<List<Integer>> supportedBandwidthModes() {
        return Structs.versioned(
                device, NvmlFunction.nvmlDeviceGetNvlinkSupportedBwModes, nvmlNvlinkSupportedBwModes_v1_t, 1, out -> {
                    ByteBuffer modes = out.bytes("bwModes", out.u8("totalBwModes"));
                    return IntStream.range(0, modes.remaining())
                            .mapToObj(i -> Byte.toUnsignedInt(modes.get(i)))
                            .toList();
                });
    }

    /**
     * The reduced bandwidth that is set (nvmlDeviceGetNvlinkBwMode), on Blackwell and newer.
     *
     * @return its mode
     */
    public Answer<BandwidthMode> bandwidthMode() {
        return Structs.versioned(
                device,
                NvmlFunction.nvmlDeviceGetNvlinkBwMode,
                nvmlNvlinkGetBwMode_v1_t,
                1,
                out -> new BandwidthMode(out.u8("bwMode"), out.flag("bIsBest")));
    }

    /**
     * Sets a reduced bandwidth (nvmlDeviceSetNvlinkBwMode), on Blackwell and newer.
     *
     * @param mode one of {@link #supportedBandwidthModes}; empty for the best
     * @return done; NO_PERMISSION unless root
     */
    public Answer<Done> setBandwidthMode(Optional<Integer> mode) {
        Struct wanted = Structs.versioned(Scratch.fresh(), nvmlNvlinkSetBwMode_v1_t, 1);
        wanted.set("bSetBest", mode.isEmpty() ? 1 : 0);
        wanted.set("bwMode", mode.orElse(0).byteValue());
        NvmlFunction function = NvmlFunction.nvmlDeviceSetNvlinkBwMode;
        return Queries.done(function, device.calls().call(function, device, wanted.memory()));
    }

    /** {@code nvmlNvLinkCapability_t}. */
    public enum Capability {
        /** Memory of the peer. */
        P2P(0),
        /** System memory. */
        SYSMEM_ACCESS(1),
        /** Atomics on memory of the peer. */
        P2P_ATOMICS(2),
        /** Atomics on system memory. */
        SYSMEM_ATOMICS(3),
        /** SLI. */
        SLI_BRIDGE(4),
        /** The link exists on this GPU. */
        VALID(5);

        private final int c;

        Capability(int c) {
            this.c = c;
        }
    }

    /** {@code nvmlNvLinkErrorCounter_t}. */
    public enum ErrorCounter {
        /** Transmissions repeated. */
        DL_REPLAY(0),
        /** Recoveries of the link. */
        DL_RECOVERY(1),
        /** CRC errors of flow control digits received. */
        DL_CRC_FLIT(2),
        /** CRC errors of data received. */
        DL_CRC_DATA(3),
        /** ECC errors of data received. */
        DL_ECC_DATA(4);

        private final int c;

        ErrorCounter(int c) {
            this.c = c;
        }
    }

    /** {@code nvmlIntNvLinkDeviceType_t}. */
    public enum RemoteDevice implements CEnum {
        /** A GPU. */
        GPU(0),
        /** A POWER processor. */
        IBMNPU(1),
        /** An NVSwitch. */
        SWITCH(2),
        /** The driver does not know. */
        UNKNOWN(0xFF);

        private final int code;

        RemoteDevice(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }

    /** NVML_NVLINK_FIRMWARE_UCODE_TYPE_*. */
    public enum Microcode implements CEnum {
        /** MSE. */
        MSE(1),
        /** NETIR. */
        NETIR(2),
        /** NETIR UPHY. */
        NETIR_UPHY(3),
        /** NETIR CLN. */
        NETIR_CLN(4),
        /** NETIR DLN. */
        NETIR_DLN(5);

        private final int code;

        Microcode(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }

    /**
     * What a GPU tells of its links ({@code nvmlNvLinkInfo_t}).
     *
     * @param isEncrypted whether NVLink encryption is on
     * @param firmware firmware versions; empty from version 1 of the struct
     */
    public record Details(boolean isEncrypted, List<Firmware> firmware) {}

    /**
     * A firmware.
     *
     * @param microcode which
     * @param version major, minor and sub-minor, with dots
     */
    public record Firmware(Coded<Microcode> microcode, String version) {}

    /**
     * A bandwidth mode.
     *
     * @param mode its number
     * @param isBest whether it is the best there is
     */
    public record BandwidthMode(int mode, boolean isBest) {}
}
