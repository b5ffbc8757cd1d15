// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.config.AgentConfig;
import io.gpuagent.agent.config.AgentException;
import io.gpuagent.agent.config.GpuSource;
import io.gpuagent.agent.config.MetricsConfig;
import io.gpuagent.agent.daemon.OneCapture;
import io.gpuagent.agent.daemon.OneMpsLook;
import io.gpuagent.host.HostView;
import io.gpuagent.host.RuntimeFolders;
import io.gpuagent.model.GpuSnapshot;
import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.SampleMps;
import io.gpuagent.model.SampleSnapshots;
import io.gpuagent.model.mps.MpsNodeView;
import io.gpuagent.model.time.Clock;
import io.gpuagent.model.time.ManualClock;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs commands over a machine in a folder and an agent that answers with samples. */
final class CommandRun {
    private final HostView host;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private Clock clock = new ManualClock();
    private NodeSnapshot sample = SampleSnapshots.h200(2);
    private MpsNodeView mps = SampleMps.shared();
    private Prompt prompt = Prompt.NOBODY;
    private final Agent agent = new Agent();

    CommandRun(Path root) {
        this.host = new HostView(root, Map.of(), 0);
    }

    CommandRun with(NodeSnapshot snapshot) {
        sample = snapshot;
        return this;
    }

    CommandRun with(MpsNodeView view) {
        mps = view;
        return this;
    }

    CommandRun with(Prompt user) {
        prompt = user;
        return this;
    }

    CommandRun with(Clock time) {
        clock = time;
        return this;
    }

    int run(String... arguments) {
        out.reset();
        err.reset();
        return new Cli(new Surroundings(host, Output.of(out, err), clock, agent, prompt)).execute(arguments);
    }

    String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    Agent agent() {
        return agent;
    }

    /** Keeps what it was asked for. */
    final class Agent implements LocalAgent {
        AgentConfig config = AgentConfig.DEFAULT;
        MetricsConfig metrics = MetricsConfig.DEFAULT;
        GpuSource source = new GpuSource.Driver(Optional.empty());
        RuntimeFolders.Chosen folders;
        Path socket;
        OneCapture.Taken captured = new OneCapture.Taken("{}\n", 2, 1234, List.of(), Optional.empty());

        @Override
        public int serve(AgentConfig given, GpuSource gpus, RuntimeFolders.Chosen chosen, Path api)
                throws AgentException {
            config = given;
            source = gpus;
            folders = chosen;
            socket = api;
            return 0;
        }

        @Override
        public NodeSnapshot poll(AgentConfig given, GpuSource gpus) throws AgentException {
            config = given;
            source = gpus;
            if (gpus instanceof GpuSource.Simulated(String profile, var _) && profile.equals("h9000")) {
                throw new AgentException(AgentException.BAD_INPUT, "there is no profile \"h9000\"; use h200");
            }
            return sample;
        }

        @Override
        public OneMpsLook.Seen mps(AgentConfig given) {
            config = given;
            return new OneMpsLook.Seen(
                    mps, sample.gpus().stream().map(GpuSnapshot::identity).toList());
        }

        @Override
        public String page(NodeSnapshot snapshot, MetricsConfig given) {
            metrics = given;
            return "# generation " + snapshot.generation() + "\n";
        }

        @Override
        public OneCapture.Taken capture(GpuSource gpus, boolean keepsIdentifiers) {
            source = gpus;
            return captured;
        }
    }
}
