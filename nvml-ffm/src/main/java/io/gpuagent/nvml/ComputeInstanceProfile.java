// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * A kind of compute instance that a GPU instance can be cut into ({@code nvmlComputeInstanceProfileInfo_t}). Of the
 * profiles of one GPU instance, the one with as many slices as it and the most multiprocessors takes all of it.
 *
 * @param kind what it was asked by
 * @param id what instances are made by, within the GPU instance's profile
 * @param slices compute slices
 * @param maxInstances how many the GPU instance can hold
 * @param multiprocessors streaming multiprocessors of its own
 * @param copyEngines copy engines, shared with the other compute instances
 * @param decoders video decoders, shared
 * @param encoders video encoders, shared
 * @param jpegEngines JPEG engines, shared
 * @param ofaEngines optical flow engines, shared
 * @param name for example {@code MIG 1c.3g.71gb}; empty from version 1 of the struct
 * @param capabilities NVML_COMPUTE_INSTANCE_PROFILE_CAPS_* bits; empty before version 3 of the struct
 */
public record ComputeInstanceProfile(
        Coded<Kind> kind,
        int id,
        int slices,
        int maxInstances,
        int multiprocessors,
        int copyEngines,
        int decoders,
        int encoders,
        int jpegEngines,
        int ofaEngines,
        Optional<String> name,
        OptionalInt capabilities) {
    /** NVML_COMPUTE_INSTANCE_PROFILE_CAPS_GFX: instances can do graphics. */
    public static final int CAPS_GFX = 0x1;

    static ComputeInstanceProfile version3(Struct s, int kind) {
        return of(s, kind, Optional.of(s.text("name")), OptionalInt.of(s.s32("capabilities")));
    }

    static ComputeInstanceProfile version2(Struct s, int kind) {
        return of(s, kind, Optional.of(s.text("name")), OptionalInt.empty());
    }

    static ComputeInstanceProfile version1(Struct s, int kind) {
        return of(s, kind, Optional.empty(), OptionalInt.empty());
    }

    private static ComputeInstanceProfile of(Struct s, int kind, Optional<String> name, OptionalInt capabilities) {
        return new ComputeInstanceProfile(
                Coded.of(kind, Kind.class),
                s.s32("id"),
                s.s32("sliceCount"),
                s.s32("instanceCount"),
                s.s32("multiprocessorCount"),
                s.s32("sharedCopyEngineCount"),
                s.s32("sharedDecoderCount"),
                s.s32("sharedEncoderCount"),
                s.s32("sharedJpegCount"),
                s.s32("sharedOfaCount"),
                name,
                capabilities);
    }

    /** NVML_COMPUTE_INSTANCE_PROFILE_*: what profiles are asked by. It is not the id. */
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
        /** One slice with all multiprocessors of a GPU instance of one slice and twice the memory. */
        ONE_SLICE_REV1(7);

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
