// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.LinkLayouts.nvmlGpuFabricInfo_t;
import static io.gpuagent.nvml.internal.LinkLayouts.nvmlGpuFabricInfo_v2_t;
import static io.gpuagent.nvml.internal.LinkLayouts.nvmlGpuFabricInfo_v3_t;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.nvml.Fabric.Configuration;
import io.gpuagent.nvml.Fabric.Health;
import io.gpuagent.nvml.Fabric.State;
import io.gpuagent.nvml.Fabric.Summary;
import io.gpuagent.nvml.internal.Layouts;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class FabricTest {
    private static final int VERSION_3 = Layouts.version(nvmlGpuFabricInfo_v3_t, 3);
    private static final int VERSION_2 = Layouts.version(nvmlGpuFabricInfo_v2_t, 2);

    private final FakeSession session = new FakeSession();
    private final Fabric fabric = session.gpu(0).fabric();

    /** A driver that knows a version of the struct and answers a state, a mask and a summary. */
    private void answering(int version, int state, int mask, int summary) {
        session.with("nvmlDeviceGetGpuFabricInfoV", arguments -> {
            if (FakeSession.readInt(arguments[1]) != version) {
                return NvmlReturn.ARGUMENT_VERSION_MISMATCH.code();
            }
            FakeSession.Struct out = FakeSession.struct(
                            arguments[1], version == VERSION_3 ? nvmlGpuFabricInfo_v3_t : nvmlGpuFabricInfo_v2_t)
                    .setByte("clusterUuid", 0x12)
                    .setByte("clusterUuid", 15, 0x34)
                    .set("status", 0)
                    .set("cliqueId", 7)
                    .setByte("state", state)
                    .set("healthMask", mask);
            if (version == VERSION_3) {
                out.setByte("healthSummary", summary);
            }
            return 0;
        });
    }

    @Test
    void aRefusalThatIsMeantIsNotHiddenByAnOldFunctionThatIsMissing() {
        session.with("nvmlDeviceGetGpuFabricInfoV", arguments -> NvmlReturn.INVALID_ARGUMENT.code());

        assertThat(fabric.membership())
                .isEqualTo(new Answer.Refused<>(NvmlFunction.nvmlDeviceGetGpuFabricInfoV, NvmlReturn.INVALID_ARGUMENT));
    }

    @Test
    void newestVersionTellsAll() {
        answering(VERSION_3, 3, 2 | 1 << 2 | 2 << 4 | 5 << 8, 3);

        Fabric.Membership membership = fabric.membership().orThrow();

        assertThat(membership.state()).isEqualTo(new Coded<>(3, Optional.of(State.COMPLETED)));
        assertThat(membership.status()).contains(NvmlReturn.SUCCESS);
        assertThat(membership.cluster()).contains(UUID.fromString("12000000-0000-0000-0000-000000000034"));
        assertThat(membership.clique()).hasValue(7);
        assertThat(membership.health())
                .contains(new Health(
                        Optional.of(false),
                        Optional.of(true),
                        Optional.of(false),
                        Optional.empty(),
                        Optional.of(new Coded<>(5, Optional.of(Configuration.INSUFFICIENT_NVLINKS)))));
        assertThat(membership.summary()).contains(new Coded<>(3, Optional.of(Summary.LIMITED_CAPACITY)));
    }

    @Test
    void maskOfZeroIsNotSupportedAndNothingBad() {
        answering(VERSION_3, 3, 0, 0);

        Fabric.Membership membership = fabric.membership().orThrow();

        assertThat(membership.health())
                .contains(new Health(
                        Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()));
        assertThat(membership.summary()).isEmpty();
    }

    @Test
    void beforeItIsCompletedThereIsNoStatusAndNoClique() {
        answering(VERSION_2, 2, 0, 0);

        Fabric.Membership membership = fabric.membership().orThrow();

        assertThat(membership.state().known()).contains(State.IN_PROGRESS);
        assertThat(membership.status()).isEmpty();
        assertThat(membership.clique()).isEmpty();
        assertThat(membership.summary()).isEmpty();
    }

    @Test
    void stateNewerThanTheHeaderKeepsItsNumber() {
        answering(VERSION_3, 9, 0, 0);

        assertThat(fabric.membership().orThrow().state()).isEqualTo(new Coded<State>(9, Optional.empty()));
    }

    @Test
    void oldestFunctionIsTheLastResort() {
        session.with("nvmlDeviceGetGpuFabricInfo", arguments -> {
            FakeSession.struct(arguments[1], nvmlGpuFabricInfo_t)
                    .setByte("state", 3)
                    .set("status", 15)
                    .set("cliqueId", 1);
            return 0;
        });

        assertThat(fabric.membership().orThrow())
                .isEqualTo(new Fabric.Membership(
                        new Coded<>(3, Optional.of(State.COMPLETED)),
                        Optional.of(NvmlReturn.GPU_IS_LOST),
                        Optional.empty(),
                        OptionalLong.of(1),
                        Optional.empty(),
                        Optional.empty()));
    }

    @Test
    void gpuWithoutAFabricIsAskedOnce() {
        session.with("nvmlDeviceGetGpuFabricInfoV", NvmlReturn.NOT_SUPPORTED);

        assertThat(fabric.membership())
                .isEqualTo(new Answer.Refused<>(NvmlFunction.nvmlDeviceGetGpuFabricInfoV, NvmlReturn.NOT_SUPPORTED));
        assertThat(session.log.lines()).hasSize(2);
    }
}
