// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.config.AgentConfig;
import io.gpuagent.agent.config.AgentException;
import io.gpuagent.agent.config.BadValueException;
import io.gpuagent.agent.config.ConfigFile;
import io.gpuagent.agent.config.GpuSource;
import io.gpuagent.agent.config.ListenAddress;
import io.gpuagent.agent.config.PathText;
import io.gpuagent.host.RuntimeFolders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The daemon. */
@Command(
        name = "serve",
        header = "Runs the agent: reads the GPUs, serves metrics and the control API.",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  gpu-agent serve",
            "  gpu-agent serve --simulate h200x8 --listen 127.0.0.1:9836",
            "  gpu-agent serve --config /etc/gpu-agent/config.yaml",
            "",
            "Metrics are at http://127.0.0.1:9836/metrics unless set otherwise. An option",
            "wins over the file. root uses /run/gpu-agent and /var/lib/gpu-agent, another",
            "user $XDG_RUNTIME_DIR/gpu-agent and $XDG_STATE_HOME/gpu-agent; simulated runs",
            "use a folder \"simulated\" below. One agent has a folder; a second one is",
            "refused with exit code 1."
        })
final class ServeCommand implements Callable<Integer> {
    private static final Pattern SHIPPED = Pattern.compile("[a-z][a-z0-9-]{2,}");

    private final Surroundings surroundings;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "The configuration; /etc/gpu-agent/config.yaml where it exists.")
    Optional<String> config = Optional.empty();

    @Option(
            names = "--simulate",
            paramLabel = "PROFILE",
            description = "Serve simulated GPUs: a profile such as h200, h200x8 for eight, or a file.")
    Optional<String> simulate = Optional.empty();

    @Option(
            names = "--scenario",
            paramLabel = "FILE",
            description = "What happens to the simulated GPUs, and when; or mig-busy, which is shipped.")
    Optional<String> scenario = Optional.empty();

    @Option(names = "--listen", paramLabel = "HOST:PORT", description = "Where metrics are served.")
    Optional<String> listen = Optional.empty();

    @Option(
            names = {"--web-config", "--web.config.file"},
            paramLabel = "FILE",
            description = "TLS and passwords for metrics, as Prometheus's exporters take them.")
    Optional<String> webConfig = Optional.empty();

    @Option(names = "--socket", paramLabel = "PATH", description = "Where the control API is served.")
    Optional<String> socket = Optional.empty();

    @Option(names = "--state-dir", paramLabel = "DIR", description = "For what outlives a reboot.")
    Optional<String> stateDir = Optional.empty();

    @Option(names = "--runtime-dir", paramLabel = "DIR", description = "For socket and lock.")
    Optional<String> runtimeDir = Optional.empty();

    ServeCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws AgentException {
        AgentConfig effective = config();
        GpuSource source = source(effective);
        RuntimeFolders.Chosen folders = new RuntimeFolders(surroundings.host())
                .choose(simulate.isPresent(), path("--runtime-dir", runtimeDir), path("--state-dir", stateDir));
        Optional<Path> named = effective.api().socket();
        Path api = named.isPresent() ? named.get() : socketIn(folders);
        return surroundings.agent().serve(effective, source, folders, api);
    }

    /** The socket's path was not given, so that what is wrong with it is the folder's fault. */
    private Path socketIn(RuntimeFolders.Chosen folders) throws AgentException {
        try {
            return PathText.socket(folders.socket().toString());
        } catch (BadValueException e) {
            throw new AgentException(
                    AgentException.BAD_INPUT,
                    (runtimeDir.isPresent() ? "--runtime-dir" : "the runtime folder") + ": " + e.what()
                            + "; choose a folder with a shorter path with --runtime-dir, or a socket with --socket",
                    e);
        }
    }

    private AgentConfig config() throws AgentException {
        AgentConfig effective = config.isPresent()
                ? ConfigFile.read(Arguments.path("--config", config.get()))
                : new UsualConfig(surroundings).strict();
        if (listen.isPresent()) {
            effective = effective.withListen(Arguments.parse("--listen", listen.get(), ListenAddress::parse));
        }
        if (webConfig.isPresent()) {
            effective = effective.withWebConfig(Arguments.path("--web-config", webConfig.get()));
        }
        if (socket.isPresent()) {
            effective = effective.withSocket(Arguments.socket(socket.get()));
        }
        return effective;
    }

    private GpuSource source(AgentConfig effective) throws AgentException {
        Optional<Path> script = script();
        if (simulate.isPresent()) {
            if (script.isPresent() && script.get().isAbsolute() && !Files.isReadable(script.get())) {
                throw new AgentException(
                        AgentException.BAD_INPUT,
                        "--scenario: " + script.get() + " does not exist or may not be read; name a scenario file");
            }
            return new GpuSource.Simulated(simulate.get(), script);
        }
        if (script.isPresent()) {
            throw new AgentException(
                    AgentException.BAD_INPUT, "--scenario happens to simulated GPUs; add --simulate, for example h200");
        }
        return new GpuSource.Driver(effective.nvml().library());
    }

    /** A file, or the name of a scenario that is shipped, where there is no file of that name. */
    private Optional<Path> script() throws AgentException {
        Optional<Path> file = path("--scenario", scenario);
        boolean isName =
                scenario.filter(text -> SHIPPED.matcher(text).matches()).isPresent();
        return isName && file.filter(Files::exists).isEmpty() ? scenario.map(Path::of) : file;
    }

    private static Optional<Path> path(String name, Optional<String> text) throws AgentException {
        return text.isPresent() ? Optional.of(Arguments.path(name, text.get())) : Optional.empty();
    }
}
