// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig;

/**
 * Engines beside the SMs, which instances do not share (nvml.h, nvmlGpuInstanceProfileInfo_t). A layout can fit by its
 * slices and still be refused for want of these: an instance with {@code +me.all} takes all media engines.
 *
 * @param copy copy engines
 * @param decoder NVDEC
 * @param encoder NVENC
 * @param jpeg JPEG decoders
 * @param opticalFlow OFA
 */
public record Engines(int copy, int decoder, int encoder, int jpeg, int opticalFlow) {
    /** None of any. */
    public static final Engines NONE = new Engines(0, 0, 0, 0, 0);

    /**
     * Adds those of another instance.
     *
     * @param other them
     * @return the sum
     */
    public Engines plus(Engines other) {
        return new Engines(
                copy + other.copy,
                decoder + other.decoder,
                encoder + other.encoder,
                jpeg + other.jpeg,
                opticalFlow + other.opticalFlow);
    }

    /**
     * Those of a number of equal instances.
     *
     * @param count how many
     * @return the sum
     */
    public Engines times(int count) {
        return new Engines(copy * count, decoder * count, encoder * count, jpeg * count, opticalFlow * count);
    }

    /**
     * The greater of both, kind by kind.
     *
     * @param other others
     * @return the greater ones
     */
    public Engines or(Engines other) {
        return new Engines(
                Math.max(copy, other.copy),
                Math.max(decoder, other.decoder),
                Math.max(encoder, other.encoder),
                Math.max(jpeg, other.jpeg),
                Math.max(opticalFlow, other.opticalFlow));
    }

    /**
     * Whether there are as many of each kind.
     *
     * @param limit what there is
     * @return whether it suffices
     */
    public boolean isWithin(Engines limit) {
        return equals(limit) || or(limit).equals(limit);
    }

    /**
     * Names the first kind of which there are too few.
     *
     * @param limit what there is
     * @return such as {@code 5 of 4 decoders}; empty where it suffices
     */
    public String shortage(Engines limit) {
        if (decoder > limit.decoder) {
            return decoder + " of " + limit.decoder + " video decoders";
        }
        if (encoder > limit.encoder) {
            return encoder + " of " + limit.encoder + " video encoders";
        }
        if (jpeg > limit.jpeg) {
            return jpeg + " of " + limit.jpeg + " JPEG decoders";
        }
        if (opticalFlow > limit.opticalFlow) {
            return opticalFlow + " of " + limit.opticalFlow + " optical flow accelerators";
        }
        return copy > limit.copy ? copy + " of " + limit.copy + " copy engines" : "";
    }
}
