// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.FakeSession.FIRST_HANDLE;
import static io.gpuagent.nvml.internal.Layouts.nvmlPciInfo_t;
import static io.gpuagent.nvml.internal.LinkLayouts.nvmlNvLinkInfo_v1_t;
import static io.gpuagent.nvml.internal.LinkLayouts.nvmlNvLinkInfo_v2_t;
import static io.gpuagent.nvml.internal.LinkLayouts.nvmlNvlinkFirmwareVersion_t;
import static io.gpuagent.nvml.internal.LinkLayouts.nvmlNvlinkSetBwMode_v1_t;
import static io.gpuagent.nvml.internal.LinkLayouts.nvmlNvlinkSupportedBwModes_v1_t;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpuagent.nvml.NvLinks.Microcode;
import io.gpuagent.nvml.NvLinks.RemoteDevice;
import io.gpuagent.nvml.internal.Layouts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** PCI Express, NVLink and topology. */
class LinksTest {
    private final FakeSession session = new FakeSession(Access.CONTROL);
    private final Gpu gpu = session.gpu(0);

    /** A function that answers a number in its last parameter. */
    private void number(String function, int value) {
        session.with(function, arguments -> {
            FakeSession.writeInt(arguments[arguments.length - 1], value);
            return 0;
        });
    }

    @ParameterizedTest
    @CsvSource({"1, 2500", "5, 32000", "6, 64000"})
    void highestPcieSpeedIsANumberOfAListDespiteTheHeader(int listed, long megabits) {
        number("nvmlDeviceGetPcieLinkMaxSpeed", listed);

        assertThat(gpu.pcie().maxSpeed()).isEqualTo(new Answer.Value<>(megabits));
    }

    @ParameterizedTest
    @CsvSource({"0", "7", "32000"})
    void speedThatIsNotOnTheListIsUnavailable(int listed) {
        number("nvmlDeviceGetPcieLinkMaxSpeed", listed);

        assertThat(gpu.pcie().maxSpeed())
                .isEqualTo(new Answer.Unavailable<>(NvmlFunction.nvmlDeviceGetPcieLinkMaxSpeed));
    }

    @Test
    void nvLinkVersionsHaveNamesAndInvalidOnesNone() {
        number("nvmlDeviceGetNvLinkVersion", 6);
        assertThat(gpu.nvLinks().version(0)).isEqualTo(new Answer.Value<>("4.0"));

        Answer<String> unavailable = new Answer.Unavailable<>(NvmlFunction.nvmlDeviceGetNvLinkVersion);
        assertThat(new FakeVersion(0).version()).isEqualTo(unavailable);
        assertThat(new FakeVersion(8).version()).isEqualTo(unavailable);
    }

    /** A link whose version is a number; a session looks each function up once. */
    private record FakeVersion(int number) {
        Answer<String> version() {
            return new FakeSession()
                    .with("nvmlDeviceGetNvLinkVersion", arguments -> {
                        FakeSession.writeInt(arguments[2], number);
                        return 0;
                    })
                    .gpu(0)
                    .nvLinks()
                    .version(0);
        }
    }

    @Test
    void remoteDeviceKeepsANumberNobodyKnows() {
        number("nvmlDeviceGetNvLinkRemoteDeviceType", 3);

        assertThat(gpu.nvLinks().remoteDevice(1))
                .isEqualTo(new Answer.Value<>(new Coded<RemoteDevice>(3, Optional.empty())));
    }

    @Test
    void firmwareIsListedAsFarAsItIsValid() {
        session.with("nvmlDeviceGetNvLinkInfo", arguments -> {
            FakeSession.struct(arguments[1], nvmlNvLinkInfo_v2_t).set("isNvleEnabled", 1);
            long versions = arguments[1] + Layouts.offset(nvmlNvLinkInfo_v2_t, "firmwareInfo");
            FakeSession.struct(versions + nvmlNvlinkFirmwareVersion_t.byteSize(), nvmlNvlinkFirmwareVersion_t)
                    .setByte("ucodeType", 2)
                    .set("major", 1)
                    .set("minor", 20)
                    .set("subMinor", 300);
            FakeSession.writeInt(versions + 100 * nvmlNvlinkFirmwareVersion_t.byteSize(), 2);
            return 0;
        });

        NvLinks.Details details = gpu.nvLinks().details().orThrow();

        assertThat(details.isEncrypted()).isTrue();
        assertThat(details.firmware())
                .containsExactly(
                        new NvLinks.Firmware(new Coded<Microcode>(0, Optional.empty()), "0.0.0"),
                        new NvLinks.Firmware(new Coded<>(2, Optional.of(Microcode.NETIR)), "1.20.300"));
    }

