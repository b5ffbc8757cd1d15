// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mps;

import io.gpuagent.model.mps.MpsDaemonView;
import io.gpuagent.model.mps.MpsState;
import io.gpuagent.mps.supervise.ChangeRefused;
import io.gpuagent.mps.supervise.Effect;
import java.util.List;

/** What it means to resume a daemon: one that was given up on is started again, and a drain is called off. */
final class ResumePlan {
    private ResumePlan() {}

    static Effect of(MpsDaemonView daemon) throws ChangeRefused {
        boolean runs = daemon.pid().isPresent();
        if (daemon.state() == MpsState.CRASHLOOP && !runs) {
            return new Effect(
                    Effect.Reach.NEW_CLIENTS,
                    "it is started again with the limits it had; one that dies again is started again by itself up to"
                            + " five times",
                    List.of(),
                    List.of());
        }
        if (daemon.state() == MpsState.CRASHLOOP) {
            throw refused(
                    daemon,
                    "runs, and its servers fail: " + daemon.detail().orElse("server.log tells why")
                            + "; put that right, or stop it by force and start it again");
        }
        throw refused(
                daemon,
                daemon.state() == MpsState.ABSENT
                        ? "was stopped and not given up on: start it with gpu-agent mps start " + daemon.id()
                        : "is " + daemon.state().label() + ", and resume is for one that was given up on (crashloop) or"
                                + " drains: nothing is to be done");
    }

    private static ChangeRefused refused(MpsDaemonView daemon, String why) {
        return new ChangeRefused(ChangeRefused.Kind.IN_USE, "the MPS daemon " + daemon.id() + " " + why);
    }
}
