// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The cards that are described beside the H200, and how each can be cut up. */
class CardsIT {
    private final ManualNanos time = new ManualNanos();

    private SimulatedDriver start(String card) {
        SimulatedDriver driver = SimulatedDriver.start(SimProfile.parse(card), time);
        new RawNvml(driver).call("nvmlInit_v2");
        return driver;
    }

    @ParameterizedTest
    @CsvSource({
        "h200, NVIDIA H200, 143771, 9",
        "h100-80gb, NVIDIA H100 80GB HBM3, 81559, 9",
        "a100-40gb, NVIDIA A100-SXM4-40GB, 40960, 7",
        "a100-80gb, NVIDIA A100-SXM4-80GB, 81920, 7",
        "a30, NVIDIA A30, 24576, 7",
        "rtx-pro-6000, NVIDIA RTX PRO 6000 Blackwell Server Edition, 97887, 10"
    })
    void cardsHaveTheirOwnNamesAndSizes(String card, String name, long mebibytes, int architecture) {
        SimulatedDriver driver = start(card);
        try (RawNvml nvml = new RawNvml(driver)) {
            Guarded text = nvml.bytes(96);
            assertThat(nvml.call("nvmlDeviceGetName", nvml.device(0), text, 96)).isZero();
            assertThat(text.text()).isEqualTo(name);
            Guarded memory = nvml.struct("nvmlMemory_v2_t").with("version", 40 | 2 << 24);
            assertThat(nvml.call("nvmlDeviceGetMemoryInfo_v2", nvml.device(0), memory))
                    .isZero();
            assertThat(memory.get("total") >> 20).isEqualTo(mebibytes);
            assertThat(nvml.integer("nvmlDeviceGetArchitecture", 0)).isEqualTo(architecture);
        }
        assertThat(driver.calls().failures()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "h200, 0 1 2 3 4 7 9",
        "h100-80gb, 0 1 2 3 4 7 9",
        "a100-40gb, 0 1 2 3 4 7 9",
        "a100-80gb, 0 1 2 3 4 7 9",
        "a30, 0 1 3 7 8",
        "rtx-pro-6000, 0 1 3 7 10 11 12 13 14 15 16",
        "h200@535, 0 1 2 3 4 7 9",
        "rtx-pro-6000@470, 0 1 3 7"
    })
    void profilesAreFoundByAskingForAllKinds(String card, String kinds) {
        SimulatedDriver driver = start(card);
        List<String> found = new ArrayList<>();
        try (RawNvml nvml = new RawNvml(driver)) {
            Guarded info = nvml.struct("nvmlGpuInstanceProfileInfo_t");
            int code = 0;
            for (int kind = 0; code != Code.INVALID_ARGUMENT; kind++) {
                code = nvml.call("nvmlDeviceGetGpuInstanceProfileInfo", nvml.device(0), kind, info);
                if (code == 0) {
                    found.add(Integer.toString(kind));
                }
            }
        }
        assertThat(String.join(" ", found)).isEqualTo(kinds);
    }

    @ParameterizedTest
    @ValueSource(strings = {"h200", "h100-80gb", "a100-40gb", "a100-80gb", "a30", "rtx-pro-6000"})
    void ofEachProfileThereFitAsManyAsItSays(String card) {
        SimulatedDriver driver = start(card);
        SimulatedMig outside = driver.gpu(0).mig();
        try (RawNvml nvml = new RawNvml(driver)) {
            RawMig mig = new RawMig(nvml, 0);
            for (MigProfile profile : outside.instances().card().profiles()) {
                outside.setMode(true);
                assertThat(mig.capacity(profile.id())).as(profile.name()).isEqualTo(profile.most());
                for (int left = profile.most(); left > 0; left--) {
                    assertThat(mig.capacity(profile.id())).as(profile.name()).isEqualTo(left);
                    assertThat(mig.create(profile.id(), nvml.bytes(8)))
                            .as(profile.name())
                            .isZero();
                }
                assertThat(mig.create(profile.id(), nvml.bytes(8)))
                        .as(profile.name())
                        .isEqualTo(Code.INSUFFICIENT_RESOURCES);
                assertThat(outside.instances().all())
                        .extracting(MigGpuInstance::id)
                        .doesNotHaveDuplicates()
                        .hasSize(profile.most());
            }
        }
        assertThat(driver.calls().failures()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"h200", "h100-80gb", "a100-40gb", "a100-80gb", "a30", "rtx-pro-6000"})
    void everyPlaceHasItsOwnIdOnBothKindsOfBoards(String card) {
        MigDescription described = SimProfile.parse(card).description().mig();
        List<Placement> places = described.profiles().stream()
                .flatMap(profile -> profile.placements().stream())
                .distinct()
                .toList();
        for (boolean isSwapped : new boolean[] {false, true}) {
            assertThat(places.stream().map(place -> described.instanceId(place, isSwapped)))
                    .doesNotHaveDuplicates()
                    .allMatch(id -> id >= 0 && id < 15);
        }
    }

    @Test
    void layoutsOfAnA100HaveTheIdsThatWereSeen() {
        SimulatedDriver driver = start("a100-40gb");
        SimulatedMig mig = driver.gpu(0).mig();
        mig.setMode(true);
        assertThat(IntStream.of(mig.create("1g.5gb", 6), mig.create("2g.10gb", 4), mig.create("4g.20gb", 0)))
                .containsExactly(13, 5, 1);
    }

    @Test
    void anInstanceWithAllMediaEnginesLeavesRoomForInstancesWithoutMediaOnly() {
        SimulatedDriver driver = start("rtx-pro-6000");
        driver.gpu(0).mig().setMode(true);
        try (RawNvml nvml = new RawNvml(driver)) {
            RawMig mig = new RawMig(nvml, 0);
            mig.created(65, 0, 3);
            assertThat(mig.create(14, nvml.bytes(8))).isEqualTo(Code.INSUFFICIENT_RESOURCES);
            assertThat(mig.capacity(14)).isZero();
            assertThat(mig.capacity(67)).isEqualTo(3);
            assertThat(mig.create(67, nvml.bytes(8))).isZero();
        }
    }

    @Test
    void anAmpereKeepsItsModeOverAReboot() {
        SimulatedDriver driver = start("a30");
        driver.gpu(0).mig().setMode(true);
        driver.gpu(0).mig().create("2g.12gb", 2, "2g.12gb");
        driver.reboot();
        try (RawNvml nvml = new RawNvml(driver)) {
            nvml.call("nvmlInit_v2");
            assertThat(new RawMig(nvml, 0).modes()).isEqualTo("1/1");
            assertThat(driver.gpu(0).mig().layout()).isEmpty();
        }
    }

    @Test
    void anAmpereTellsTemperatureLimitsAsDegrees() {
        SimulatedDriver driver = start("a100-80gb");
        try (RawNvml nvml = new RawNvml(driver)) {
            Guarded margin = nvml.struct("nvmlMarginTemperature_t").with("version", 8 | 1 << 24);
            assertThat(nvml.call("nvmlDeviceGetMarginTemperature", nvml.device(0), margin))
                    .isEqualTo(Code.NOT_SUPPORTED);
            Guarded out = nvml.bytes(4);
            assertThat(nvml.call("nvmlDeviceGetTemperatureThreshold", nvml.device(0), 0, out))
                    .isZero();
            assertThat(out.getInt(0)).isEqualTo(92);
        }
    }
}
