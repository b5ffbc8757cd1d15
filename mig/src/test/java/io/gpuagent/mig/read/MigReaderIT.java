// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpuagent.mig.Cards;
import io.gpuagent.mig.Claim;
import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.GpuProfile;
import io.gpuagent.mig.MigCard;
import io.gpuagent.mig.MigException;
import io.gpuagent.mig.Ownership;
import io.gpuagent.nvml.Access;
import io.gpuagent.nvml.CallObserver;
import io.gpuagent.nvml.Gpu;
import io.gpuagent.nvml.Nvml;
import io.gpuagent.nvml.sim.Privilege;
import io.gpuagent.nvml.sim.SimProfile;
import io.gpuagent.nvml.sim.SimulatedDriver;
import io.gpuagent.nvml.sim.SimulatedMig;
import io.gpuagent.nvml.sim.SimulatedProcess;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads simulated cards through the binding. */
class MigReaderIT {
    private static final OwnedInstances NOBODY = (uuid, profile, place) -> Ownership.FOREIGN;

    private final MigReader reader = new MigReader(HostClaims.NONE);

    private static SimulatedDriver driver(String profile) {
        return SimulatedDriver.start(SimProfile.parse(profile), () -> 0);
    }

    private static Gpu gpu(SimulatedDriver driver) {
        return Nvml.open(driver, CallObserver.NONE, () -> 0, Access.READ_ONLY)
                .orThrow()
                .gpu(0)
                .orThrow();
    }

    private static List<String> texts(MigCard card) {
        return card.profiles().stream().map(MigReaderIT::text).toList();
    }

    private static String text(GpuProfile profile) {
        return profile.name() + " " + profile.id() + " " + profile.slices() + " " + profile.limit() + " "
                + profile.multiprocessors() + " " + profile.engines() + " " + profile.placements();
    }

    @Test
    void aCardIsWhatItsDescriptionSays() throws Exception {
        assertThat(texts(reader.read(gpu(driver("h200")), NOBODY).gpu().card())).isEqualTo(texts(Cards.H200));
        assertThat(texts(reader.read(gpu(driver("a30")), NOBODY).gpu().card())).isEqualTo(texts(Cards.A30));
    }

    @Test
    void aDriverWithoutVersionedStructsGivesProfilesWithoutNames() throws Exception {
        SimulatedDriver driver = driver("h200");
        driver.remove("nvmlDeviceGetGpuInstanceProfileInfoV");

        MigCard card = reader.read(gpu(driver), NOBODY).gpu().card();

        assertThat(card.profiles()).extracting(GpuProfile::name).startsWith("id:0", "id:5", "id:9");
        assertThat(card.width()).isEqualTo(8);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whereAnInstanceLiesIsReadAndNotComputed(boolean isSwapped) throws Exception {
        SimulatedDriver driver = driver("a100-40gb");
        SimulatedMig mig = driver.gpu(0).mig();
        mig.setInstanceIds(isSwapped ? SimulatedMig.InstanceIds.SWAPPED : SimulatedMig.InstanceIds.STRAIGHT);
        mig.setMode(true);
        mig.create("3g.20gb", 0, "3g.20gb");
        mig.create("3g.20gb", 4, "1c.3g.20gb");

        MigFacts facts = reader.read(gpu(driver), NOBODY);

        assertThat(facts.gpu().layout())
                .isEqualTo(
                        isSwapped
                                ? "2:3g.20gb@0[0:3g.20gb@0] 1:3g.20gb@4[0:1c.3g.20gb@2]"
                                : "1:3g.20gb@0[0:3g.20gb@0] 2:3g.20gb@4[0:1c.3g.20gb@2]");
        assertThat(facts.devices()).hasSize(2).allMatch(device -> device.uuid().startsWith("MIG-"));
    }

    @Test
    void profilesAreReadOnce() throws Exception {
        SimulatedDriver driver = driver("h200");
        driver.gpu(0).mig().setMode(true);
        driver.gpu(0).mig().create("1g.18gb", 0, "1g.18gb");
        Gpu gpu = gpu(driver);
        reader.read(gpu, NOBODY);
        driver.calls().reset();

        reader.read(gpu, NOBODY);

        assertThat(driver.calls().ofAllWith("Profile")).isZero();
        assertThat(driver.calls().ofAllWith("PossiblePlacements")).isZero();
    }

    @Test
    void withTheModeOffThereAreNoInstancesButACard() throws Exception {
        MigFacts facts = reader.read(gpu(driver("h200")), NOBODY);

        assertThat(facts.enabled()).isFalse();
        assertThat(facts.gpu().instances()).isEmpty();
    }

    @Test
    void aHalfMadeInstanceIsSeen() throws Exception {
        SimulatedDriver driver = driver("h200");
        driver.gpu(0).mig().setMode(true);
        driver.gpu(0).mig().create("1g.35gb", 6);

        assertThat(reader.read(gpu(driver), NOBODY).gpu().layout()).endsWith(":1g.35gb@6");
    }

    @Test
    void whoRunsWhereIsAClaimAndAnMpsServerIsNot() throws Exception {
        SimulatedDriver driver = driver("h200");
        driver.gpu(0).mig().setMode(true);
        int id = driver.gpu(0).mig().create("1g.18gb", 3, "1g.18gb");
        int server = SimulatedProcess.FIRST_PID;
        driver.gpu(0).start(new SimulatedProcess(server, SimulatedProcess.Kind.MPS_SERVER, 1, id, 0));
        driver.gpu(0).start(new SimulatedProcess(server + 1, SimulatedProcess.Kind.GRAPHICS, 1, id, 0));
        MigReader knowing = new MigReader(new HostClaims() {
            @Override
            public boolean isMpsServer(long pid) {
                return pid == server;
            }
        });

        GpuInstance instance =
                knowing.read(gpu(driver), NOBODY).gpu().instances().getFirst();

        assertThat(instance.claims())
                .extracting(Claim::words)
                .containsExactly("process " + (server + 1) + " runs on it");
    }

    @Test
    void whereProcessesMayNotBeSeenNobodyIsTakenForIdle() throws Exception {
        SimulatedDriver driver = driver("h200");
        driver.gpu(0).mig().setMode(true);
        driver.gpu(0).mig().create("1g.18gb", 3, "1g.18gb");
        for (String version : List.of("", "_v2", "_v3")) {
            driver.gpu(0).answer("nvmlDeviceGetComputeRunningProcesses" + version, 4);
        }

        assertThat(reader.read(gpu(driver), NOBODY).gpu().instances().getFirst().claims())
                .containsExactly(
                        new Claim.NotVisible("NVML answers NVML_ERROR_NO_PERMISSION when asked for processes"));
    }

    @Test
    void whoMayNotSeeInstancesIsTold() {
        SimulatedDriver driver = driver("h200");
        driver.gpu(0).mig().setMode(true);
        driver.grant(Set.of(Privilege.MIG_CONFIG));

        assertThatThrownBy(() -> reader.read(gpu(driver), NOBODY))
                .isInstanceOfSatisfying(
                        MigException.class,
                        refused -> assertThat(refused.code()).isEqualTo(4))
                .hasMessage("nvmlDeviceGetGpuInstances of GPU 0 returned NVML_ERROR_NO_PERMISSION");
    }
}
