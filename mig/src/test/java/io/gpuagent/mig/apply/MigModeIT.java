// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.mig.Holder;
import io.gpuagent.nvml.sim.MigHolder;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The MIG mode on simulated cards, through the binding. */
class MigModeIT {
    private static final int RESET_REQUIRED = 16;
    private static final int IN_USE = 19;

    @TempDir
    Path folder;

    private MigRig rig;

    @BeforeEach
    void anIdleCard() {
        rig = new MigRig("a100-40gb", folder);
        rig.driver.calls().keep(MigRig.CALLS_KEPT);
    }

    private String mode() throws Exception {
        return rig.executor().read().enabled() + "/" + rig.executor().read().pending();
    }

    @Test
    void theModeIsTurnedOnAndOff() throws Exception {
        assertThat(rig.executor().setMode(true, false)).isEqualTo(new MigModeResult.Changed());
        assertThat(mode()).isEqualTo("true/true");
        assertThat(rig.executor().setMode(true, false)).isEqualTo(new MigModeResult.Unchanged());
        assertThat(rig.executor().setMode(false, false)).isEqualTo(new MigModeResult.Changed());
        assertThat(mode()).isEqualTo("false/false");
    }

    @Test
    void aModeThatOnlyBecomesPendingIsSetBackAndFails() throws Exception {
        rig.mig().refuseActivation(OptionalInt.of(IN_USE));

        MigModeResult result = rig.executor().setMode(true, false);

        assertThat(result)
                .isEqualTo(new MigModeResult.Failed(
                        "the driver took the request to turn the MIG mode of GPU 0 on and left it pending "
                                + "(NVML_ERROR_IN_USE): the GPU must be idle, and who holds it cannot be seen; stop it, "
                                + "then try again; the mode was set back to what it was",
                        false));
        assertThat(mode()).isEqualTo("false/false");
        assertThat(rig.changes()).as("one attempt, and the way back").hasSize(2);
    }

    @Test
    void aVirtualMachineIsToBeRebootedAndThereIsNoLoop() throws Exception {
        rig.mig().refuseActivation(OptionalInt.of(RESET_REQUIRED));

        MigModeResult result = rig.executor().setMode(true, true);

        assertThat(result)
                .isEqualTo(new MigModeResult.Pending(
                        "the driver took the request to turn the MIG mode of GPU 0 on and left it pending "
                                + "(NVML_ERROR_RESET_REQUIRED): it becomes active when the GPU is reset, or in a virtual "
                                + "machine when that is rebooted"));
        assertThat(mode()).isEqualTo("false/true");
        assertThat(rig.changes()).containsExactly("SetMigMode");
    }

    @Test
    void whoeverHoldsTheGpuIsNamedAndLives() throws Exception {
        rig.ports = new MigPorts(
                Quiesce.NOBODY,
                MpsTenants.NONE,
                gpu -> Optional.of(List.of(Holder.process(812, "nvidia-persistenced"))));
        try (MigHolder _ = rig.mig().hold()) {
            MigModeResult result = rig.executor().setMode(true, false);

            assertThat(result)
                    .isInstanceOfSatisfying(
                            MigModeResult.Failed.class,
                            failed -> assertThat(failed.why())
                                    .contains(
                                            "process 812 (nvidia-persistenced) has it open; stop it, then try again"));
        }
        assertThat(mode()).isEqualTo("false/false");
    }

    @Test
    void theAgentsOwnHandlesAreLetGoOfFirstAndTakenUpAgain() throws Exception {
        Deque<MigHolder> poller = new ArrayDeque<>(List.of(rig.mig().hold()));
        rig.ports = new MigPorts(
                gpu -> {
                    poller.pop().close();
                    return () -> poller.push(rig.mig().hold());
                },
                MpsTenants.NONE,
                Holders.UNSEEN);

        assertThat(rig.executor().setMode(true, false)).isEqualTo(new MigModeResult.Changed());

        assertThat(poller).hasSize(1);
    }

    @Test
    void instancesAreNotTakenAwayWithTheMode() throws Exception {
        rig.mig().setMode(true);
        rig.cut("3g.20gb@4");

        assertThat(rig.executor().setMode(false, false))
                .isEqualTo(new MigModeResult.Failed(
                        "turning the MIG mode of GPU 0 off needs it to be empty, and it has 1 GPU instance; destroy "
                                + "them first",
                        false));
        assertThat(rig.changes()).isEmpty();
        assertThat(rig.layout()).containsExactly("3g.20gb@4");
    }

    @Test
    void whoMayNotIsTold() throws Exception {
        rig.driver.gpu(0).answer("nvmlDeviceSetMigMode", 4);

        assertThat(rig.executor().setMode(true, false))
                .isEqualTo(new MigModeResult.Failed(
                        "turning the MIG mode of GPU 0 on was refused: NVML returned NVML_ERROR_NO_PERMISSION: only "
                                + "root may",
                        false));
    }
}
