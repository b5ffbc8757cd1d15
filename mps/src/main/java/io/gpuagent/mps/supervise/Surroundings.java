// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.model.mps.ForeignMpsDaemon;
import io.gpuagent.model.mps.MpsBypass;
import io.gpuagent.model.mps.MpsDaemonView;
import io.gpuagent.model.mps.MpsReason;
import java.util.List;

/** What others do beside our daemons. Asked with each view, so it answers out of what it knows. */
public interface Surroundings {
    /** Nothing is seen. */
    Surroundings UNSEEN = new Surroundings() {
        @Override
        public List<ForeignMpsDaemon> foreign(List<MpsDaemonView> ours) {
            return List.of();
        }

        @Override
        public List<MpsBypass> bypasses(List<MpsDaemonView> ours) {
            return List.of();
        }

        @Override
        public List<String> limits() {
            return List.of();
        }
    };

    /**
     * Daemons of others.
     *
     * @param ours the managed ones
     * @return those that are not among them
     */
    List<ForeignMpsDaemon> foreign(List<MpsDaemonView> ours);

    /**
     * Processes that compute on a GPU with a managed daemon and are neither its server nor its client.
     *
     * @param ours the managed daemons
     * @return the processes
     */
    List<MpsBypass> bypasses(List<MpsDaemonView> ours);

    /**
     * What somebody should know of one of our daemons that only the machine around it tells.
     *
     * @param daemon the daemon
     * @param all all managed ones
     * @return the reasons
     */
    default List<MpsReason> reasons(MpsDaemonView daemon, List<MpsDaemonView> all) {
        return List.of();
    }

    /**
     * What cannot be seen, and why.
     *
     * @return one sentence each
     */
    List<String> limits();
}
