// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.gpuagent.nvml.internal.Handle;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.MemorySegment;

/** The InfoROM and the firmware of the GPU system processor (GSP). */
public final class Firmware {
    // nvml.h: NVML_DEVICE_INFOROM_VERSION_BUFFER_SIZE and NVML_GSP_FIRMWARE_VERSION_BUF_SIZE.
    private static final int INFOROM_BUFFER = 16;
    private static final int GSP_BUFFER = 64;

    private final Handle device;

    Firmware(Handle device) {
        this.device = device;
    }

    /**
     * Version of the InfoROM's image (nvmlDeviceGetInforomImageVersion).
     *
     * @return for example {@code G520.0282.02.02}; NOT_SUPPORTED without an InfoROM
     */
    public Answer<String> inforomImageVersion() {
        return Queries.string(device, NvmlFunction.nvmlDeviceGetInforomImageVersion, INFOROM_BUFFER);
    }

    /**
     * Version of an object in the InfoROM (nvmlDeviceGetInforomVersion), a sign of what the board supports.
     *
     * @param object which
     * @return for example {@code 7.16}
     */
    public Answer<String> inforomVersion(InforomObject object) {
        return Queries.string(device, NvmlFunction.nvmlDeviceGetInforomVersion, object.code(), INFOROM_BUFFER);
    }

    /**
     * Checksum of the configuration in the InfoROM, of its power and ECC objects
     * (nvmlDeviceGetInforomConfigurationChecksum): equal where two GPUs are configured alike, under one driver release. It
     * takes 69 ms on an H200.
     *
     * @return the checksum; CORRUPTED_INFOROM where the InfoROM cannot be read
     */
    public Answer<Long> inforomChecksum() {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetInforomConfigurationChecksum);
    }

    /**
     * Reads the InfoROM from its flash and checks its checksums (nvmlDeviceValidateInforom). It takes 67 ms on an H200:
     * not for polling.
     *
     * @return false where the InfoROM is corrupted
     */
    public Answer<Boolean> isInforomValid() {
        NvmlFunction function = NvmlFunction.nvmlDeviceValidateInforom;
        int code = device.calls().call(function, device);
        if (code == NvmlReturn.SUCCESS.code()) {
            return new Answer.Value<>(true);
        }
        return code == NvmlReturn.CORRUPTED_INFOROM.code()
                ? new Answer.Value<>(false)
                : Queries.refused(function, code);
    }

    /**
     * When the driver last wrote its black box into the InfoROM (nvmlDeviceGetLastBBXFlushTime).
     *
     * @return when and for how long; NOT_READY where it has not since the driver was loaded
     */
    public Answer<BlackBoxFlush> lastBlackBoxFlush() {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetLastBBXFlushTime;
        Scratch scratch = Scratch.fresh();
        MemorySegment timestamp = scratch.take(JAVA_LONG);
        MemorySegment duration = scratch.take(JAVA_LONG);
        int code = device.calls().call(function, device, timestamp, duration);
        return Queries.answer(
                function,
                code,
                timestamp,
                start -> new Answer.Value<>(new BlackBoxFlush(start.get(JAVA_LONG, 0), duration.get(JAVA_LONG, 0))));
    }

    /**
     * Whether the GSP runs the driver's firmware (nvmlDeviceGetGspFirmwareMode).
     *
     * @return now and by default
     */
    public Answer<GspMode> gspMode() {
        return Queries.pair(device, NvmlFunction.nvmlDeviceGetGspFirmwareMode)
                .map(pair -> new GspMode(pair.first() != 0, pair.second() != 0));
    }

    /**
     * Version of the GSP's firmware (nvmlDeviceGetGspFirmwareVersion).
     *
     * @return that of the driver it came with; NOT_SUPPORTED where the GSP is not used
     */
    public Answer<String> gspVersion() {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetGspFirmwareVersion;
        MemorySegment out = Scratch.fresh().take(GSP_BUFFER);
        int code = device.calls().call(function, device, out);
        return Queries.answer(function, code, out, version -> new Answer.Value<>(Queries.string(version)));
    }

    /**
     * A write of the black box.
     *
     * @param start when it began, as the driver stamps it
     * @param micros how long it took, microseconds
     */
    public record BlackBoxFlush(long start, long micros) {}

    /**
     * Whether the GSP's firmware is in use.
     *
     * @param enabled now
     * @param byDefault where nobody chose
     */
    public record GspMode(boolean enabled, boolean byDefault) {}

    /** {@code nvmlInforomObject_t}. */
    public enum InforomObject implements CEnum {
        /** The board vendor's. */
        OEM(0),
        /** How much ECC the board supports. */
        ECC(1),
        /** Power management. */
        POWER(2),
        /** DRAM encryption. */
        DRAM_ENCRYPTION(3);

        private final int code;

        InforomObject(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }
}
