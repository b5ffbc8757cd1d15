// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.gpuagent.nvml.abi.HeaderParser;
import java.io.IOException;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Enums have the numbers of nvml.h, all of them. */
class EnumNumbersTest {
    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|//[^\\n]*", Pattern.DOTALL);
    private static final Pattern CONSTANT = Pattern.compile("(NVML_\\w+)\\s*(?:=\\s*([^,]+))?");

    private static String header;

    @BeforeAll
    static void readHeader() throws IOException {
        header = COMMENT.matcher(Files.readString(HeaderParser.nativeFolder().resolve("nvml.h")))
                .replaceAll("");
    }

    static Stream<Arguments> enums() {
        return Stream.of(
                arguments(Brand.class, "nvmlBrandType_t"),
                arguments(ComputeMode.class, "nvmlComputeMode_t"),
                arguments(Board.BridgeChip.Type.class, "nvmlBridgeChipType_t"),
                arguments(Firmware.InforomObject.class, "nvmlInforomObject_t"),
                arguments(Licensing.Kind.class, "nvmlGridLicenseFeatureCode_t"),
                arguments(Modes.Addressing.class, "nvmlDeviceAddressingModeType_t"),
                arguments(Modes.Virtualization.class, "nvmlGpuVirtualizationMode_t"),
                arguments(Modes.RestrictedApi.class, "nvmlRestrictedAPI_t"),
                arguments(Modes.OperationMode.class, "nvmlGpuOperationMode_t"),
                arguments(Samples.Kind.class, "nvmlSamplingType_t"),
                arguments(Utilization.Domain.class, "nvmlGpuUtilizationDomainId_t"),
                arguments(Encoder.Codec.class, "nvmlEncoderType_t"),
                arguments(FrameCapture.Type.class, "nvmlFBCSessionType_t"),
                arguments(Sensor.Target.class, "nvmlThermalTarget_t"),
                arguments(Sensor.Controller.class, "nvmlThermalController_t"),
                arguments(Fans.Cooler.Control.class, "nvmlCoolerControl_t"),
                arguments(Clocks.Domain.class, "nvmlClockType_t"),
                arguments(Clocks.Kind.class, "nvmlClockId_t"),
                arguments(Clocks.Policy.class, "nvmlPerfPolicyType_t"),
                arguments(WorkloadProfiles.Kind.class, "nvmlPowerProfileType_t"));
    }

    static Stream<Arguments> macros() {
        return Stream.of(
                arguments(Board.BusType.class, "NVML_BUS_TYPE_"),
                arguments(Architecture.class, "NVML_DEVICE_ARCH_"),
                arguments(Affinity.Scope.class, "NVML_AFFINITY_SCOPE_"),
                arguments(Licensing.ExpiryStatus.class, "NVML_GRID_LICENSE_EXPIRY_"),
                arguments(Fans.Policy.class, "NVML_FAN_POLICY_"),
                arguments(Power.Source.class, "NVML_POWER_SOURCE_"),
                arguments(Power.PowerMizer.Mode.class, "NVML_POWER_MIZER_MODE_"));
    }

    @ParameterizedTest
    @MethodSource
    void enums(Class<? extends CEnum> type, String typedef) {
        assertThat(numbers(type)).isEqualTo(new TreeSet<>(constants(typedef).values()));
    }

    @ParameterizedTest
    @MethodSource
    void macros(Class<? extends CEnum> type, String prefix) {
        assertThat(numbers(type))
                .isEqualTo(Pattern.compile("#define\\s+" + prefix + "\\w+\\s+(\\w+)")
                        .matcher(header)
                        .results()
                        .map(define -> Long.decode(define.group(1)).intValue())
                        .filter(number -> number != Queries.NOT_AVAILABLE_32)
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    @Test
    void coolerTargetsAreTheBitsOfTheHeader() {
        assertThat(constants("nvmlCoolerTarget_t")).hasSize(5);
        assertThat(numbers(Fans.Cooler.Target.class)).containsExactly(1, 2, 4, 8);
    }

    @Test
    void numberThatTheHeaderDoesNotHaveStaysReadable() {
        Coded<Brand> brand = Coded.of(99, Brand.class);

        assertThat(brand).isEqualTo(new Coded<Brand>(99, Optional.empty()));
        assertThat(brand).hasToString("99");
        assertThat(Coded.of(14, Brand.class)).hasToString("NVIDIA");
    }

    private static Set<Integer> numbers(Class<? extends CEnum> type) {
        List<Integer> codes =
                Stream.of(type.getEnumConstants()).map(CEnum::code).toList();
        assertThat(codes).doesNotHaveDuplicates();
        return new TreeSet<>(codes);
    }

    /** The constants of an enum but for those that only count the others. */
    private static Map<String, Integer> constants(String typedef) {
        MatchResult found = Pattern.compile("typedef enum[^{;]*\\{([^}]*)\\}\\s*" + typedef + "\\s*;")
                .matcher(header)
                .results()
                .findFirst()
                .orElseThrow();
        Map<String, Integer> constants = new LinkedHashMap<>();
        int next = 0;
        for (MatchResult constant : CONSTANT.matcher(found.group(1)).results().toList()) {
            int number =
                    constant.group(2) == null ? next : value(constant.group(2).strip(), constants, next);
            constants.put(constant.group(1), number);
            next = number + 1;
        }
        constants.keySet().removeIf(name -> name.endsWith("_COUNT") || name.endsWith("_PROFILE_MAX"));
        return constants;
    }

    private static int value(String expression, Map<String, Integer> constants, int next) {
        if (expression.matches("-?\\d+|0x\\p{XDigit}+")) {
            return Integer.decode(expression);
        }
        if (expression.matches("1 << \\d")) {
            return 1 << Integer.parseInt(expression.substring(5));
        }
        return constants.getOrDefault(expression, next);
    }
}
