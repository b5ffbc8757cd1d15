// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.VgpuLayouts.nvmlVgpuInstanceUtilizationInfo_v1_t;
import static io.gpuagent.nvml.internal.VgpuLayouts.nvmlVgpuInstancesUtilizationInfo_v1_t;
import static io.gpuagent.nvml.internal.VgpuLayouts.nvmlVgpuLicenseExpiry_t;
import static io.gpuagent.nvml.internal.VgpuLayouts.nvmlVgpuLicenseInfo_t;
import static io.gpuagent.nvml.internal.VgpuLayouts.nvmlVgpuProcessUtilizationInfo_v1_t;
import static io.gpuagent.nvml.internal.VgpuLayouts.nvmlVgpuProcessesUtilizationInfo_v1_t;
import static io.gpuagent.nvml.internal.VgpuLayouts.nvmlVgpuSchedulerCapabilities_t;
import static io.gpuagent.nvml.internal.VgpuLayouts.nvmlVgpuSchedulerGetState_t;
import static io.gpuagent.nvml.internal.VgpuLayouts.nvmlVgpuSchedulerLogEntry_t;
import static io.gpuagent.nvml.internal.VgpuLayouts.nvmlVgpuSchedulerLog_t;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.nvml.internal.Layouts;
import java.lang.foreign.StructLayout;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** vGPUs as their host sees them. */
class VgpuTest {
    private final FakeSession session = new FakeSession();
    private final VgpuHost host = session.gpu(3).vgpuHost();
    private final Vgpu vgpu = host.vgpu(77);

    private static FakeLibrary.Body text(String text) {
        return arguments -> {
            FakeLibrary.memory(arguments[1], 64).setString(0, text, StandardCharsets.US_ASCII);
            return 0;
        };
    }

    @Test
    void typesAreListedHoweverManyThereAre() {
        session.with("nvmlDeviceGetSupportedVgpus", arguments -> {
            int room = FakeSession.readInt(arguments[1]);
            FakeSession.writeInt(arguments[1], 40);
            if (room < 40) {
                return NvmlReturn.INSUFFICIENT_SIZE.code();
            }
            for (int i = 0; i < 40; i++) {
                FakeSession.writeInt(arguments[2] + 4L * i, 1_000 + i);
            }
            return 0;
        });

        List<VgpuType> types = host.supportedTypes().orThrow();

        assertThat(types).hasSize(40);
        assertThat(types.getLast().id()).isEqualTo(1_039);
    }

    @Test
    void callsAboutAVgpuAreSeenAsCallsToItsGpu() {
        session.with("nvmlVgpuInstanceGetType", arguments -> {
            FakeSession.writeInt(arguments[1], (int) arguments[0] + 1);
            return 0;
        });

        assertThat(vgpu.typeId().orThrow()).isEqualTo(78);
        assertThat(session.log.lines()).first().isEqualTo("before nvmlVgpuInstanceGetType on 3");
    }

    @Test
    void nameFitsItsBuffer() {
        session.with("nvmlVgpuTypeGetName", arguments -> {
            int room = FakeSession.readInt(arguments[2]);
            FakeLibrary.memory(arguments[1], room).fill((byte) 'x');
            return 0;
        });

        assertThat(host.type(5).name().orThrow()).isEqualTo("x".repeat(64));
    }

    @Test
    void typeThatNeedsNoMigHasNoProfile() {
        session.with("nvmlVgpuTypeGetGpuInstanceProfileId", arguments -> {
            FakeSession.writeInt(arguments[1], -1);
            return 0;
        });

        assertThat(host.type(5).gpuInstanceProfileId())
                .isEqualTo(new Answer.Unavailable<>(NvmlFunction.nvmlVgpuTypeGetGpuInstanceProfileId));
    }

    @Test
    void whatTheGuestDriverMustTellIsUnavailableWithoutOne() {
        session.with("nvmlVgpuInstanceGetVmDriverVersion", text("Not Available"))
                .with("nvmlVgpuInstanceGetGpuPciId", text("00000000:00:00.0"));

        assertThat(vgpu.guestDriverVersion())
                .isEqualTo(new Answer.Unavailable<>(NvmlFunction.nvmlVgpuInstanceGetVmDriverVersion));
        assertThat(vgpu.guestPciAddress())
                .isEqualTo(new Answer.Unavailable<>(NvmlFunction.nvmlVgpuInstanceGetGpuPciId));
    }

