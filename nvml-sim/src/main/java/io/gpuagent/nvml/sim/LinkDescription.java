// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

/**
 * How several cards of one kind are linked to each other, all through switches.
 *
 * @param links NVLinks of each card
 * @param version an nvmlNvlinkVersion_t
 * @param speed of one link each way, MB/s
 */
record LinkDescription(int links, int version, int speed) {
    static LinkDescription parse(JsonTree tree) {
        return new LinkDescription(
                tree.smallInteger("links"), tree.smallInteger("version"), tree.smallInteger("speed-mbps"));
    }
}
