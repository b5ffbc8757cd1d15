// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.model.Share;
import java.util.List;

/**
 * A managed daemon.
 *
 * @param id its id
 * @param devices UUIDs of its devices in the order of their ordinals
 * @param share what its servers start with; absent parts are the driver's defaults
 * @param multiUser whether one server serves all users
 * @param exclusiveProcess whether its GPUs are in EXCLUSIVE_PROCESS mode while it runs
 * @param uid the user it runs as
 */
record DaemonSpec(String id, List<String> devices, Share share, boolean multiUser, boolean exclusiveProcess, long uid) {
    DaemonSpec {
        devices = List.copyOf(devices);
    }

    static DaemonSpec of(DaemonWish wish, long uid) {
        return new DaemonSpec(wish.id(), wish.devices(), wish.share(), wish.multiUser(), wish.exclusiveProcess(), uid);
    }

    /** What somebody asked for: all but the user, which is the one of whoever started it. */
    DaemonWish wish() {
        return new DaemonWish(id, devices, share, multiUser, exclusiveProcess);
    }

    DaemonSpec withShare(Share other) {
        return new DaemonSpec(id, devices, other, multiUser, exclusiveProcess, uid);
    }

    String mode() {
        return multiUser
                ? "multi-user: one server for all users, with no isolation between them"
                : "single-user: one server at a time for one user; clients of another user wait until all of its clients"
                        + " have gone";
    }
}