    @Test
    void whatTheGuestDriverTellsIsTold() {
        session.with("nvmlVgpuInstanceGetVmDriverVersion", text("580.95.05"))
                .with("nvmlVgpuInstanceGetGpuPciId", text("00000000:02:00.0"));

        assertThat(vgpu.guestDriverVersion().orThrow()).isEqualTo("580.95.05");
        assertThat(vgpu.guestPciAddress().orThrow()).isEqualTo("00000000:02:00.0");
    }

    @ParameterizedTest
    @CsvSource({"0, DOMAIN_ID", "1, UUID", "2, "})
    void idOfAMachineSaysWhatItIs(int kind, Vgpu.IdKind known) {
        session.with("nvmlVgpuInstanceGetVmID", arguments -> {
            FakeLibrary.memory(arguments[1], arguments[2]).setString(0, "vm-9", StandardCharsets.US_ASCII);
            FakeSession.writeInt(arguments[3], kind);
            return 0;
        });

        assertThat(vgpu.vm().orThrow()).isEqualTo(new Vgpu.Vm("vm-9", new Coded<>(kind, Optional.ofNullable(known))));
    }

    private void license(int status, int month) {
        session.with("nvmlVgpuInstanceGetLicenseInfo_v2", arguments -> {
            FakeSession.struct(arguments[1], nvmlVgpuLicenseInfo_t)
                    .setByte("isLicensed", 1)
                    .set("currentState", 5);
            long expiry = arguments[1] + Layouts.offset(nvmlVgpuLicenseInfo_t, "licenseExpiry");
            FakeSession.Struct struct = FakeSession.struct(expiry, nvmlVgpuLicenseExpiry_t)
                    .set("year", 2_027)
                    .setByte("status", status);
            int value = month;
            for (String member : List.of("month", "day", "hour", "min", "sec")) {
                struct.memory().set(JAVA_SHORT, Layouts.offset(nvmlVgpuLicenseExpiry_t, member), (short) value++);
            }
            return 0;
        });
    }

    @Test
    void licenceHasAnEndWhereThatIsKnown() {
        license(2, 8);

        assertThat(vgpu.license().orThrow())
                .isEqualTo(new VgpuLicense(
                        true,
                        new Coded<>(5, Optional.of(VgpuLicense.State.LICENSED)),
                        new Coded<>(2, Optional.of(VgpuLicense.Expiry.VALID)),
                        Optional.of(LocalDateTime.of(2_027, 8, 9, 10, 11, 12))));
    }

    @Test
    void permanentLicenceHasNone() {
        license(4, 8);

        assertThat(vgpu.license().orThrow().expiryKind().known()).contains(VgpuLicense.Expiry.PERMANENT);
        assertThat(vgpu.license().orThrow().expiry()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 13})
    void endThatIsNoDateIsNotTold(int month) {
        license(2, month);

        assertThat(vgpu.license().orThrow().expiry()).isEmpty();
    }

    /** Answers a struct that holds a count and an array, as often as the array is too small. */
    private static FakeLibrary.Body samples(StructLayout head, String count, String array, StructLayout sample, int n) {
        return arguments -> {
            FakeSession.Struct question = FakeSession.struct(arguments[1], head);
            int room = question.getInt(count);
            question.set(count, n);
            if (question.getInt("version") != Layouts.version(head, 1) || question.getLong("lastSeenTimeStamp") != 99) {
                return NvmlReturn.INVALID_ARGUMENT.code();
            }
            if (room < n) {
                return NvmlReturn.INSUFFICIENT_SIZE.code();
            }
            for (int i = 0; i < n; i++) {
                FakeSession.Struct entry = FakeSession.struct(question.getLong(array) + i * sample.byteSize(), sample)
                        .set("timeStamp", 1_000L + i)
                        .set("vgpuInstance", 10 + i);
                int value = 1;
                for (String member : List.of("smUtil", "memUtil", "encUtil", "decUtil", "jpgUtil", "ofaUtil")) {
                    entry.set(member, value++);
                }
            }
            return 0;
        };
    }

    @Test
    void utilizationIsReadOfEachVgpu() {
        session.with(
                "nvmlDeviceGetVgpuInstancesUtilizationInfo",
                samples(
                        nvmlVgpuInstancesUtilizationInfo_v1_t,
                        "vgpuInstanceCount",
                        "vgpuUtilArray",
                        nvmlVgpuInstanceUtilizationInfo_v1_t,
                        33));

        List<VgpuUtilization> utilization = host.utilization(99).orThrow();

        assertThat(utilization).hasSize(33);
        assertThat(utilization.getLast()).isEqualTo(new VgpuUtilization(42, Optional.empty(), 1_032, 1, 2, 3, 4, 5, 6));
    }

