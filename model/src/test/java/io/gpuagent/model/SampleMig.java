// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

import io.gpuagent.model.mig.MigComputeView;
import io.gpuagent.model.mig.MigDeviceErrors;
import io.gpuagent.model.mig.MigDeviceUse;
import io.gpuagent.model.mig.MigDeviceView;
import io.gpuagent.model.mig.MigInstanceView;
import io.gpuagent.model.mig.MigPlace;
import io.gpuagent.model.mig.MigRoom;
import io.gpuagent.model.mig.MigView;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * An H200 that is cut up: a half-made instance, one with two compute instances of which one is busy, and a busy one.
 * Profiles, ids and sizes are those captured on an H200, driver 580.159.04; instances were never seen on hardware.
 */
public final class SampleMig {
    private static final long MIB = 1L << 20;
    private static final int SMALL = 7;
    private static final int QUARTER = 4;
    private static final int HALF = 2;

    /** The instances. */
    public static final MigView CUT_UP = new MigView(
            true,
            true,
            8,
            List.of(
                    new MigInstanceView(SMALL, "1g.18gb", 19, new MigPlace(0, 1), 1, 16, 16384 * MIB, List.of()),
                    new MigInstanceView(
                            QUARTER,
                            "2g.35gb",
                            14,
                            new MigPlace(2, 2),
                            2,
                            32,
                            33280 * MIB,
                            List.of(
                                    compute(QUARTER, 0, "1c.2g.35gb", 0, 1, 16, 0, 1),
                                    compute(QUARTER, 1, "1c.2g.35gb", 0, 1, 16, 1, 2))),
                    new MigInstanceView(
                            HALF,
                            "3g.71gb",
                            9,
                            new MigPlace(4, 4),
                            3,
                            60,
                            71424 * MIB,
                            List.of(compute(HALF, 0, "3g.71gb", 2, 3, 60, 0, 0)))),
            room(0, 0, 0, 0, 0, 1, 1));

    /** MIG is on and nothing is made yet. */
    public static final MigView EMPTY = new MigView(true, true, 8, List.of(), room(1, 1, 2, 4, 3, 7, 1));

    private SampleMig() {}

    /**
     * The UUID of a MIG device.
     *
     * @param gpuInstance the id of its GPU instance
     * @param computeInstance the id of its compute instance
     * @return the UUID
     */
    public static String uuid(int gpuInstance, int computeInstance) {
        return String.format(Locale.ROOT, "MIG-%08d-0000-0000-0000-00000000000%d", gpuInstance, computeInstance);
    }

    static List<MigDeviceUse> memory(long at) {
        return List.of(
                new MigDeviceUse(HALF, 0, used(71424, 40960, at)),
                new MigDeviceUse(QUARTER, 0, used(33280, 12288, at)),
                new MigDeviceUse(QUARTER, 1, used(33280, 12288, at)));
    }

    static List<MigDeviceErrors> errors(long at) {
        return List.of(
                new MigDeviceErrors(HALF, 0, Reading.of(0L, at)),
                new MigDeviceErrors(QUARTER, 0, Reading.of(0L, at)),
                new MigDeviceErrors(QUARTER, 1, Reading.of(2L, at)));
    }

    static List<GpuProcess> processes() {
        return List.of(process(4711, HALF, 0), process(4712, HALF, 0), process(4801, QUARTER, 1));
    }

    private static GpuProcess process(int pid, int gpuInstance, int computeInstance) {
        return new GpuProcess(
                pid, OptionalLong.of(512 * MIB), OptionalInt.of(gpuInstance), OptionalInt.of(computeInstance));
    }

    private static Reading<MemoryUse> used(long total, long used, long at) {
        return Reading.of(new MemoryUse(total * MIB, (total - used) * MIB, used * MIB, OptionalLong.of(0)), at);
    }

    private static MigComputeView compute(
            int of, int id, String profile, int profileId, int slices, int multiprocessors, int start, int index) {
        return new MigComputeView(
                id,
                profile,
                profileId,
                slices,
                OptionalInt.of(multiprocessors),
                Optional.of(new MigPlace(start, slices)),
                Optional.of(new MigDeviceView(uuid(of, id), index)));
    }

    private static List<MigRoom> room(
            int whole, int four, int half, int wide, int quarter, int small, int smallWithMedia) {
        return List.of(
                new MigRoom("7g.141gb", 0, whole),
                new MigRoom("4g.71gb", 5, four),
                new MigRoom("3g.71gb", 9, half),
                new MigRoom("2g.35gb", 14, quarter),
                new MigRoom("1g.35gb", 15, wide),
                new MigRoom("1g.18gb", 19, small),
                new MigRoom("1g.18gb+me", 20, smallWithMedia));
    }
}
