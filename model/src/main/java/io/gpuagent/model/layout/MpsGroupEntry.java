// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.layout;

import java.util.List;

/**
 * An MPS daemon that is to serve several GPUs.
 *
 * @param name the group's name
 * @param gpus the GPUs by index, in the order of the daemon's ordinals
 * @param mps how it is to run
 */
public record MpsGroupEntry(String name, List<Integer> gpus, MpsEntry mps) {
    /** Takes a copy of the list. */
    public MpsGroupEntry {
        gpus = List.copyOf(gpus);
    }
}
