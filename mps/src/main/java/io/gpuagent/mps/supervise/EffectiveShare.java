// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.model.ClientPriority;
import io.gpuagent.model.PinnedMemoryLimit;
import io.gpuagent.model.Share;
import io.gpuagent.model.ThreadPercentage;
import java.util.Optional;

/** Shares as a control daemon reads them back, where the driver's defaults stand for absent parts. */
final class EffectiveShare {
    private EffectiveShare() {}

    static Share of(Share share) {
        return new Share(
                share.threads().or(() -> Optional.of(ThreadPercentage.ALL)),
                share.memory(),
                share.priority().or(() -> Optional.of(ClientPriority.NORMAL)));
    }

    /** All that must be sent so that a share is in force, whatever was before. */
    static Share toSet(Share share) {
        Share all = of(share);
        return new Share(all.threads(), all.memory().or(() -> Optional.of(PinnedMemoryLimit.NONE)), all.priority());
    }

    static boolean same(Share one, Share other) {
        return of(one).equals(of(other));
    }

    static String text(Share share) {
        Share all = of(share);
        return all.threads().orElseThrow() + " of the multiprocessors, "
                + all.memory().map(limit -> limit + " of memory").orElse("no limit of memory")
                + (all.priority().orElseThrow() == ClientPriority.NORMAL ? "" : ", priority below normal");
    }
}
