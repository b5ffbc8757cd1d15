// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.DeviceLayouts.nvmlBridgeChipHierarchy_t;
import static io.gpuagent.nvml.internal.DeviceLayouts.nvmlGridLicensableFeatures_t;
import static io.gpuagent.nvml.internal.DeviceLayouts.nvmlPlatformInfo_v1_t;
import static io.gpuagent.nvml.internal.DeviceLayouts.nvmlPlatformInfo_v2_t;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.time.LocalDateTime;
import java.util.BitSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The board, what is near it and what it is licensed for. */
class BoardTest {
    private final FakeLibrary library = new FakeLibrary();
    private final Gpu gpu = FakeGpu.of(library);

    private static void put(Struct struct, String member, int value) {
        struct.part(member).set(JAVA_BYTE, 0, (byte) value);
    }

    @Test
    void placeInTheRackIsReadFromTheNewestVersion() {
        library.with("nvmlDeviceGetPlatformInfo", arguments -> {
            Struct platform = FakeGpu.struct(nvmlPlatformInfo_v2_t, arguments[1]);
            platform.part("ibGuid").set(JAVA_BYTE, 0, (byte) 0xAB);
            platform.part("chassisSerialNumber").setString(0, "1821225190819");
            put(platform, "slotNumber", 200);
            put(platform, "trayIndex", 11);
            put(platform, "hostId", 1);
            put(platform, "peerType", 2);
            put(platform, "moduleId", 4);
            return platform.s32("version") == (44 | 2 << 24) ? 0 : NvmlReturn.ARGUMENT_VERSION_MISMATCH.code();
        });

        assertThat(gpu.board().rackPlace().orThrow())
                .isEqualTo(new RackPlace(
                        Optional.of("ab000000000000000000000000000000"),
                        Optional.of("1821225190819"),
                        OptionalInt.of(200),
                        OptionalInt.of(11),
                        OptionalInt.of(1),
                        OptionalInt.of(2),
                        4));
    }

    @Test
    void olderVersionIsAskedForWhereTheDriverHasNoNewer() {
        library.with("nvmlDeviceGetPlatformInfo", arguments -> {
            Struct platform = FakeGpu.struct(nvmlPlatformInfo_v1_t, arguments[1]);
            if (platform.s32("version") != (44 | 1 << 24)) {
                return NvmlReturn.ARGUMENT_VERSION_MISMATCH.code();
            }
            platform.part("rackGuid").setString(0, "R1");
            put(platform, "computeSlotIndex", 3);
            return 0;
        });

        RackPlace place = gpu.board().rackPlace().orThrow();

        assertThat(place.chassis()).hasValue("R1");
        assertThat(place.tray()).hasValue(3);
    }

    @Test
    void platformThatTellsNothingButTheModuleHasNoPlace() {
        library.with("nvmlDeviceGetPlatformInfo", arguments -> {
            Struct platform = FakeGpu.struct(nvmlPlatformInfo_v2_t, arguments[1]);
            put(platform, "hostId", 1);
            put(platform, "moduleId", 3);
            return 0;
        });

        assertThat(gpu.board().rackPlace().orThrow())
                .isEqualTo(new RackPlace(
                        Optional.empty(),
                        Optional.empty(),
                        OptionalInt.empty(),
                        OptionalInt.empty(),
                        OptionalInt.empty(),
                        OptionalInt.empty(),
                        3));
    }

    @Test
    void bridgeChipsAreAsManyAsCountedAndZeroIsNoFirmware() {
        library.with("nvmlDeviceGetBridgeChipInfo", arguments -> {
            Struct bridges = FakeGpu.struct(nvmlBridgeChipHierarchy_t, arguments[1]);
            put(bridges, "bridgeCount", 2);
            FakeGpu.write(bridges.part("bridgeChipInfo").address(), 1, 77, 9, 0);
            return 0;
        });

        assertThat(gpu.board().bridgeChips().orThrow())
                .containsExactly(
                        new Board.BridgeChip(Coded.of(1, Board.BridgeChip.Type.class), OptionalLong.of(77)),
                        new Board.BridgeChip(Coded.of(9, Board.BridgeChip.Type.class), OptionalLong.empty()));
    }

