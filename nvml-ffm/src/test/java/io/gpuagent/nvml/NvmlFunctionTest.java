// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.nvml.abi.HeaderParser;
import java.io.IOException;
import java.util.EnumSet;
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
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The functions that are bound, held against the header. */
class NvmlFunctionTest {
    /** Words, as a C name spells them in its capitals, that say that a function only asks or waits. */
    private static final Set<String> READING =
            Set.of("Get", "Query", "Is", "On", "Wait", "Validate", "String", "Init", "Shutdown", "Read");

    /** Words that say that a function changes something or makes something that must be freed. */
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
            "Free");

    /** Nouns that look like one of the words above. */
    private static final Pattern NOUNS = Pattern.compile("(Event|Gpu)Set");

    /** What the words of a name get wrong, and why. */
    private static final Map<String, Effect> EXCEPTIONS = Map.ofEntries(
            // An event set and what it is registered for belong to this process.
            Map.entry("nvmlDeviceRegisterEvents", Effect.READS),
            Map.entry("nvmlEventSetCreate", Effect.READS),
            Map.entry("nvmlEventSetFree", Effect.READS),
            Map.entry("nvmlSystemEventSetCreate", Effect.READS),
            Map.entry("nvmlSystemEventSetFree", Effect.READS),
            Map.entry("nvmlSystemRegisterEvents", Effect.READS),
            // A sample is memory of this process.
            Map.entry("nvmlGpmSampleAlloc", Effect.READS),
            Map.entry("nvmlGpmSampleFree", Effect.READS),
            // Which of the two it does is in its argument.
            Map.entry("nvmlDeviceReadWritePRM_v1", Effect.CHANGES));

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

    static Set<String> functionsOfTheHeader() {
        return header.keySet();
    }

    @ParameterizedTest
    @MethodSource("functionsOfTheHeader")
    void everyNameOfTheHeaderSaysWhetherItsFunctionChangesSomething(String function) {
        assertThat(effects(function)).hasSize(1);
    }

    @Test
    void exceptionsAreNeeded() {
        assertThat(header.keySet()).containsAll(EXCEPTIONS.keySet());
        EXCEPTIONS.forEach((function, effect) ->
                assertThat(effectsOfWords(function)).as(function).isNotEqualTo(Set.of(effect)));
    }

    @ParameterizedTest
    @EnumSource
    void effectIsWhatTheNameSays(NvmlFunction function) {
        for (String name : function.candidates()) {
            assertThat(effects(name)).containsExactly(function.effect());
        }
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
                "nvmlDeviceDiscoverGpus",
                "nvmlDevicePowerSmoothingActivatePresetProfile",
                "nvmlDeviceFreezeNvLinkUtilizationCounter"
            })
    void theseChangeSomething(String function) {
        assertThat(header).containsKey(function);
        assertThat(effects(function)).containsExactly(Effect.CHANGES);
    }

    private static Set<Effect> effects(String function) {
        return EXCEPTIONS.containsKey(function) ? Set.of(EXCEPTIONS.get(function)) : effectsOfWords(function);
    }

    private static Set<Effect> effectsOfWords(String function) {
        List<String> words =
                WORDS.splitAsStream(NOUNS.matcher(function).replaceAll("Thing")).toList();
        Set<Effect> effects = EnumSet.noneOf(Effect.class);
        if (words.stream().anyMatch(READING::contains)) {
            effects.add(Effect.READS);
        }
        if (words.stream().anyMatch(CHANGING::contains)) {
            effects.add(Effect.CHANGES);
        }
        return effects;
    }
}
