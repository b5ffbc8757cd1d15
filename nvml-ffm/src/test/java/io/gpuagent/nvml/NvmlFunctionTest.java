// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.nvml.abi.HeaderParser;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The functions that are bound, held against the header. */
class NvmlFunctionTest {
    /** Words, as a C name spells them in its capitals, of functions that change something or make something to free. */
    private static final Set<String> CHANGING = Set.of(
            "Set",
            "Create",
            "Destroy",
            "Reset",
            "Clear",
            "Remove",
            "Modify",
            "Freeze",
            "Update",
            "Activate",
            "Register",
            "Discover",
            "Write",
            "Alloc",
            "Free",
            "Enable",
            "Disable",
            "Add",
            "Restore",
            "Inject",
            "Attach",
            "Detach");

    private static final Pattern WORDS = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_");

    private static Map<String, HeaderParser.Function> header;

    @BeforeAll
    static void readHeader() throws IOException {
        header = HeaderParser.ofVendoredHeader().functions();
    }

    @ParameterizedTest
    @EnumSource
    void everyNameIsInTheHeaderWithTheSameParameters(NvmlFunction function) {
        assertThat(function.candidates()).first().isEqualTo(function.name());
        for (String name : function.candidates()) {
            assertThat(header).containsKey(name);
            assertThat(header.get(name).kinds()).as(name).isEqualTo(function.parameters());
            assertThat(header.get(name).returns()).as(name).isEqualTo('I');
        }
    }

    /** Where the type behind a pointer differs, the older function is one of its own and no candidate. */
    @ParameterizedTest
    @EnumSource
    void olderNamesTakeTheSameTypes(NvmlFunction function) {
        List<List<String>> types = function.candidates().stream()
                .map(name -> types(header.get(name).parameters()))
                .distinct()
                .toList();

        assertThat(types).hasSize(1);
    }

    private static List<String> types(String parameters) {
        return Stream.of(parameters.split(",", -1))
                .map(parameter -> parameter.replaceFirst("\\w+$", "").strip())
                .toList();
    }

    @Test
    void noNameStandsForTwoFunctions() {
        Map<String, Long> uses = Stream.of(NvmlFunction.values())
                .flatMap(function -> function.candidates().stream())
                .collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));

        assertThat(uses.values()).containsOnly(1L);
    }

    @ParameterizedTest
    @EnumSource
    void noneOfThemChangesAnything(NvmlFunction function) {
        assertThat(function.candidates()).noneMatch(NvmlFunctionTest::isChanging);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nvmlDeviceSetMigMode",
                "nvmlDeviceCreateGpuInstanceWithPlacement",
                "nvmlGpuInstanceDestroy",
                "nvmlDeviceResetGpuLockedClocks",
                "nvmlDeviceClearEccErrorCounts",
                "nvmlDeviceRemoveGpu_v2",
                "nvmlDeviceModifyDrainState",
                "nvmlDeviceFreezeNvLinkUtilizationCounter"
            })
    void changingOnesWouldBeNoticed(String function) {
        assertThat(header).containsKey(function);
        assertThat(isChanging(function)).isTrue();
    }

    private static boolean isChanging(String name) {
        return WORDS.splitAsStream(name).anyMatch(CHANGING::contains);
    }
}