    @Test
    void cpusAreTheBitsOfAllWords() {
        library.with("nvmlDeviceGetCpuAffinityWithinScope", arguments -> {
            MemorySegment set = FakeLibrary.memory(arguments[2], arguments[1] * Long.BYTES);
            set.set(JAVA_LONG, 0, 0b101);
            set.setAtIndex(JAVA_LONG, arguments[1] - 1, arguments[3]);
            return 0;
        });

        assertThat(gpu.affinity().cpus(Affinity.Scope.SOCKET).orThrow()).isEqualTo(bits(0, 2, 127 * 64));
        assertThat(gpu.affinity().cpus(Affinity.Scope.NUMA_NODE).orThrow()).isEqualTo(bits(0, 2));
    }

    @Test
    void olderDriversKnowTheCpusOfTheNodeOnly() {
        library.with("nvmlDeviceGetCpuAffinity", arguments -> {
            FakeLibrary.memory(arguments[2], arguments[1] * Long.BYTES).set(JAVA_LONG, 0, 0b1000);
            return 0;
        });

        assertThat(gpu.affinity().cpus(Affinity.Scope.NUMA_NODE).orThrow()).isEqualTo(bits(3));
        assertThat(gpu.affinity().cpus(Affinity.Scope.SOCKET))
                .isEqualTo(new Answer.Refused<>(
                        NvmlFunction.nvmlDeviceGetCpuAffinityWithinScope, NvmlReturn.FUNCTION_NOT_FOUND));
    }

    private static BitSet bits(int... set) {
        BitSet bits = new BitSet();
        for (int bit : set) {
            bits.set(bit);
        }
        return bits;
    }

    @Test
    void systemWithoutLicensingHasNoListRatherThanAnEmptyOne() {
        library.with("nvmlDeviceGetGridLicensableFeatures_v4", NvmlReturn.SUCCESS);

        assertThat(gpu.licensing().features().orThrow()).isEmpty();
    }

    /** One feature whose licence ends on 29 February of a year. */
    private Licensing.Feature feature(int status, int year) {
        library.with("nvmlDeviceGetGridLicensableFeatures_v4", arguments -> {
            Struct features = FakeGpu.struct(nvmlGridLicensableFeatures_t, arguments[1]);
            features.set("isGridLicenseSupported", 1);
            features.set("licensableFeaturesCount", 1);
            MemorySegment feature = features.part("gridLicensableFeatures");
            FakeGpu.write(feature.address(), 4, 1);
            feature.setString(136, "NVIDIA Virtual Compute Server");
            feature.set(JAVA_INT, 264, 1);
            feature.set(JAVA_INT, 268, year);
            feature.set(JAVA_SHORT, 272, (short) 2);
            feature.set(JAVA_SHORT, 274, (short) 29);
            feature.set(JAVA_SHORT, 276, (short) 23);
            feature.set(JAVA_BYTE, 282, (byte) status);
            return 0;
        });
        return gpu.licensing().features().orThrow().orElseThrow().getFirst();
    }

    @Test
    void licenceEndsWhereTheDriverKnowsIt() {
        Licensing.Feature feature = feature(2, 2028);

        assertThat(feature.kind().known()).hasValue(Licensing.Kind.COMPUTE);
        assertThat(feature.productName()).isEqualTo("NVIDIA Virtual Compute Server");
        assertThat(feature.isLicensed()).isTrue();
        assertThat(feature.isEnabled()).isTrue();
        assertThat(feature.expiry().at()).hasValue(LocalDateTime.of(2028, 2, 29, 23, 0));
    }

    @Test
    void dateOfALicenceWithoutEndOrOfNoCalendarIsNone() {
        assertThat(feature(4, 2028).expiry().at()).isEmpty();
        assertThat(feature(2, 2027).expiry().at()).isEmpty();
    }
}