    @Test
    void utilizationIsReadOfEachProcess() {
        FakeLibrary.Body driver = samples(
                nvmlVgpuProcessesUtilizationInfo_v1_t,
                "vgpuProcessCount",
                "vgpuProcUtilArray",
                nvmlVgpuProcessUtilizationInfo_v1_t,
                1);
        session.with("nvmlDeviceGetVgpuProcessesUtilizationInfo", arguments -> {
            int code = driver.call(arguments);
            long array = FakeSession.struct(arguments[1], nvmlVgpuProcessesUtilizationInfo_v1_t)
                    .getLong("vgpuProcUtilArray");
            FakeSession.struct(array, nvmlVgpuProcessUtilizationInfo_v1_t)
                    .set("pid", 4_711)
                    .memory()
                    .setString(0, "python", StandardCharsets.US_ASCII);
            return code;
        });

        assertThat(host.processUtilization(99).orThrow())
                .containsExactly(new VgpuUtilization(
                        10, Optional.of(new VgpuUtilization.Guest(4_711, "python")), 1_000, 1, 2, 3, 4, 5, 6));
    }

    @ParameterizedTest
    @CsvSource({"1, false, 2000000, ", "2, true, 3000000, 2000000"})
    void schedulersParametersMeanWhatTheModeSays(int arrMode, boolean adaptive, long timeSlice, Long factor) {
        session.with("nvmlDeviceGetVgpuSchedulerState", arguments -> {
            FakeSession.struct(arguments[1], nvmlVgpuSchedulerGetState_t)
                    .set("schedulerPolicy", 2)
                    .set("arrMode", arrMode);
            long words = arguments[1] + Layouts.offset(nvmlVgpuSchedulerGetState_t, "schedulerParams");
            FakeSession.writeInt(words, 2_000_000);
            FakeSession.writeInt(words + 4, 3_000_000);
            return 0;
        });

        assertThat(host.scheduler().setting().orThrow())
                .isEqualTo(new VgpuScheduler.Setting(
                        new Coded<>(2, Optional.of(VgpuScheduler.Policy.EQUAL_SHARE)),
                        adaptive,
                        timeSlice,
                        factor == null ? OptionalLong.empty() : OptionalLong.of(factor)));
    }

    @Test
    void schedulersPoliciesAreThoseItHas() {
        session.with("nvmlDeviceGetVgpuSchedulerCapabilities", arguments -> {
            FakeSession.writeInt(arguments[1], 1);
            FakeSession.writeInt(arguments[1] + 4, 3);
            FakeSession.struct(arguments[1], nvmlVgpuSchedulerCapabilities_t)
                    .set("minTimeslice", 1_000_000)
                    .set("maxTimeslice", 30_000_000);
            return 0;
        });

        assertThat(host.scheduler().capabilities().orThrow().policies())
                .extracting(policy -> policy.known().orElseThrow())
                .containsExactly(VgpuScheduler.Policy.BEST_EFFORT, VgpuScheduler.Policy.FIXED_SHARE);
    }

    @ParameterizedTest
    @CsvSource({"2, 2", "-1, 200"})
    void logHasNoMoreTurnsThanItHasRoomFor(int count, int read) {
        session.with("nvmlDeviceGetVgpuSchedulerLog", arguments -> {
            FakeSession.struct(arguments[1], nvmlVgpuSchedulerLog_t).set("entriesCount", count);
            long second = arguments[1]
                    + Layouts.offset(nvmlVgpuSchedulerLog_t, "logEntries")
                    + nvmlVgpuSchedulerLogEntry_t.byteSize();
            FakeSession.struct(second, nvmlVgpuSchedulerLogEntry_t)
                    .set("timestamp", 1L)
                    .set("timeRunTotal", 2L)
                    .set("timeRun", 3L)
                    .set("swRunlistId", 4)
                    .set("targetTimeSlice", 5L)
                    .set("cumulativePreemptionTime", 6L);
            return 0;
        });

        List<VgpuScheduler.Turn> turns = host.scheduler().log().orThrow().turns();

        assertThat(turns).hasSize(read);
        assertThat(turns.get(1)).isEqualTo(new VgpuScheduler.Turn(1, 4, 3, 2, 5, 6));
    }

    @Test
    void managersVersionsAreTwoRanges() {
        session.with("nvmlGetVgpuVersion", arguments -> {
            for (int i = 0; i < 2; i++) {
                FakeSession.writeInt(arguments[i], 10 * (i + 1));
                FakeSession.writeInt(arguments[i] + 4, 30);
            }
            return 0;
        });

        assertThat(new VgpuManager(session.calls).versions().orThrow())
                .isEqualTo(new VgpuManager.Versions(new VgpuManager.Range(10, 30), new VgpuManager.Range(20, 30)));
    }
}
