// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.ClockLayouts.nvmlClockOffset_v1_t;
import static io.gpuagent.nvml.internal.ControlLayouts.nvmlPowerSmoothingProfile_v1_t;
import static io.gpuagent.nvml.internal.ControlLayouts.nvmlPowerValue_v2_t;
import static io.gpuagent.nvml.internal.ControlLayouts.nvmlWorkloadPowerProfileRequestedProfiles_v1_t;
import static io.gpuagent.nvml.internal.Layouts.nvmlPciInfo_t;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.nvml.internal.Layouts;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What setters hand to the library. */
class ControlTest {
    private final FakeSession session = new FakeSession(Access.CONTROL);
    private final Control control = session.gpu(0).control();
    private final List<Long> seen = new ArrayList<>();

    private FakeLibrary.Body remembering(int code) {
        return arguments -> {
            for (int i = 1; i < arguments.length; i++) {
                seen.add(arguments[i]);
            }
            return code;
        };
    }

    @Test
    void powerLimitGoesToTheNewestFunction() {
        session.with("nvmlDeviceSetPowerManagementLimit_v2", arguments -> {
                    FakeSession.Struct value = FakeSession.struct(arguments[1], nvmlPowerValue_v2_t);
                    seen.add((long) value.getInt("version"));
                    seen.add((long) value.getByte("powerScope"));
                    seen.add((long) value.getInt("powerValueMw"));
                    return 0;
                })
                .with("nvmlDeviceSetPowerManagementLimit", NvmlReturn.UNKNOWN);

        assertThat(control.power().limit(PowerControl.Scope.MODULE, 600_000)).isEqualTo(new Answer.Value<>(Done.DONE));
        assertThat(control.power().limit(500_000)).isEqualTo(new Answer.Value<>(Done.DONE));
        assertThat(seen).containsExactly(0x0200_000CL, 1L, 600_000L, 0x0200_000CL, 0L, 500_000L);
    }