    @Test
    void olderDriverTellsOfEncryptionOnly() {
        session.with("nvmlDeviceGetNvLinkInfo", arguments -> {
            if (FakeSession.readInt(arguments[1]) != Layouts.version(nvmlNvLinkInfo_v1_t, 1)) {
                return NvmlReturn.ARGUMENT_VERSION_MISMATCH.code();
            }
            FakeSession.struct(arguments[1], nvmlNvLinkInfo_v1_t).set("isNvleEnabled", 1);
            return 0;
        });

        assertThat(gpu.nvLinks().details()).isEqualTo(new Answer.Value<>(new NvLinks.Details(true, List.of())));
    }

    @Test
    void bandwidthModesAreListedAndOneIsSet() {
        List<Integer> set = new ArrayList<>();
        session.with("nvmlDeviceGetNvlinkSupportedBwModes", arguments -> {
                    FakeSession.struct(arguments[1], nvmlNvlinkSupportedBwModes_v1_t)
                            .setByte("bwModes", 0, 1)
                            .setByte("bwModes", 1, 200)
                            .setByte("totalBwModes", 2);
                    return 0;
                })
                .with("nvmlDeviceSetNvlinkBwMode", arguments -> {
                    FakeSession.Struct request = FakeSession.struct(arguments[1], nvmlNvlinkSetBwMode_v1_t);
                    set.add(request.getInt("bSetBest"));
                    set.add(request.getByte("bwMode"));
                    return 0;
                });

        assertThat(gpu.nvLinks().supportedBandwidthModes().orThrow()).containsExactly(1, 200);
        assertThat(gpu.nvLinks().setBandwidthMode(Optional.of(9))).isEqualTo(NvmlReturn.SUCCESS);
        assertThat(gpu.nvLinks().setBandwidthMode(Optional.empty())).isEqualTo(NvmlReturn.SUCCESS);
        assertThat(set).containsExactly(0, 9, 1, 0);
    }

    @Test
    void peersAreNamedByBothHandles() {
        session.with("nvmlDeviceGetP2PStatus", arguments -> {
            FakeSession.writeInt(arguments[3], 4);
            return arguments[0] == FIRST_HANDLE && arguments[1] == FIRST_HANDLE + 1 && arguments[2] == 2 ? 0 : 2;
        });

        assertThat(gpu.topology().peerStatus(session.gpu(1), Topology.PeerWay.NVLINK))
                .isEqualTo(new Answer.Value<>(new Coded<>(4, Optional.of(Topology.PeerStatus.DISABLED_BY_REGKEY))));
    }

    @Test
    void gpuOfAnotherSessionIsNoPeer() {
        Gpu stranger = new FakeSession().gpu(1);

        assertThatThrownBy(() -> gpu.topology().commonAncestor(stranger)).isInstanceOf(IllegalArgumentException.class);
        assertThat(session.log.lines()).isEmpty();
    }

    @Test
    void nearestGpusAreCountedFirstAndNamedByIndex() {
        session.with("nvmlDeviceGetTopologyNearestGpus", arguments -> {
                    if (FakeSession.readInt(arguments[2]) == 0) {
                        FakeSession.writeInt(arguments[2], 2);
                        return arguments[3] == 0 ? 0 : 2;
                    }
                    FakeSession.writeLong(arguments[3], FIRST_HANDLE + 3);
                    FakeSession.writeLong(arguments[3] + 8, FIRST_HANDLE + 1);
                    return 0;
                })
                .with("nvmlDeviceGetIndex", arguments -> {
                    FakeSession.writeInt(arguments[1], (int) (arguments[0] - FIRST_HANDLE));
                    return 0;
                });

        assertThat(gpu.topology().nearest(Topology.Level.NODE).orThrow()).containsExactly(3, 1);
    }

    @Test
    void gpuWithoutNeighboursIsAskedOnce() {
        session.with("nvmlDeviceGetTopologyNearestGpus", NvmlReturn.SUCCESS);

        assertThat(gpu.topology().nearest(Topology.Level.SINGLE).orThrow()).isEmpty();
        assertThat(session.log.lines()).hasSize(2);
    }

    @Test
    void drainedGpuIsNamedByItsPciAddress() {
        List<String> asked = new ArrayList<>();
        session.with("nvmlDeviceQueryDrainState", arguments -> {
            FakeSession.Struct pci = FakeSession.struct(arguments[0], nvmlPciInfo_t);
            asked.add(pci.getInt("domain") + " " + pci.getInt("bus") + " " + pci.getInt("device"));
            asked.add(pci.getString("busId"));
            asked.add(pci.getString("busIdLegacy"));
            FakeSession.writeInt(arguments[1], 1);
            return 0;
        });

        assertThat(new Node(session.calls).isDraining(0, 0x9A, 6)).isEqualTo(new Answer.Value<>(true));
        assertThat(asked).containsExactly("0 154 6", "00000000:9A:06.0", "0000:9A:06.0");
    }
}
