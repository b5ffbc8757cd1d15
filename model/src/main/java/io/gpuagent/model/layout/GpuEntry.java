// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.layout;

import java.util.List;
import java.util.Optional;

/**
 * What the GPUs of one entry are to have.
 *
 * @param at where it stands in the file
 * @param match which GPUs it is about
 * @param keep whether they are listed only to be left exactly as they are; nothing else is said then
 * @param migMode whether MIG mode is to be on; empty: never touched
 * @param mig the whole set of GPU instances; empty: they are left alone, an empty list: there are to be none
 * @param mps the MPS daemon of the whole GPU
 */
public record GpuEntry(
        Position at,
        GpuMatch match,
        boolean keep,
        Optional<Boolean> migMode,
        Optional<List<GpuInstanceEntry>> mig,
        Optional<MpsEntry> mps) {
    /** Takes a copy of the list. */
    public GpuEntry {
        mig = mig.map(List::copyOf);
    }
}
