// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import io.gpuagent.agent.config.AgentConfig;
import io.gpuagent.agent.config.AgentException;
import io.gpuagent.agent.config.GpuSource;
import io.gpuagent.host.HostView;
import io.gpuagent.host.RuntimeFolders;
import io.gpuagent.model.GpuIdentity;
import io.gpuagent.model.GpuSnapshot;
import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.mps.MpsNodeView;
import io.gpuagent.model.time.SystemClock;
import io.gpuagent.mps.MpsException;
import java.util.List;
import java.util.Optional;

/** Looks at MPS once, without an agent: the records in the state folder, /proc, and the GPUs. Nothing is changed. */
public final class OneMpsLook {
    private OneMpsLook() {}

    /**
     * What was seen.
     *
     * @param mps MPS
     * @param gpus the GPUs beside it
     */
    public record Seen(MpsNodeView mps, List<GpuIdentity> gpus) {
        /** Takes a copy. */
        public Seen {
            gpus = List.copyOf(gpus);
        }
    }

    /**
     * Looks.
     *
     * @param config the configuration
     * @return what was seen
     * @throws AgentException when the records cannot be read
     */
    public static Seen take(AgentConfig config) throws AgentException {
        GpuSource source = new GpuSource.Driver(config.nvml().library());
        NodeSnapshot node = OnePoll.take(config, source);
        HostView host = HostView.real();
        RuntimeFolders.Chosen folders = new RuntimeFolders(host).choose(false, Optional.empty(), Optional.empty());
        try (MpsWiring wiring = MpsWiring.open(new MpsWiring.Parts(
                NvmlAccess.open(source, SystemClock.INSTANCE),
                folders,
                host,
                () -> node,
                Optional.empty(),
                SystemClock.INSTANCE,
                false,
                config.mps().logCapBytes()))) {
            return new Seen(
                    wiring.service().view(),
                    node.gpus().stream().map(GpuSnapshot::identity).toList());
        } catch (MpsException e) {
            throw new AgentException(AgentException.FAILED, String.valueOf(e.getMessage()), e);
        }
    }
}
