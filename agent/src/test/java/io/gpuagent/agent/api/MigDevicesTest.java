// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.gpuagent.agent.config.BadValueException;
import io.gpuagent.model.SampleMig;
import io.gpuagent.model.SampleSnapshots;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MigDevicesTest {
    private static final MigDevices CUT_UP = MigDevices.of(SampleSnapshots.migOn());
    private static final String UNKNOWN = "MIG-ffffffff-0000-0000-0000-000000000000";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "MIG-00000002-0000-0000-0000-000000000000",
                "mig-00000002-0000-0000-0000-000000000000",
                "MIG-00000002",
                "MIG-00000002-",
                "MIG-GPU-00000000-0000-0000-0000-000000000001/2/0",
                "mig-gpu-00000000-0000-0000-0000-000000000001/2/0"
            })
    void bothSpellingsAndABeginningNameADevice(String name) throws BadValueException {
        assertThat(CUT_UP.resolve(name)).isEqualTo(SampleMig.uuid(2, 0));
    }

    @Test
    void aDeviceKnowsItsGpuAndItsInstances() {
        assertThat(CUT_UP.byUuid(SampleMig.uuid(4, 1))).hasValueSatisfying(device -> {
            assertThat(device.gpu().identity().index()).isZero();
            assertThat(device.instance().profile()).isEqualTo("2g.35gb");
            assertThat(device.compute().id()).isEqualTo(1);
        });
        assertThat(CUT_UP.isComplete()).isTrue();
    }

    @Test
    void aBeginningThatFitsTwoNeedsMore() {
        refused(
                CUT_UP,
                "MIG-00000004",
                "\"MIG-00000004\" names 2 MIG devices: MIG-00000004-0000-0000-0000-000000000000 (1c.2g.35gb of GPU"
                        + " 0), MIG-00000004-0000-0000-0000-000000000001 (1c.2g.35gb of GPU 0); write more of the UUID");
    }

    @Test
    void oneThatIsNotThereIsRefusedWithThoseThatAre() {
        refused(
                CUT_UP,
                "MIG-GPU-00000000-0000-0000-0000-000000000001/9/0",
                "there is no MIG device \"MIG-GPU-00000000-0000-0000-0000-000000000001/9/0\"; this node has"
                        + " MIG-00000004-0000-0000-0000-000000000000 (1c.2g.35gb of GPU 0),"
                        + " MIG-00000004-0000-0000-0000-000000000001 (1c.2g.35gb of GPU 0),"
                        + " MIG-00000002-0000-0000-0000-000000000000 (3g.71gb of GPU 0)");
        refused(
                MigDevices.of(SampleSnapshots.h200(2)),
                UNKNOWN,
                "there is no MIG device \"" + UNKNOWN + "\"; this node has none");
    }

    @Test
    void whereInstancesCannotBeReadAWholeUuidIsTakenAsItIs() throws BadValueException {
        MigDevices forbidden = MigDevices.of(SampleSnapshots.migForbidden());

        assertThat(forbidden.isComplete()).isFalse();
        assertThat(forbidden.resolve(UNKNOWN.toUpperCase(Locale.ROOT))).isEqualTo(UNKNOWN);
        refused(
                forbidden,
                "MIG-ffff",
                "there is no MIG device \"MIG-ffff\"; the instances of a GPU cannot be read; write a UUID in full, as"
                        + " nvidia-smi -L does");
    }

    @ParameterizedTest
    @ValueSource(strings = {"MIG-", "MIG-xyz", "MIG-GPU-1/2", "MIG-GPU-00000000-0000-0000-0000-000000000001/2/0/1"})
    void whatIsNoNameOfOneIsToldWhatWouldBe(String name) {
        refused(
                CUT_UP,
                name,
                "\"" + name + "\" names no MIG device; write its UUID (MIG-5c3d...), the beginning of it, or MIG-<UUID"
                        + " of the GPU>/<GPU instance>/<compute instance>");
    }

    private static void refused(MigDevices devices, String name, String sentence) {
        assertThatExceptionOfType(BadValueException.class)
                .isThrownBy(() -> devices.resolve(name))
                .satisfies(e -> assertThat(e.what() + "; " + e.right()).isEqualTo(sentence));
    }
}
