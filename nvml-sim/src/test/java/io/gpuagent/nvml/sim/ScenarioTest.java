// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScenarioTest {
    private static final String ACTIONS = "answer, delay, driver-install, driver-load, driver-unload, event, garbage,"
            + " gpu-remove, gpu-return, hang, heal, lose, mig-create, mig-destroy, mig-mode, missing, process-start,"
            + " process-stop, reboot, release, reset-counters, set, xid";

    private final ManualNanos time = new ManualNanos();
    private final SimulatedDriver driver = SimulatedDriver.start(SimProfile.parse("h200x2"), time);

    private void play(String yaml) {
        driver.play(Scenario.parse("trouble.yaml", yaml, 2));
    }

    private void atSecond(long second) {
        time.advanceSeconds(second - (time.getAsLong() / 1_000_000_000L));
        driver.advance();
    }

    @Test
    void stepsHappenAtTheirTime() {
        play("""
                - {at: 20s, gpu: 1, do: answer, function: nvmlDeviceGetPowerUsage, code: 15, times: 1}
                - {at: 10s, gpu: 1, do: set, utilization: 80, temperature: 91, uncorrected-errors: 2}
                - {at: 1m, gpu: 1, do: heal}
                - {at: 61, do: answer, code: 0x9}
                """);
        atSecond(9);
        assertThat(driver.gpu(1).sensors().temperature()).isNotEqualTo(91);

        atSecond(10);
        assertThat(driver.gpu(1).sensors().temperature()).isEqualTo(91);
        assertThat(driver.gpu(1).sensors().gpuPercent()).isEqualTo(80);
        assertThat(driver.gpu(1).state().eccErrors(1, 1)).isEqualTo(2);
        assertThat(driver.gpu(1).faults().forced("nvmlDeviceGetPowerUsage")).isEmpty();

        atSecond(59);
        assertThat(driver.gpu(1).faults().forced("nvmlDeviceGetPowerUsage")).isEqualTo(OptionalInt.of(15));
        assertThat(driver.gpu(1).faults().forced("nvmlDeviceGetPowerUsage")).isEmpty();

        atSecond(300);
        assertThat(driver.gpu(1).sensors().temperature()).isNotEqualTo(91);
        assertThat(driver.faults().forced("nvmlShutdown")).isEqualTo(OptionalInt.of(9));
    }

    @Test
    void allMistakesAreToldWithTheirPlaces() {
        ScenarioException told = catchThrowableOfType(ScenarioException.class, () -> play("""
                - {at: soon, gpu: 1, do: hang}
                - {at: 1s, gpu: 2, do: hang}
                - {at: 1s, gpu: 1, do: explode}
                - {at: 1s, gpu: 1, do: set, temperatur: 5}
                - {at: 1s, do: lose}
                - {at: 1s, gpu: 1, do: answer, function: nvmlDeviceGetPower}
                - at: 1s
                - hang
                - {at: 1s, gpu: 1, do: xid}
                - {at: 1s, gpu: 1, do: mig-create, start: 0}
                """));

        assertThat(told.mistakes())
                .containsExactly(
                        "trouble.yaml:1:8: soon is not a time such as 500ms, 90s, 5m or 1h",
                        "trouble.yaml:2:17: 2 is not a whole number from 0 to 1",
                        "trouble.yaml:3:24: explode is none of " + ACTIONS,
                        "trouble.yaml:4:29: do: set has no temperatur; did you mean temperature?",
                        "trouble.yaml:5:16: do: lose needs a gpu",
                        "trouble.yaml:6:42: nvmlDeviceGetPower is not a function of nvml.h",
                        "trouble.yaml:6:24: code is missing",
                        "trouble.yaml:7:3: do is missing: one of " + ACTIONS,
                        "trouble.yaml:8:3: a step is a mapping such as {at: 10s, gpu: 1, do: hang}",
                        "trouble.yaml:9:24: code is missing",
                        "trouble.yaml:10:24: profile is missing");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{at: 1s, gpu: 1, do: hang, functoin: nvmlInit_v2}   | 30: do: hang has no functoin; did you mean function?",
                "{at: 1s, gpu: 1, do: hang, why: me}                 | 30: do: hang has no why; it has at, gpu, do,"
                        + " function, every, nth, times",
                "{at: 1s, do: hang, function: nvmlDeviceGetPowrUsage} | 32: nvmlDeviceGetPowrUsage is not a function of"
                        + " nvml.h; did you mean nvmlDeviceGetPowerUsage?",
                "{at: 1s, do: hang, function: nvmldevicegetname}     | 32: nvmldevicegetname is not a function of nvml.h;"
                        + " did you mean nvmlDeviceGetName?",
                "{at: 1s, do: delay}                                 | 16: for is missing: how much longer the calls take,"
                        + " such as 500ms or 46s",
                "{at: 1s, do: delay, for: long}                      | 28: long is not a time such as 500ms, 90s, 5m or 1h",
                "{at: 1s, do: garbage, with: onse}                   | 31: onse is none of ones, random, counts, and no"
                        + " whole number; did you mean ones?",
                "{at: 1s, do: garbage}                               | 16: with is missing",
                "{at: 1s, do: answer, code: 3, nth: 0}               | 38: 0 is not a whole number from 1 to 2147483647",
                "{at: 1s, do: missing, function: nvmlInit_v2}        | 8: a function does not vanish from a loaded library,"
                        + " so do: missing needs at: 0s",
                "{at: 0s, do: missing}                               | 16: function is missing",
                "{at: 1s, do: reset-counters}                        | 16: do: reset-counters needs a gpu",
                "{at: 1s, at: 2s, gpu: 1, do: hang}                  | 12: at is there twice"
            })
    void mistakesAreOneSentenceWithPlaceAndTheNearestWord(String step, String told) {
        ScenarioException mistake = catchThrowableOfType(ScenarioException.class, () -> play("- " + step));

        assertThat(mistake.mistakes()).containsExactly("trouble.yaml:1:" + told);
    }

    @Test
    void anActionThatIsNearlyOneIsAnsweredWithThatOne() {
        ScenarioException mistake =
                catchThrowableOfType(ScenarioException.class, () -> play("- {at: 1s, gpu: 1, do: hnag}"));

        assertThat(mistake.mistakes())
                .containsExactly("trouble.yaml:1:24: hnag is none of " + ACTIONS + "; did you mean hang?");
    }

    @Test
    void whatIsNotYamlIsToldWithItsPlace() {
        ScenarioException told = catchThrowableOfType(ScenarioException.class, () -> play("- {at: 1s"));

        assertThat(told.mistakes()).singleElement().asString().startsWith("trouble.yaml:1:");
    }

    @Test
    void timesAndCodesOutOfRangeAreMistakes() {
        ScenarioException told = catchThrowableOfType(ScenarioException.class, () -> play("""
                - {at: 999999999h, gpu: 1, do: hang}
                - {at: 87601h, gpu: 1, do: hang}
                - {at: 87600h, gpu: 1, do: hang}
                - {at: 1s, gpu: 1, do: answer, code: 0}
                - {at: 1s, gpu: 1, do: answer, code: 1000}
                """));

        assertThat(told.mistakes())
                .containsExactly(
                        "trouble.yaml:1:8: 999999999h is more than the 87600h that a scenario may take",
                        "trouble.yaml:2:8: 87601h is more than the 87600h that a scenario may take",
                        "trouble.yaml:4:38: 0 is not a whole number from 1 to 999",
                        "trouble.yaml:5:38: 1000 is not a whole number from 1 to 999");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{a: ", "- "})
    void deepNestingIsAMistake(String opening) {
        ScenarioException told = catchThrowableOfType(ScenarioException.class, () -> play(opening.repeat(200_000)));

        assertThat(told.mistakes())
                .singleElement()
                .asString()
                .startsWith("trouble.yaml:1:")
                .endsWith(": lists and mappings are nested more than 50 levels deep");
    }

    @Test
    void filesWithoutAnEndAreRefused(@TempDir Path folder) throws IOException {
        Path large = Files.write(folder.resolve("large.yaml"), new byte[(1 << 20) + 1]);
        Path latin = Files.write(folder.resolve("latin.yaml"), new byte[] {'#', (byte) 0xE9, '\n'});

        assertThatThrownBy(() -> Scenario.read(Path.of("/dev/zero"), 2))
                .isInstanceOf(ScenarioException.class)
                .hasMessage("/dev/zero is not a regular file");
        assertThatThrownBy(() -> Scenario.read(folder, 2))
                .isInstanceOf(ScenarioException.class)
                .hasMessage(folder + " is not a regular file");
        assertThatThrownBy(() -> Scenario.read(large, 2))
                .isInstanceOf(ScenarioException.class)
                .hasMessage(large + " is larger than 1 MiB");
        assertThatThrownBy(() -> Scenario.read(latin, 2))
                .isInstanceOf(ScenarioException.class)
                .hasMessage(latin + " is not text in UTF-8");
        assertThatThrownBy(() -> Scenario.read(folder.resolve("none.yaml"), 2)).isInstanceOf(IOException.class);
        Path whole =
                Files.writeString(folder.resolve("whole.yaml"), "- {at: 1s, do: heal}" + " ".repeat((1 << 20) - 20));
        assertThat(Scenario.read(whole, 2).steps()).hasSize(1);
    }

    @Test
    void otherToolsChangeMig() {
        play("""
                - {at: 1s, gpu: 0, do: mig-mode, on: 1}
                - {at: 2s, gpu: 0, do: mig-create, profile: 3g.71gb, start: 4}
                - {at: 3s, gpu: 0, do: mig-create, profile: 7g.141gb, start: 0}
                - {at: 4s, gpu: 0, do: mig-destroy, instance: 2}
                """);
        atSecond(2);
        assertThat(driver.gpu(0).mig().layout()).containsExactly("3g.71gb@4");
        atSecond(3);
        assertThat(driver.calls().failures()).containsExactly("scenario: " + new Refusal(23));
        atSecond(4);
        assertThat(driver.gpu(0).mig().layout()).isEmpty();
    }

    @Test
    void anEmptyScenarioIsNone() {
        play("");
        atSecond(5);
    }
}
