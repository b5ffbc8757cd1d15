// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

/**
 * The engines beside the multiprocessors, which instances share out among them.
 *
 * @param copy copy engines
 * @param decoder video decoders
 * @param encoder video encoders
 * @param jpeg JPEG decoders
 * @param ofa optical flow accelerators
 */
record Engines(int copy, int decoder, int encoder, int jpeg, int ofa) {
    static final Engines NONE = new Engines(0, 0, 0, 0, 0);

    static Engines parse(JsonTree tree) {
        return new Engines(
                tree.smallInteger("ce"),
                tree.smallInteger("dec"),
                tree.smallInteger("enc"),
                tree.smallInteger("jpg"),
                tree.smallInteger("ofa"));
    }

    Engines plus(Engines more) {
        return new Engines(
                copy + more.copy, decoder + more.decoder, encoder + more.encoder, jpeg + more.jpeg, ofa + more.ofa);
    }

    boolean isWithin(Engines all) {
        return copy <= all.copy
                && decoder <= all.decoder
                && encoder <= all.encoder
                && jpeg <= all.jpeg
                && ofa <= all.ofa;
    }
}
