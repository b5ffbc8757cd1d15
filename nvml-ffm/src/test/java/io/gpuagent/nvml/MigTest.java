// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.MigLayouts.nvmlComputeInstanceInfo_t;
import static io.gpuagent.nvml.internal.MigLayouts.nvmlComputeInstanceProfileInfo_t;
import static io.gpuagent.nvml.internal.MigLayouts.nvmlComputeInstanceProfileInfo_v3_t;
import static io.gpuagent.nvml.internal.MigLayouts.nvmlDeviceAttributes_t;
import static io.gpuagent.nvml.internal.MigLayouts.nvmlGpuInstanceInfo_t;
import static io.gpuagent.nvml.internal.MigLayouts.nvmlGpuInstancePlacement_t;
import static io.gpuagent.nvml.internal.MigLayouts.nvmlGpuInstanceProfileInfo_t;
import static io.gpuagent.nvml.internal.MigLayouts.nvmlGpuInstanceProfileInfo_v2_t;
import static io.gpuagent.nvml.internal.MigLayouts.nvmlGpuInstanceProfileInfo_v3_t;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.gpuagent.nvml.abi.HeaderConstants;
import io.gpuagent.nvml.internal.Layouts;
import java.io.IOException;
import java.lang.foreign.StructLayout;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a GPU is cut up. */
class MigTest {
    private static final int NOT_SUPPORTED = NvmlReturn.NOT_SUPPORTED.code();
    private static final int INVALID_ARGUMENT = NvmlReturn.INVALID_ARGUMENT.code();
    private static final int VERSION_MISMATCH = NvmlReturn.ARGUMENT_VERSION_MISMATCH.code();

    private final FakeSession session = new FakeSession(Access.CONTROL);
    private final Mig mig = session.gpu(0).mig();

    /** The smallest profile of an H200, in a struct of any version. */
    private static void write1g(long address, StructLayout layout) {
        FakeSession.Struct info = FakeSession.struct(address, layout)
                .set("id", 19)
                .set("sliceCount", 1)
                .set("instanceCount", 7)
                .set("multiprocessorCount", 16)
                .set("copyEngineCount", 1)
                .set("decoderCount", 2)
                .set("encoderCount", 3)
                .set("jpegCount", 4)
                .set("ofaCount", 5)
                .set("memorySizeMB", 16_384L);
        if (layout.equals(nvmlGpuInstanceProfileInfo_v3_t)) {
            info.set("capabilities", GpuInstanceProfile.CAPS_P2P);
        } else {
            info.set("isP2pSupported", 1);
        }
        if (!layout.equals(nvmlGpuInstanceProfileInfo_t)) {
            info.memory()
                    .asSlice(Layouts.offset(layout, "name"), 96)
                    .setString(0, "MIG 1g.18gb", StandardCharsets.US_ASCII);
        }
    }

    private static GpuInstanceProfile expected1g(Optional<String> name, OptionalInt capabilities) {
        return new GpuInstanceProfile(
                Optional.of(new Coded<>(0, Optional.of(GpuInstanceProfile.Kind.ONE_SLICE))),
                19,
                1,
                7,
                16,
                1,
                2,
                3,
                4,
                5,
                16_384,
                name,
                true,
                capabilities);
    }

    /** A driver that knows struct versions up to one; 1 is the function without a version. */
    private void driverOfVersion(int newest) {
        session.with("nvmlDeviceGetGpuInstanceProfileInfo", arguments -> {
            write1g(arguments[2], nvmlGpuInstanceProfileInfo_t);
            return 0;
        });
        if (newest > 1) {
            session.with("nvmlDeviceGetGpuInstanceProfileInfoV", arguments -> {
                int word = FakeSession.readInt(arguments[2]);
                if (newest >= 3 && word == Layouts.version(nvmlGpuInstanceProfileInfo_v3_t, 3)) {
                    write1g(arguments[2], nvmlGpuInstanceProfileInfo_v3_t);
                    return 0;
                }
                if (word == Layouts.version(nvmlGpuInstanceProfileInfo_v2_t, 2)) {
                    write1g(arguments[2], nvmlGpuInstanceProfileInfo_v2_t);
                    return 0;
                }
                return VERSION_MISMATCH;
            });
        }
    }

