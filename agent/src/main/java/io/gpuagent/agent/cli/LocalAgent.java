// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.config.AgentConfig;
import io.gpuagent.agent.config.AgentException;
import io.gpuagent.agent.config.GpuSource;
import io.gpuagent.agent.config.MetricsConfig;
import io.gpuagent.agent.daemon.Daemon;
import io.gpuagent.agent.daemon.OneCapture;
import io.gpuagent.agent.daemon.OneMpsLook;
import io.gpuagent.agent.daemon.OnePoll;
import io.gpuagent.host.RuntimeFolders;
import io.gpuagent.model.NodeSnapshot;
import java.nio.file.Path;

/** The agent's own work as the commands need it; a test puts a sample in its place. */
interface LocalAgent {
    /** The agent itself. */
    LocalAgent REAL = new LocalAgent() {
        @Override
        public int serve(AgentConfig config, GpuSource source, RuntimeFolders.Chosen folders, Path socket)
                throws AgentException {
            return Daemon.run(config, source, folders, socket);
        }

        @Override
        public NodeSnapshot poll(AgentConfig config, GpuSource source) throws AgentException {
            return OnePoll.take(config, source);
        }

        @Override
        public OneMpsLook.Seen mps(AgentConfig config) throws AgentException {
            return OneMpsLook.take(config);
        }

        @Override
        public String page(NodeSnapshot snapshot, MetricsConfig config) throws AgentException {
            return OnePoll.page(snapshot, config);
        }

        @Override
        public OneCapture.Taken capture(GpuSource source, boolean keepsIdentifiers) throws AgentException {
            return OneCapture.take(source, keepsIdentifiers);
        }
    };

    /**
     * Serves until it is stopped.
     *
     * @param config the configuration
     * @param source which GPUs
     * @param folders the folders it may use
     * @param socket where the control API listens
     * @return the exit code
     * @throws AgentException when it cannot go on
     */
    int serve(AgentConfig config, GpuSource source, RuntimeFolders.Chosen folders, Path socket) throws AgentException;

    /**
     * Reads the GPUs once.
     *
     * @param config the configuration
     * @param source which GPUs
     * @return what was read
     * @throws AgentException when not even a snapshot without a driver can be had
     */
    NodeSnapshot poll(AgentConfig config, GpuSource source) throws AgentException;

    /**
     * Looks at MPS once: what the records of this user's agent and /proc tell.
     *
     * @param config the configuration
     * @return what was seen
     * @throws AgentException when the records cannot be read
     */
    OneMpsLook.Seen mps(AgentConfig config) throws AgentException;

    /**
     * The metrics page of a snapshot.
     *
     * @param snapshot the snapshot
     * @param config names and choice of its series
     * @return the page in Prometheus' text format
     * @throws AgentException when it cannot be rendered
     */
    String page(NodeSnapshot snapshot, MetricsConfig config) throws AgentException;

    /**
     * Captures all that NVML answers.
     *
     * @param source which GPUs
     * @param keepsIdentifiers whether UUIDs, serial numbers and process ids are told as they are
     * @return what was found
     * @throws AgentException when there is no NVML to ask
     */
    OneCapture.Taken capture(GpuSource source, boolean keepsIdentifiers) throws AgentException;
}
