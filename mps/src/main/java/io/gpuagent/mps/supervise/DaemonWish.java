// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.model.Share;
import java.util.List;

/**
 * A daemon that somebody wants.
 *
 * @param id {@code gpu-} or {@code mig-} and the first 8 digits of the UUID, or a group's name: 1 to 32 lower-case
 *     letters, digits and hyphens
 * @param devices UUIDs of the GPUs, or of the one MIG device, in the order of their ordinals
 * @param share what its servers start with; a part that is absent, or takes a limit off, is the driver's default
 * @param multiUser whether one server serves all users, with no isolation between them
 * @param exclusiveProcess whether its GPUs are set to EXCLUSIVE_PROCESS while it runs
 */
public record DaemonWish(String id, List<String> devices, Share share, boolean multiUser, boolean exclusiveProcess) {
    /** Takes a copy. */
    public DaemonWish {
        devices = List.copyOf(devices);
        share = share.over(Share.UNLIMITED);
    }
}
