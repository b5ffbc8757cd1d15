// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.DeviceLayouts.nvmlExcludedDeviceInfo_t;
import static io.gpuagent.nvml.internal.DeviceLayouts.nvmlUUID_v1_t;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** GPUs by other names than their indices. */
class GpuSearchTest {
    private static final String UUID_TEXT = "GPU-8d9a908f-8223-a2b4-18a6-444d8fbdb0d2";
    private static final long HANDLE = 0x7000;

    private final CallLog log = new CallLog();
    private final AtomicReference<String> asked = new AtomicReference<>();
    private final FakeLibrary library = new FakeLibrary()
            .with("nvmlInit_v2", NvmlReturn.SUCCESS)
            .with("nvmlDeviceGetIndex", arguments -> {
                FakeGpu.write(arguments[1], 5);
                return arguments[0] == HANDLE ? 0 : NvmlReturn.INVALID_ARGUMENT.code();
            });

    private Nvml nvml() {
        return Nvml.open(library, log, () -> 0).orThrow();
    }

    private void found(String function) {
        library.with(function, arguments -> {
            asked.set(FakeLibrary.memory(arguments[0], 64).getString(0));
            FakeLibrary.memory(arguments[1], Long.BYTES).set(JAVA_LONG, 0, HANDLE);
            return 0;
        });
    }

    private void uuidIs(String uuid) {
        library.with("nvmlDeviceGetUUID", arguments -> {
            FakeLibrary.memory(arguments[1], arguments[2]).setString(0, uuid, StandardCharsets.US_ASCII);
            return 0;
        });
    }

    @Test
    void eachNameIsHandedToItsFunction() {
        found("nvmlDeviceGetHandleByUUID");
        assertThat(nvml().gpuByUuid(UUID_TEXT).orThrow().index()).isEqualTo(5);
        assertThat(asked).hasValue(UUID_TEXT);

        found("nvmlDeviceGetHandleBySerial");
        assertThat(nvml().gpuBySerial("1654124007237").orThrow().index()).isEqualTo(5);
        assertThat(asked).hasValue("1654124007237");

        found("nvmlDeviceGetHandleByPciBusId_v2");
        assertThat(nvml().gpuByPciBusId("0:6.0").orThrow().index()).isEqualTo(5);
        assertThat(asked).hasValue("0:6.0");
    }

    @Test
    void binaryUuidHasItsBytesInTheOrderOfTheText() {
        library.with("nvmlDeviceGetHandleByUUIDV", arguments -> {
            Struct uuid = FakeGpu.struct(nvmlUUID_v1_t, arguments[0]);
            asked.set(uuid.s32("type") + " "
                    + HexFormat.of().formatHex(uuid.part("value").asSlice(0, 16).toArray(JAVA_BYTE)));
            FakeLibrary.memory(arguments[1], Long.BYTES).set(JAVA_LONG, 0, HANDLE);
            return uuid.s32("version") == (52 | 1 << 24) ? 0 : NvmlReturn.ARGUMENT_VERSION_MISMATCH.code();
        });

        Answer<Gpu> gpu = nvml().gpuByUuid(UUID.fromString(UUID_TEXT.substring(4)));

        assertThat(gpu.orThrow().index()).isEqualTo(5);
        assertThat(asked).hasValue("2 8d9a908f8223a2b418a6444d8fbdb0d2");
    }

    @Test
    void callsToAGpuThatWasFoundAreKnownToBeItsOwn() {
        found("nvmlDeviceGetHandleByUUID");
        library.with("nvmlDeviceGetPowerUsage", NvmlReturn.SUCCESS);

        nvml().gpuByUuid(UUID_TEXT).orThrow().power().usage();

        assertThat(log.lines()).contains("before nvmlDeviceGetPowerUsage on 5");
    }

    @Test
    void migDeviceIsNoGpu() {
        found("nvmlDeviceGetHandleByUUID");
        uuidIs("MIG-8d9a908f-8223-a2b4-18a6-444d8fbdb0d2");

        assertThat(nvml().gpuByUuid("MIG-8d9a908f-8223-a2b4-18a6-444d8fbdb0d2"))
                .isEqualTo(new Answer.Refused<>(NvmlFunction.nvmlDeviceGetHandleByUUID, NvmlReturn.INVALID_ARGUMENT));
    }

    @Test
    void nameThatNobodyHasIsRefused() {
        library.with("nvmlDeviceGetHandleByUUID", arguments -> 6);

        assertThat(nvml().gpuByUuid("GPU-nonsense"))
                .isEqualTo(new Answer.Refused<>(NvmlFunction.nvmlDeviceGetHandleByUUID, new NvmlReturn(6)));
    }

    @Test
    void excludedGpusAreListed() {
        library.with("nvmlGetExcludedDeviceCount", arguments -> {
                    FakeGpu.write(arguments[0], 2);
                    return 0;
                })
                .with("nvmlGetExcludedDeviceInfoByIndex", arguments -> {
                    Struct info = FakeGpu.struct(nvmlExcludedDeviceInfo_t, arguments[1]);
                    // domain, bus and device follow the 16 bytes of busIdLegacy.
                    FakeGpu.write(info.part("pciInfo").address() + 16, 0, 0x3b, (int) arguments[0]);
                    info.part("uuid").setString(0, "GPU-" + arguments[0]);
                    return 0;
                });

        assertThat(nvml().excludedGpus().orThrow())
                .containsExactly(
                        new ExcludedGpu(new Identity.PciInfo(0, 0x3b, 0, 0, 0), "GPU-0"),
                        new ExcludedGpu(new Identity.PciInfo(0, 0x3b, 1, 0, 0), "GPU-1"));
    }
}