    @Test
    void powerLimitGoesToTheOldFunctionWhereThereIsNoOther() {
        session.with("nvmlDeviceSetPowerManagementLimit", remembering(0));

        assertThat(control.power().limit(500_000)).isEqualTo(new Answer.Value<>(Done.DONE));
        assertThat(seen).containsExactly(500_000L);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 25, 999})
    void powerLimitThatTheDriverRefusesIsNotTriedAgain(int code) {
        session.with("nvmlDeviceSetPowerManagementLimit_v2", new NvmlReturn(code))
                .with("nvmlDeviceSetPowerManagementLimit", remembering(0));

        assertThat(control.power().limit(9_000_000))
                .isEqualTo(
                        new Answer.Refused<>(NvmlFunction.nvmlDeviceSetPowerManagementLimit_v2, new NvmlReturn(code)));
        assertThat(seen).isEmpty();
    }

    @Test
    void profilesAreBitsOfTheMask() {
        session.with("nvmlDeviceWorkloadPowerProfileSetRequestedProfiles", arguments -> {
            long mask = arguments[1]
                    + Layouts.offset(nvmlWorkloadPowerProfileRequestedProfiles_v1_t, "requestedProfilesMask");
            for (int i = 0; i < 8; i++) {
                seen.add((long) FakeSession.readInt(mask + 4L * i));
            }
            return 0;
        });
        BitSet profiles = new BitSet();
        profiles.set(0);
        profiles.set(33);

        control.power().requestProfiles(profiles);

        assertThat(seen).containsExactly(1L, 2L, 0L, 0L, 0L, 0L, 0L, 0L);
    }

    @Test
    void smoothingParameterIsADouble() {
        List<Double> values = new ArrayList<>();
        session.with("nvmlDevicePowerSmoothingUpdatePresetProfileParam", arguments -> {
            FakeSession.Struct profile = FakeSession.struct(arguments[1], nvmlPowerSmoothingProfile_v1_t);
            seen.add((long) profile.getInt("profileId"));
            seen.add((long) profile.getInt("paramId"));
            values.add(profile.memory().get(JAVA_DOUBLE, Layouts.offset(profile.layout(), "value")));
            return 0;
        });

        control.power().smoothingParameter(4, PowerControl.SmoothingParameter.RAMP_DOWN_RATE, 12.5);

        assertThat(seen).containsExactly(4L, 2L);
        assertThat(values).containsExactly(12.5);
    }

    @Test
    void clockOffsetMayBeNegative() {
        session.with("nvmlDeviceSetClockOffsets", arguments -> {
            FakeSession.Struct info = FakeSession.struct(arguments[1], nvmlClockOffset_v1_t);
            seen.add((long) info.getInt("type"));
            seen.add((long) info.getInt("pstate"));
            seen.add((long) info.getInt("clockOffsetMHz"));
            return 0;
        });

        control.clocks().offset(Clocks.Domain.MEMORY, 8, -150);

        assertThat(seen).containsExactly(2L, 8L, -150L);
    }

    @Test
    void clocksAreLockedBetweenTwoValues() {
        session.with("nvmlDeviceSetGpuLockedClocks", remembering(0))
                .with("nvmlDeviceSetMemoryLockedClocks", remembering(0));

        control.clocks().lockGraphics(210, 1_980);
        control.clocks().lockMemory(1_593, 3_201);

        assertThat(seen).containsExactly(210L, 1_980L, 1_593L, 3_201L);
    }

    @ParameterizedTest
    @CsvSource({"DEFAULT, 0", "PROHIBITED, 2", "EXCLUSIVE_PROCESS, 3"})
    void computeModeIsTheHeadersNumber(ComputeMode mode, long number) {
        session.with("nvmlDeviceSetComputeMode", remembering(0));

        control.computeMode(mode);

        assertThat(seen).containsExactly(number);
    }

    @ParameterizedTest
    @CsvSource({"VOLATILE, 0", "AGGREGATE, 1"})
    void errorsAreClearedOfOneKind(Ecc.Counter counter, long number) {
        session.with("nvmlDeviceClearEccErrorCounts", remembering(0));

        control.clearEccErrors(counter);

        assertThat(seen).containsExactly(number);
    }

    @Test
    void acousticThresholdIsHandedOverByReference() {
        session.with("nvmlDeviceSetTemperatureThreshold", arguments -> {
            seen.add(arguments[1]);
            seen.add((long) FakeLibrary.memory(arguments[2], Integer.BYTES).get(JAVA_INT, 0));
            return 0;
        });

        control.cooling().acousticThreshold(75);

        assertThat(seen).containsExactly(5L, 75L);
    }

    @Test
    void gpuToDrainIsNamedByItsPlaceOnTheBus() {
        List<String> names = new ArrayList<>();
        session.with("nvmlDeviceModifyDrainState", arguments -> {
            FakeSession.Struct pci = FakeSession.struct(arguments[0], nvmlPciInfo_t);
            names.add(pci.getString("busId"));
            names.add(pci.getString("busIdLegacy"));
            seen.add((long) pci.getInt("domain"));
            seen.add((long) pci.getInt("bus"));
            seen.add((long) pci.getInt("device"));
            seen.add(arguments[1]);
            return NvmlReturn.IN_USE.code();
        });

        Answer<Done> answer =
                new PciDevices(session.calls).drain(new Identity.PciInfo(0x1_0000, 0xAB, 0x1F, 0, 0), true);

        assertThat(answer).isEqualTo(new Answer.Refused<>(NvmlFunction.nvmlDeviceModifyDrainState, NvmlReturn.IN_USE));
        assertThat(names).containsExactly("00010000:AB:1F.0", "0000:AB:1F.0");
        assertThat(seen).containsExactly(0x1_0000L, 0xABL, 0x1FL, 1L);
    }

    @Test
    void removalSaysWhatBecomesOfDeviceAndLink() {
        session.with("nvmlDeviceRemoveGpu_v2", remembering(0));
        PciDevices devices = new PciDevices(session.calls);

        devices.remove(new Identity.PciInfo(0, 1, 0, 0, 0), true, false);
        devices.remove(new Identity.PciInfo(0, 1, 0, 0, 0), false, true);

        assertThat(seen).containsExactly(1L, 0L, 0L, 1L);
    }
}