    @Test
    void profileIsReadFromTheNewestStructThatTheDriverKnows() {
        driverOfVersion(3);
        assertThat(mig.profile(0).orThrow())
                .isEqualTo(expected1g(Optional.of("MIG 1g.18gb"), OptionalInt.of(GpuInstanceProfile.CAPS_P2P)));
    }

    /** As captured on an H200 under driver 580.159.04. */
    @Test
    void nameThatTheNewestStructLacksIsTakenFromTheOneBeforeIt() {
        session.with("nvmlDeviceGetGpuInstanceProfileInfoV", arguments -> {
            boolean isNewest = FakeSession.readInt(arguments[2]) == Layouts.version(nvmlGpuInstanceProfileInfo_v3_t, 3);
            write1g(arguments[2], isNewest ? nvmlGpuInstanceProfileInfo_v3_t : nvmlGpuInstanceProfileInfo_v2_t);
            FakeSession.Struct info = FakeSession.struct(
                    arguments[2], isNewest ? nvmlGpuInstanceProfileInfo_v3_t : nvmlGpuInstanceProfileInfo_v2_t);
            info.set("version", 0);
            if (isNewest) {
                info.memory()
                        .asSlice(Layouts.offset(nvmlGpuInstanceProfileInfo_v3_t, "name"), 96)
                        .fill((byte) 0);
            }
            return 0;
        });

        assertThat(mig.profile(0).orThrow())
                .isEqualTo(expected1g(Optional.of("MIG 1g.18gb"), OptionalInt.of(GpuInstanceProfile.CAPS_P2P)));
    }

    @Test
    void olderDriverHasNoCapabilities() {
        driverOfVersion(2);
        assertThat(mig.profile(0).orThrow()).isEqualTo(expected1g(Optional.of("MIG 1g.18gb"), OptionalInt.empty()));
    }

    @Test
    void oldestDriverHasNoNamesEither() {
        driverOfVersion(1);
        assertThat(mig.profile(0).orThrow()).isEqualTo(expected1g(Optional.empty(), OptionalInt.empty()));
    }

    @Test
    void profilesAreAllUntilTheDriverKnowsNoMoreAndHolesAreSkipped() {
        session.with("nvmlDeviceGetGpuInstanceProfileInfoV", arguments -> {
            int kind = (int) arguments[1];
            write1g(arguments[2], nvmlGpuInstanceProfileInfo_v3_t);
            FakeSession.struct(arguments[2], nvmlGpuInstanceProfileInfo_v3_t).set("id", 100 + kind);
            if (kind == 0 || kind == 2 || kind == 18) {
                return 0;
            }
            return kind < 19 ? NOT_SUPPORTED : INVALID_ARGUMENT;
        });

        List<GpuInstanceProfile> profiles = mig.profiles().orThrow();

        assertThat(profiles).extracting(GpuInstanceProfile::id).containsExactly(100, 102, 118);
        assertThat(profiles)
                .extracting(profile -> profile.kind().orElseThrow().code())
                .containsExactly(0, 2, 18);
        assertThat(profiles)
                .extracting(profile -> profile.kind().orElseThrow().known())
                .containsExactly(
                        Optional.of(GpuInstanceProfile.Kind.ONE_SLICE),
                        Optional.of(GpuInstanceProfile.Kind.THREE_SLICE),
                        Optional.empty());
    }

    @Test
    void enumerationThatTheDriverDoesNotEndIsEnded() {
        session.with("nvmlDeviceGetGpuInstanceProfileInfoV", NvmlReturn.NOT_SUPPORTED);

        assertThat(mig.profiles().orThrow()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 13, 15, 999})
    void otherRefusalOfAProfileIsTheAnswer(int code) {
        session.with("nvmlDeviceGetGpuInstanceProfileInfoV", new NvmlReturn(code));

        assertThat(mig.profiles())
                .isEqualTo(
                        new Answer.Refused<>(NvmlFunction.nvmlDeviceGetGpuInstanceProfileInfoV, new NvmlReturn(code)));
    }

