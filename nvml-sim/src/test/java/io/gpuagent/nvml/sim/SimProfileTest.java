// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimProfileTest {
    @ParameterizedTest
    @CsvSource({
        "h200, h200, 1",
        "h200x8, h200, 8",
        "h200x64, h200, 64",
        "h200@535, h200@535, 1",
        "h200@470x2, h200@470, 2",
        "rtx-pro-6000, rtx-pro-6000, 1",
        "rtx-pro-6000x2, rtx-pro-6000, 2",
        "a100-40gb@535x4, a100-40gb@535, 4",
        "h100-80gb, h100-80gb, 1",
        "h200@535.43x2, h200@535.43, 2"
    })
    void namesCarryDriverAndNumber(String spec, String name, int gpus) {
        SimProfile profile = SimProfile.parse(spec);

        assertThat(profile.name()).isEqualTo(name);
        assertThat(profile.gpus()).isEqualTo(gpus);
    }

    @ParameterizedTest
    @ValueSource(strings = {"h200x0", "h200x65", "h200x-1", "h200x99999999999"})
    void numbersOutOfRangeAreRefused(String spec) {
        assertThatThrownBy(() -> SimProfile.parse(spec))
                .isInstanceOf(UnknownProfileException.class)
                .hasMessageStartingWith("a simulated node has 1 to 64 GPUs, so x");
    }

    @Test
    void unknownCardsAreAnsweredWithTheKnownOnes() {
        assertThatThrownBy(() -> SimProfile.parse("a10x2"))
                .isInstanceOf(UnknownProfileException.class)
                .hasMessage(
                        "there is no simulated GPU \"a10\" and no file of that name; known are h200, h100-80gb,"
                                + " a100-40gb, a100-80gb, a30, rtx-pro-6000, each with @470 or @535.43 or @535.98 or @535 for an older driver and xN for several GPUs");
        assertThatThrownBy(() -> SimProfile.parse("h200@600"))
                .isInstanceOf(UnknownProfileException.class)
                .hasMessageStartingWith("there is no simulated driver 600; known are 470, 535.43, 535.98, 535,");
        assertThatThrownBy(() -> SimProfile.parse("")).isInstanceOf(UnknownProfileException.class);
        assertThatThrownBy(() -> SimProfile.parse("h200\0")).isInstanceOf(UnknownProfileException.class);
    }

    @Test
    void filesAreProfilesToo(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("box2");
        try (InputStream in = SimProfile.class.getResourceAsStream("h200.json")) {
            Files.copy(in, file);
        }

        assertThat(SimProfile.parse(file.toString()).gpus()).isEqualTo(1);
        assertThat(SimProfile.parse(file + "x3").gpus()).isEqualTo(3);
    }

    @Test
    void damagedFilesAreNamedWithThePlace(@TempDir Path folder) throws IOException {
        Path file =
                Files.writeString(folder.resolve("card.json"), "{\"name\": \"card\", \"answers\": {}, \"fields\": []}");
        assertThatThrownBy(() -> SimProfile.parse(file.toString()))
                .isInstanceOf(UnknownProfileException.class)
                .hasMessageContaining("card.json: driver is missing");

        Files.writeString(file, "{\"name\": ");
        assertThatThrownBy(() -> SimProfile.parse(file.toString())).isInstanceOf(UnknownProfileException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"name\": | card.json:1:9: Unexpected end-of-input",
                "{\"name\": \"a\",\\n x} | card.json:2:2: Unexpected character ('x'",
                "{\"name\": \"a\", \"name\": \"b\"} | card.json:1:21: Duplicate field 'name'",
                "[] | card.json does not start with an object",
                "{} {} | card.json goes on after its object",
                "{\"name\": null} | card.json: name is VALUE_NULL, which nothing here can be",
                "{\"name\": 36893488147419103232} | card.json: name does not fit in 64 bits",
                "{\"name\": 1, \"objects\": {}, \"format\": 1} | card.json: name is not a text",
                "{\"objects\": {}, \"format\": 4294967297} | card.json: format does not fit in 32 bits",
                "{\"objects\": {\"gpu\": {}}} | card.json: objects.gpu is not the name of an object",
                "{\"objects\": {\"gpu1\": {\"calls\": {}}}} | card.json: objects.gpu1 is there, but not all GPUs",
                "{\"objects\": {\"gpu0\": {\"calls\": {\"nvmlInit\": [1]}}}} | objects.gpu0.calls.nvmlInit[0] is not an object",
                "{\"objects\": {}, \"format\": 1, \"name\": \"a\", \"missing\": [1]} | card.json: missing[0] is not a text"
            })
    void mistakesAreToldInOneLine(String json, String told, @TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("card.json"), json.replace("\\n", "\n"));

        assertThatThrownBy(() -> SimProfile.parse(file.toString()))
                .isInstanceOf(UnknownProfileException.class)
                .hasMessageStartingWith("the description of a GPU cannot be read: " + folder)
                .hasMessageContaining(told)
                .message()
                .hasLineCount(1);
    }

    @Test
    void deepNestingIsRefused(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("card.json"), "{\"a\":".repeat(100_000));

        assertThatThrownBy(() -> SimProfile.parse(file.toString()))
                .isInstanceOf(UnknownProfileException.class)
                .hasMessageContaining("nesting depth");
    }

    @Test
    void filesWithoutAnEndAreRefused(@TempDir Path folder) throws IOException {
        Path large = Files.write(folder.resolve("large.json"), new byte[(16 << 20) + 1]);

        assertThatThrownBy(() -> SimProfile.parse("/dev/zero"))
                .isInstanceOf(UnknownProfileException.class)
                .hasMessage("the description of a GPU cannot be read: /dev/zero is not a regular file");
        assertThatThrownBy(() -> SimProfile.parse(folder.toString()))
                .isInstanceOf(UnknownProfileException.class)
                .hasMessageEndingWith(folder + " is not a regular file");
        assertThatThrownBy(() -> SimProfile.parse(large.toString()))
                .isInstanceOf(UnknownProfileException.class)
                .hasMessageEndingWith(large + " is larger than 16 MiB");
    }

    @Test
    void aCardCanBeDescribedByWhereItDiffers(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("own.json"), """
                {"name": "own", "based-on": "a30",
                 "driver": {"version": "1", "nvml": "1", "cuda": 1},
                 "hardware": {"pci-domain": 0, "pci-bus": 1, "pci-device": 0, "memory-total": 1024,
                   "memory-reserved": 24, "power-limit-mw": 100, "temperature-max": 90},
                 "idle": {"power-mw": 1, "temperature": 30, "memory-temperature": 0, "graphics-mhz": 1,
                   "memory-mhz": 1, "video-mhz": 1, "energy-mj": 0},
                 "busy": {"power-mw": 2, "temperature": 40, "memory-temperature": 0, "graphics-mhz": 2,
                   "memory-mhz": 2, "video-mhz": 2},
                 "missing": [], "answers": {"nvmlDeviceGetName": {"value": "Own"}}, "fields": []}
                """);
        Description own = SimProfile.parse(file.toString()).description();

        assertThat(own.answers().get("nvmlDeviceGetName").content()).hasToString("Values[values=[Own]]");
        assertThat(own.answers().get("nvmlDeviceGetNumGpuCores").content()).hasToString("Values[values=[3584]]");
        assertThat(own.fields()).containsKey(4);
        assertThat(own.mig()).isNull();

        Files.writeString(file, "{\"name\": \"own\", \"based-on\": \"v100\"}");
        assertThatThrownBy(() -> SimProfile.parse(file.toString()))
                .isInstanceOf(UnknownProfileException.class)
                .hasMessageContaining("own.json: based-on is v100, which is none of h200, h100-80gb,");
    }

    @Test
    void olderDriversLackWhatCameLater() {
        SimulatedDriver r535 = SimulatedDriver.start(SimProfile.parse("h200@535"), new ManualNanos());
        assertThat(r535.address("nvmlDeviceGetTemperatureV")).isEmpty();
        assertThat(r535.address("nvmlDeviceGetMemoryInfo_v2")).isPresent();
        assertThat(r535.address("nvmlDeviceGetCurrentClocksEventReasons")).isPresent();

        SimulatedDriver r470 = SimulatedDriver.start(SimProfile.parse("h200@470"), new ManualNanos());
        assertThat(r470.address("nvmlDeviceGetMemoryInfo_v2")).isEmpty();
        assertThat(r470.address("nvmlDeviceGetCurrentClocksEventReasons")).isEmpty();
        assertThat(r470.address("nvmlDeviceGetCurrentClocksThrottleReasons")).isPresent();
        assertThat(r470.address("nvmlDeviceGetComputeRunningProcesses_v3")).isEmpty();
        assertThat(r470.address("nvmlDeviceGetComputeRunningProcesses")).isPresent();
    }
}
