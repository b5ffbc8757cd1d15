// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.layout;

import java.util.List;

/**
 * What GPUs are to have. GPUs that no entry names are left alone.
 *
 * @param form whose form the file has
 * @param gpus an entry for each GPU, or for GPUs that are to have the same
 * @param groups MPS daemons that serve several GPUs
 */
public record Layout(LayoutForm form, List<GpuEntry> gpus, List<MpsGroupEntry> groups) {
    /** Takes copies of the lists. */
    public Layout {
        gpus = List.copyOf(gpus);
        groups = List.copyOf(groups);
    }
}