    @Test
    void profileByIdDoesNotKnowItsKind() {
        session.with("nvmlDeviceGetGpuInstanceProfileInfoByIdV", arguments -> {
            write1g(arguments[2], nvmlGpuInstanceProfileInfo_v3_t);
            return arguments[1] == 19 ? 0 : INVALID_ARGUMENT;
        });

        assertThat(mig.profileById(19).orThrow().kind()).isEmpty();
        assertThat(mig.profileById(20))
                .isEqualTo(new Answer.Refused<>(
                        NvmlFunction.nvmlDeviceGetGpuInstanceProfileInfoByIdV, NvmlReturn.INVALID_ARGUMENT));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"nvmlDeviceGetGpuInstancePossiblePlacements_v2", "nvmlDeviceGetGpuInstancePossiblePlacements"})
    void placementsAreReadFromWhicheverFunctionThereIs(String only) {
        session.with(only, arguments -> {
            for (int i = 0; i < 2; i++) {
                FakeSession.struct(arguments[2] + 8L * i, nvmlGpuInstancePlacement_t)
                        .set("start", 4 * i)
                        .set("size", 4);
            }
            FakeSession.writeInt(arguments[3], 2);
            return 0;
        });

        assertThat(mig.placements(9).orThrow()).containsExactly(new Placement(0, 4), new Placement(4, 4));
    }

    @ParameterizedTest
    @ValueSource(ints = {257, -1})
    void moreThanThereWasRoomForIsNoList(int claimed) {
        session.with("nvmlDeviceGetGpuInstances", arguments -> {
            FakeSession.writeInt(arguments[3], claimed);
            return 0;
        });

        assertThat(mig.instances(9)).isEqualTo(new Answer.Unavailable<>(NvmlFunction.nvmlDeviceGetGpuInstances));
    }

    /** Profiles 0 and 2 with ids 19 and 9, and handles of their instances. */
    private void driverWithInstances(Map<Integer, List<Long>> handles) {
        session.with("nvmlDeviceGetGpuInstanceProfileInfoV", arguments -> {
            write1g(arguments[2], nvmlGpuInstanceProfileInfo_v3_t);
            if (arguments[1] == 2) {
                FakeSession.struct(arguments[2], nvmlGpuInstanceProfileInfo_v3_t)
                        .set("id", 9);
            }
            return arguments[1] > 2 ? INVALID_ARGUMENT : arguments[1] == 1 ? NOT_SUPPORTED : 0;
        });
        session.with("nvmlDeviceGetGpuInstances", arguments -> {
            List<Long> those = handles.get((int) arguments[1]);
            for (int i = 0; i < those.size(); i++) {
                FakeSession.writeLong(arguments[2] + 8L * i, those.get(i));
            }
            FakeSession.writeInt(arguments[3], those.size());
            return 0;
        });
        session.with("nvmlGpuInstanceGetInfo", arguments -> {
            FakeSession.struct(arguments[1], nvmlGpuInstanceInfo_t)
                    .set("id", (int) arguments[0] - 0x2000)
                    .set("profileId", 19);
            long placement = arguments[1] + Layouts.offset(nvmlGpuInstanceInfo_t, "placement");
            FakeSession.struct(placement, nvmlGpuInstancePlacement_t)
                    .set("start", 6)
                    .set("size", 1);
            return 0;
        });
    }

    @Test
    void instancesAreThoseOfAllProfiles() {
        driverWithInstances(Map.of(19, List.of(0x200BL, 0x200CL), 9, List.of(0x2001L)));

        assertThat(mig.instances().orThrow())
                .extracting(instance -> instance.info().orThrow().id())
                .containsExactly(11, 12, 1);
        assertThat(mig.instances(19).orThrow().getFirst().info().orThrow())
                .isEqualTo(new GpuInstanceInfo(11, 19, new Placement(6, 1)));
    }

    @Test
    void instancesThatMayNotBeReadAreRefused() {
        driverWithInstances(Map.of());
        session.with("nvmlDeviceGetGpuInstances", NvmlReturn.NO_PERMISSION);

        assertThat(mig.instances())
                .isEqualTo(new Answer.Refused<>(NvmlFunction.nvmlDeviceGetGpuInstances, NvmlReturn.NO_PERMISSION));
    }

    @Test
    void instanceIsMadeWhereItIsAskedForAndItsHandleIsTheOneGiven() {
        driverWithInstances(Map.of());
        session.with("nvmlDeviceCreateGpuInstanceWithPlacement", arguments -> {
            FakeSession.Struct placement = FakeSession.struct(arguments[2], nvmlGpuInstancePlacement_t);
            if (arguments[1] != 19 || placement.getInt("start") != 6 || placement.getInt("size") != 1) {
                return NvmlReturn.INSUFFICIENT_RESOURCES.code();
            }
            FakeSession.writeLong(arguments[3], 0x200D);
            return 0;
        });

        assertThat(mig.create(19, new Placement(6, 1))
                        .orThrow()
                        .info()
                        .orThrow()
                        .id())
                .isEqualTo(13);
        assertThat(mig.create(19, new Placement(5, 1)))
                .isEqualTo(new Answer.Refused<>(
                        NvmlFunction.nvmlDeviceCreateGpuInstanceWithPlacement, NvmlReturn.INSUFFICIENT_RESOURCES));
    }

    @Test
    void instanceThatIsInUseIsNotDestroyed() {
        driverWithInstances(Map.of(19, List.of(0x200BL)));
        session.with("nvmlGpuInstanceDestroy", NvmlReturn.IN_USE);

        assertThat(mig.instances(19).orThrow().getFirst().destroy())
                .isEqualTo(new Answer.Refused<>(NvmlFunction.nvmlGpuInstanceDestroy, NvmlReturn.IN_USE));
    }

    @Test
    void modeThatWasTakenAndIsNotActiveIsToldApart() {
        session.with("nvmlDeviceSetMigMode", arguments -> {
            FakeSession.writeInt(arguments[2], arguments[1] == 1 ? NvmlReturn.IN_USE.code() : 0);
            return 0;
        });

        assertThat(mig.setMode(true).orThrow()).isEqualTo(NvmlReturn.IN_USE);
        assertThat(mig.setMode(false).orThrow()).isEqualTo(NvmlReturn.SUCCESS);
    }

    @Test
    void devicesAreThoseThatThereAreWithTheirIndices() {
        session.with("nvmlDeviceGetMaxMigDeviceCount", arguments -> {
            FakeSession.writeInt(arguments[1], 7);
            return 0;
        });
        session.with("nvmlDeviceGetMigDeviceHandleByIndex", arguments -> {
            FakeSession.writeLong(arguments[2], 0x3000 + arguments[1]);
            return arguments[1] == 1 || arguments[1] == 4 ? 0 : NvmlReturn.NOT_FOUND.code();
        });
        session.with("nvmlDeviceGetGpuInstanceId", arguments -> {
            FakeSession.writeInt(arguments[1], (int) arguments[0] - 0x3000);
            return 0;
        });

        List<MigDevice> devices = mig.devices().orThrow();

        assertThat(devices).extracting(MigDevice::index).containsExactly(1, 4);
        assertThat(devices)
                .extracting(device -> device.gpuInstanceId().orThrow())
                .containsExactly(1, 4);
    }

    @Test
    void devicesOfAGpuWhoseCountIsRefusedAreRefused() {
        session.with("nvmlDeviceGetMaxMigDeviceCount", NvmlReturn.GPU_IS_LOST);

        assertThat(mig.devices())
                .isEqualTo(new Answer.Refused<>(NvmlFunction.nvmlDeviceGetMaxMigDeviceCount, NvmlReturn.GPU_IS_LOST));
    }

    @Test
    void attributesOfADeviceAreReadByName() {
        session.with("nvmlDeviceGetMigDeviceHandleByIndex", arguments -> 0);
        session.with("nvmlDeviceGetAttributes_v2", arguments -> {
            FakeSession.struct(arguments[1], nvmlDeviceAttributes_t)
                    .set("multiprocessorCount", 60)
                    .set("sharedCopyEngineCount", 1)
                    .set("sharedDecoderCount", 2)
                    .set("sharedEncoderCount", 4)
                    .set("sharedJpegCount", 5)
                    .set("sharedOfaCount", 6)
                    .set("gpuInstanceSliceCount", 7)
                    .set("computeInstanceSliceCount", 3)
                    .set("memorySizeMB", 71_424L);
            return 0;
        });

        assertThat(mig.device(0).orThrow().attributes().orThrow())
                .isEqualTo(new MigDevice.Attributes(7, 3, 60, 1, 2, 4, 5, 6, 71_424));
    }

    @Test
    void computeInstancesAreFoundAndReadInTheirGpuInstance() {
        driverWithInstances(Map.of(9, List.of(0x2001L)));
        session.with("nvmlGpuInstanceGetComputeInstanceProfileInfoV", arguments -> {
            boolean isKnown =
                    FakeSession.readInt(arguments[3]) == Layouts.version(nvmlComputeInstanceProfileInfo_v3_t, 3);
            FakeSession.struct(arguments[3], nvmlComputeInstanceProfileInfo_v3_t)
                    .set("id", 2)
                    .set("sliceCount", 3)
                    .set("capabilities", 1);
            return arguments[1] > 0 ? INVALID_ARGUMENT : isKnown ? 0 : VERSION_MISMATCH;
        });
        session.with("nvmlGpuInstanceGetComputeInstances", arguments -> {
            FakeSession.writeLong(arguments[2], 0x4000);
            FakeSession.writeInt(arguments[3], arguments[1] == 2 ? 1 : 0);
            return 0;
        });
        session.with("nvmlComputeInstanceGetInfo_v2", arguments -> {
            FakeSession.struct(arguments[1], nvmlComputeInstanceInfo_t)
                    .set("id", 5)
                    .set("profileId", 2);
            long placement = arguments[1] + Layouts.offset(nvmlComputeInstanceInfo_t, "placement");
            FakeLibrary.memory(placement, 8).set(JAVA_INT, 4, 3);
            return arguments[0] == 0x4000 ? 0 : INVALID_ARGUMENT;
        });
        GpuInstance instance = mig.instances(9).orThrow().getFirst();

        assertThat(instance.profiles().orThrow())
                .extracting(ComputeInstanceProfile::id, ComputeInstanceProfile::capabilities)
                .containsExactly(tuple(2, OptionalInt.of(1)));
        assertThat(instance.computeInstances().orThrow())
                .extracting(compute -> compute.info().orThrow())
                .containsExactly(new ComputeInstanceInfo(5, 2, new Placement(0, 3)));
    }

    @Test
    void profileOfComputeInstancesFromAnOldDriverHasNoName() {
        driverWithInstances(Map.of(9, List.of(0x2001L)));
        session.with("nvmlGpuInstanceGetComputeInstanceProfileInfo", arguments -> {
            FakeSession.struct(arguments[3], nvmlComputeInstanceProfileInfo_t)
                    .set("id", 2)
                    .set("multiprocessorCount", 60);
            return 0;
        });

        ComputeInstanceProfile profile =
                mig.instances(9).orThrow().getFirst().profile(2).orThrow();

        assertThat(profile.kind()).isEqualTo(new Coded<>(2, Optional.of(ComputeInstanceProfile.Kind.THREE_SLICE)));
        assertThat(profile.multiprocessors()).isEqualTo(60);
        assertThat(profile.name()).isEmpty();
    }

    @Test
    void kindsAreThoseOfTheHeader() throws IOException {
        HeaderConstants header = HeaderConstants.ofVendoredHeader();

        assertThat(Stream.of(GpuInstanceProfile.Kind.values())
                        .collect(Collectors.toMap(Enum::name, GpuInstanceProfile.Kind::code)))
                .isEqualTo(kinds(header.defines("NVML_GPU_INSTANCE_PROFILE_")));
        assertThat(Stream.of(ComputeInstanceProfile.Kind.values())
                        .collect(Collectors.toMap(Enum::name, ComputeInstanceProfile.Kind::code)))
                .isEqualTo(kinds(header.defines("NVML_COMPUTE_INSTANCE_PROFILE_")));
    }

    /** The header writes the number of slices as a figure, with which no name in Java begins. */
    private static Map<String, Integer> kinds(Map<String, Integer> defines) {
        Map<Character, String> figures =
                Map.of('1', "ONE", '2', "TWO", '3', "THREE", '4', "FOUR", '6', "SIX", '7', "SEVEN", '8', "EIGHT");
        Map<String, Integer> kinds = new LinkedHashMap<>();
        defines.forEach((name, number) -> {
            if (figures.containsKey(name.charAt(0))) {
                kinds.put((figures.get(name.charAt(0)) + name.substring(1)).toUpperCase(Locale.ROOT), number);
            }
        });
        return kinds;
    }
}
