// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * A kind of GPU instance that a GPU can be cut into ({@code nvmlGpuInstanceProfileInfo_t}).
 *
 * @param kind what it was asked by; empty where it was asked by id
 * @param id what instances are made by; another profile on another model of GPU
 * @param slices compute slices
 * @param maxInstances how many the GPU can hold; some drivers for the A30 give too few
 * @param multiprocessors streaming multiprocessors
 * @param copyEngines copy engines
 * @param decoders video decoders
 * @param encoders video encoders
 * @param jpegEngines JPEG engines
 * @param ofaEngines optical flow engines
 * @param memoryMiB memory in MiB, which differs between drivers: no key
 * @param name for example {@code MIG 1g.18gb}; empty where the driver gives none, as in version 1 of the struct
 * @param p2p whether instances reach each other peer to peer
 * @param capabilities NVML_GPU_INSTANCE_PROFILE_CAPS_* bits; empty before version 3 of the struct
 */
public record GpuInstanceProfile(
        Optional<Coded<Kind>> kind,
        int id,
        int slices,
        int maxInstances,
        int multiprocessors,
        int copyEngines,
        int decoders,
        int encoders,
        int jpegEngines,
        int ofaEngines,
        long memoryMiB,
        Optional<String> name,
        boolean p2p,
        OptionalInt capabilities) {
    /** NVML_GPU_INSTANCE_PROFILE_CAPS_P2P: instances reach each other peer to peer. */
    public static final int CAPS_P2P = 0x1;
    /** NVML_GPU_INSTANCE_PROFILE_CAPS_GFX: instances can do graphics. */
    public static final int CAPS_GFX = 0x2;

    static GpuInstanceProfile version3(Struct s, Optional<Coded<Kind>> kind) {
        int capabilities = s.s32("capabilities");
        return of(s, kind, name(s), (capabilities & CAPS_P2P) != 0, OptionalInt.of(capabilities));
    }

    static GpuInstanceProfile version2(Struct s, Optional<Coded<Kind>> kind) {
        return of(s, kind, name(s), s.flag("isP2pSupported"), OptionalInt.empty());
    }

    static GpuInstanceProfile version1(Struct s, Optional<Coded<Kind>> kind) {
        return of(s, kind, Optional.empty(), s.flag("isP2pSupported"), OptionalInt.empty());
    }

    private static Optional<String> name(Struct s) {
        return Optional.of(s.text("name")).filter(name -> !name.isEmpty());
    }

    /** The same with the name that an older version of the struct has. */
    GpuInstanceProfile named(Optional<String> name) {
        return new GpuInstanceProfile(
                kind,
                id,
                slices,
                maxInstances,
                multiprocessors,
                copyEngines,
                decoders,
                encoders,
                jpegEngines,
                ofaEngines,
                memoryMiB,
                name,
                p2p,
                capabilities);
    }

    private static GpuInstanceProfile of(
            Struct s, Optional<Coded<Kind>> kind, Optional<String> name, boolean p2p, OptionalInt capabilities) {
        return new GpuInstanceProfile(
                kind,
                s.s32("id"),
                s.s32("sliceCount"),
                s.s32("instanceCount"),
                s.s32("multiprocessorCount"),
                s.s32("copyEngineCount"),
                s.s32("decoderCount"),
                s.s32("encoderCount"),
                s.s32("jpegCount"),
                s.s32("ofaCount"),
                s.u64("memorySizeMB"),
                name,
                p2p,
                capabilities);
    }

    /** NVML_GPU_INSTANCE_PROFILE_*: what profiles are asked by. It is not the id, and not every GPU has each. */
    public enum Kind implements CEnum {
        /** One slice. */
        ONE_SLICE(0),
        /** Two slices. */
        TWO_SLICE(1),
        /** Three slices. */
        THREE_SLICE(2),
        /** Four slices. */
        FOUR_SLICE(3),
        /** Seven slices. */
        SEVEN_SLICE(4),
        /** Eight slices. */
        EIGHT_SLICE(5),
        /** Six slices. */
        SIX_SLICE(6),
        /** One slice with media extensions ({@code +me}). */
        ONE_SLICE_REV1(7),
        /** Two slices with media extensions ({@code +me}). */
        TWO_SLICE_REV1(8),
        /** One slice with twice the memory. */
        ONE_SLICE_REV2(9),
        /** One slice with graphics ({@code +gfx}). */
        ONE_SLICE_GFX(10),
        /** Two slices with graphics ({@code +gfx}). */
        TWO_SLICE_GFX(11),
        /** Four slices with graphics ({@code +gfx}). */
        FOUR_SLICE_GFX(12),
        /** One slice without media engines ({@code -me}). */
        ONE_SLICE_NO_ME(13),
        /** Two slices without media engines ({@code -me}). */
        TWO_SLICE_NO_ME(14),
        /** One slice with all media engines ({@code +me.all}). */
        ONE_SLICE_ALL_ME(15),
        /** Two slices with all media engines ({@code +me.all}). */
        TWO_SLICE_ALL_ME(16);

        private final int c;

        Kind(int c) {
            this.c = c;
        }

        @Override
        public int code() {
            return c;
        }
    }
}
