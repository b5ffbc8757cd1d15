// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.CallObserver;
import io.gpuagent.nvml.FieldId;
import io.gpuagent.nvml.FieldRequest;
import io.gpuagent.nvml.Gpu;
import io.gpuagent.nvml.NvLinks;
import io.gpuagent.nvml.Nvml;
import io.gpuagent.nvml.NvmlReturn;
import io.gpuagent.nvml.Topology.Level;
import io.gpuagent.nvml.Topology.PeerStatus;
import io.gpuagent.nvml.Topology.PeerWay;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several GPUs of one profile: told apart, and linked as their kind is. Nothing of the links was seen on hardware. */
class SeveralGpusIT {
    private final ManualNanos time = new ManualNanos();
    private SimulatedDriver driver;

    private List<Gpu> gpus(String profile) {
        driver = SimulatedDriver.start(SimProfile.parse(profile), time);
        Nvml nvml = Nvml.open(driver, CallObserver.NONE, () -> 0).orThrow();
        return IntStream.range(0, driver.gpus().size())
                .mapToObj(i -> nvml.gpu(i).orThrow())
                .toList();
    }

    @AfterEach
    void simulatorItselfDidNotFail() {
        assertThat(driver.calls().failures()).isEmpty();
    }

    @Test
    void eachHasItsOwnUuidSerialAddressMinorNumberAndPlaceOnTheBoard() {
        Set<Object> seen = new HashSet<>();
        for (Gpu gpu : gpus("h200x8")) {
            seen.add(gpu.identity().uuid().orThrow());
            seen.add(gpu.identity().serial().orThrow());
            seen.add(gpu.identity().pci().orThrow());
            seen.add("minor " + gpu.identity().minorNumber().orThrow());
            seen.add("module " + gpu.board().moduleId().orThrow());
            seen.add("board " + gpu.board().id().orThrow());
        }

        assertThat(seen).hasSize(6 * 8);
    }

    @Test
    void h200sReachEachOtherOverEighteenNvLinks() {
        List<Gpu> gpus = gpus("h200x8");
        NvLinks links = gpus.get(1).nvLinks();

        for (int link = 0; link < 18; link++) {
            assertThat(links.isActive(link).orThrow()).isTrue();
            assertThat(links.version(link).orThrow()).isEqualTo("4.0");
        }
        assertThat(links.isActive(18)).isInstanceOf(Answer.Refused.class);
        assertThat(peer(gpus, 0, 7, PeerWay.NVLINK)).isEqualTo(PeerStatus.OK);
        assertThat(gpus.get(0).topology().commonAncestor(gpus.get(3)).orThrow().known())
                .contains(Level.NODE);
        assertThat(gpus.get(0).topology().commonAncestor(gpus.get(4)).orThrow().known())
                .contains(Level.SYSTEM);
        assertThat(gpus.get(5).topology().nearest(Level.NODE).orThrow()).containsExactly(4, 6, 7);
    }

    @Test
    void whatTheLinksCarryFollowsTheWork() {
        List<Gpu> gpus = gpus("h200x2");
        driver.gpu(1).setUtilization(50, 10);
        FieldRequest oneLink = FieldRequest.of(FieldId.NVLINK_THROUGHPUT_DATA_TX, 3);
        long before = carried(gpus.get(1), oneLink);

        time.advanceSeconds(10);

        // 5 GiB per second at full work, counted in KiB.
        assertThat(carried(gpus.get(1), oneLink) - before).isBetween(26_000_000L, 26_300_000L);
    }

    @Test
    void cardsWithoutNvLinkReachEachOtherOverPcieAlone() {
        List<Gpu> gpus = gpus("rtx-pro-6000x2");

        assertThat(peer(gpus, 0, 1, PeerWay.NVLINK)).isEqualTo(PeerStatus.NOT_SUPPORTED);
        assertThat(peer(gpus, 0, 1, PeerWay.READ)).isEqualTo(PeerStatus.OK);
        assertThat(gpus.get(0).nvLinks().isActive(0)).isInstanceOf(Answer.Refused.class);
    }

    @Test
    void aGpuThatIsAloneHasNoLinksAsCaptured() {
        Gpu alone = gpus("h200").getFirst();

        assertThat(alone.nvLinks().isActive(0))
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        refused -> assertThat(refused.code()).isEqualTo(NvmlReturn.NOT_SUPPORTED));
    }

    private static long carried(Gpu gpu, FieldRequest link) {
        return gpu.fields().read(List.of(link)).getFirst().value().orThrow().longValue();
    }

    private static PeerStatus peer(List<Gpu> gpus, int from, int to, PeerWay way) {
        return gpus.get(from)
                .topology()
                .peerStatus(gpus.get(to), way)
                .orThrow()
                .known()
                .orElseThrow();
    }
}
