// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Sets the GPUs of a daemon to EXCLUSIVE_PROCESS and back to what they were, which is on disk before it is changed. */
final class PriorModes {
    private final LiveDaemon daemon;

    PriorModes(LiveDaemon daemon) {
        this.daemon = daemon;
    }

    private ComputeModes modes() {
        return daemon.setup.ports().modes();
    }

    void makeExclusive() throws ChangeRefused {
        if (!daemon.spec().exclusiveProcess()) {
            return;
        }
        Map<String, ComputeModes.Mode> prior = new TreeMap<>(daemon.record().priorModes());
        for (String gpu : daemon.spec().devices()) {
            // What is kept from before a crash is what it was before us.
            if (!prior.containsKey(gpu)) {
                prior.put(gpu, modes().read(gpu));
            }
        }
        daemon.save(daemon.record().withModes(prior));
        for (String gpu : daemon.spec().devices()) {
            modes().set(gpu, ComputeModes.Mode.EXCLUSIVE_PROCESS);
        }
    }

    /** Puts back; what somebody else has set since is left. One sentence for each GPU. */
    List<String> restore() {
        List<String> lines = new ArrayList<>();
        Map<String, ComputeModes.Mode> left = new TreeMap<>(daemon.record().priorModes());
        daemon.record().priorModes().forEach((gpu, prior) -> {
            try {
                if (modes().read(gpu) == ComputeModes.Mode.EXCLUSIVE_PROCESS
                        && prior != ComputeModes.Mode.EXCLUSIVE_PROCESS) {
                    modes().set(gpu, prior);
                    lines.add("the compute mode of " + gpu + " is " + prior + " again");
                }
                left.remove(gpu);
            } catch (ChangeRefused e) {
                lines.add("the compute mode of " + gpu + " is still EXCLUSIVE_PROCESS and was " + prior + ": "
                        + e.getMessage());
            }
        });
        if (!left.equals(daemon.record().priorModes())) {
            daemon.save(daemon.record().withModes(left));
        }
        return lines;
    }
}
