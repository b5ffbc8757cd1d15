// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.model.Share;
import io.gpuagent.model.mps.MpsClientView;
import io.gpuagent.model.mps.MpsDeviceLoad;
import io.gpuagent.model.mps.MpsState;
import io.gpuagent.mps.watch.Views;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DeviceLoadTest {
    private static final Optional<Share> NOTHING_OWN = Optional.of(Share.UNLIMITED);

    private static MpsDeviceLoad load(MpsClientView... clients) {
        return DeviceLoad.of(
                Views.GPU,
                Optional.of(Views.device(Views.processes(), Views.processes())),
                MpsState.ACTIVE,
                List.of(clients));
    }

    private static MpsClientView client(String threads, String memory) {
        return Views.client(540, Optional.of(Views.share(threads, memory)), NOTHING_OWN, Optional.empty());
    }

    /** 60 % of 132 are 78 multiprocessors, as captured on an H200. */
    @Test
    void whatClientsMayUseAddsUpAndCanBeMoreThanTheDevice() {
        MpsDeviceLoad load = load(client("60%", "80GiB"), client("60%", "80GiB"));

        assertThat(load.multiprocessorRatio()).hasValue(156 / 132.0);
        assertThat(load.memoryRatio()).hasValue(2 * 80.0 * (1L << 30) / Views.MEMORY);
    }

    @Test
    void aClientsOwnLimitCountsWhereItIsLower() {
        MpsDeviceLoad load = load(
                Views.client(
                        540,
                        Optional.of(Views.share("25%", "8GiB")),
                        Optional.of(Views.share("10%", "4GiB")),
                        Optional.empty()),
                Views.client(
                        541,
                        Optional.of(Views.share("25%", "8GiB")),
                        Optional.of(Views.share("100%", "16GiB")),
                        Optional.empty()));

        assertThat(load.multiprocessorRatio()).hasValue((12 + 32) / 132.0);
        assertThat(load.memoryRatio()).hasValue(12.0 * (1L << 30) / Views.MEMORY);
    }

    @Test
    void withoutClientsNothingIsUsed() {
        assertThat(load()).isEqualTo(new MpsDeviceLoad(Views.GPU, OptionalDouble.of(0), OptionalDouble.of(0)));
    }

    @Test
    void aClientWithoutALimitOfMemoryHasNoSum() {
        MpsDeviceLoad load = load(client("", "8GiB"), client("", ""));

        assertThat(load.memoryRatio()).isEmpty();
        assertThat(load.multiprocessorRatio()).hasValue(2.0);
    }

    @Test
    void aClientThatDropsItsLimitsHasNone() {
        MpsClientView free = Views.client(
                540, Optional.of(Views.share("25%", "8GiB")), NOTHING_OWN, Optional.of("it drops all limits"));

        assertThat(load(free).memoryRatio()).isEmpty();
        assertThat(load(free).multiprocessorRatio()).hasValue(32 / 132.0);
    }

    @Test
    void anUnknownEnvironmentCanLowerThreadsButSetMemoryFree() {
        MpsClientView unknown =
                Views.client(540, Optional.of(Views.share("25%", "8GiB")), Optional.empty(), Optional.empty());

        assertThat(load(unknown).multiprocessorRatio()).hasValue(32 / 132.0);
        assertThat(load(unknown).memoryRatio()).isEmpty();
    }

    @Test
    void aClientThatCameBeforeTheAgentHasNoKnownLimits() {
        MpsClientView old = Views.client(540, Optional.empty(), NOTHING_OWN, Optional.empty());

        assertThat(load(client("25%", "8GiB"), old))
                .isEqualTo(new MpsDeviceLoad(Views.GPU, OptionalDouble.empty(), OptionalDouble.empty()));
    }

    @Test
    void whatNvmlDoesNotTellIsNotDividedBy() {
        GpuUse.Device bare = new GpuUse.Device(
                Optional.empty(),
                OptionalInt.empty(),
                OptionalLong.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());

        for (Optional<GpuUse.Device> gpu : List.of(Optional.<GpuUse.Device>empty(), Optional.of(bare))) {
            assertThat(DeviceLoad.of(Views.GPU, gpu, MpsState.ACTIVE, List.of(client("25%", "8GiB"))))
                    .isEqualTo(new MpsDeviceLoad(Views.GPU, OptionalDouble.empty(), OptionalDouble.empty()));
        }
    }

    // KAI-Scheduler #49, #708: a fraction was bookkeeping, and a pod saw 80 GB.
    /** A number is no limit unless somebody enforces it. */
    @ParameterizedTest
    @EnumSource(
            value = MpsState.class,
            names = {"ABSENT", "STARTING", "CRASHLOOP", "WEDGED", "DIRTY", "ORPHAN"})
    void aShareWithoutADaemonIsNoLimit(MpsState state) {
        assertThat(DeviceLoad.of(
                        Views.GPU,
                        Optional.of(Views.device(Views.processes(), Views.processes())),
                        state,
                        List.of(client("25%", "8GiB"))))
                .isEqualTo(new MpsDeviceLoad(Views.GPU, OptionalDouble.empty(), OptionalDouble.empty()));
    }
}
