// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.config.AgentConfig;
import io.gpuagent.agent.config.AgentException;
import io.gpuagent.agent.config.GpuSource;
import io.gpuagent.agent.daemon.OneCapture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** All that NVML answers, for a bug report or a simulation. */
@Command(
        name = "capture",
        header = "Writes all that NVML answers here, to be replayed elsewhere.",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  gpu-agent capture -o node7.json",
            "  gpu-agent status --simulate node7.json",
            "",
            "It only reads, a few seconds for each GPU. UUIDs, serial numbers, process ids",
            "and the like are replaced; PCI addresses, versions and figures are not."
        })
final class CaptureCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Write there; without it, to standard output.")
    Optional<String> output = Optional.empty();

    @Option(names = "--simulate", paramLabel = "PROFILE", description = "Capture simulated GPUs, such as h200x8.")
    Optional<String> simulate = Optional.empty();

    @Option(names = "--keep-ids", description = "Replace nothing.")
    boolean keepIds;

    CaptureCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws AgentException {
        Optional<Path> file = output.isPresent() ? Optional.of(Arguments.path("-o", output.get())) : Optional.empty();
        OneCapture.Taken taken = surroundings.agent().capture(source(), keepIds);
        if (file.isPresent()) {
            write(file.get(), taken.json());
        } else {
            surroundings.output().utf8(taken.json());
        }
        say(taken);
        return 0;
    }

    private GpuSource source() throws AgentException {
        if (simulate.isPresent()) {
            return new GpuSource.Simulated(simulate.get(), Optional.empty());
        }
        AgentConfig config = new UsualConfig(surroundings).orDefault();
        return new GpuSource.Driver(config.nvml().library());
    }

    private void say(OneCapture.Taken taken) {
        Output out = surroundings.output();
        if (taken.refusal().isPresent()) {
            out.sentence(
                    "NVML cannot be initialised (" + taken.refusal().get() + "); the capture holds no more than that");
            return;
        }
        for (String call : taken.hung()) {
            out.sentence(call + " did not return; no further question was asked there");
        }
        out.sentence(
                taken.questions() + " questions asked, " + taken.gpus() + (taken.gpus() == 1 ? " GPU; " : " GPUs; ")
                        + (keepIds
                                ? "identifiers are in it as they are"
                                : "UUIDs, serial numbers and process ids are replaced"));
    }

    /** A reader never sees half a file, and a full disk leaves an earlier capture as it was. */
    private static void write(Path file, String json) throws AgentException {
        @Nullable Path folder = file.getParent();
        @Nullable Path name = file.getFileName();
        if (folder == null || name == null) {
            throw new AgentException(AgentException.BAD_INPUT, "-o: " + file + " is no file; name one");
        }
        Path written = folder.resolve(name + ".new");
        try {
            Files.writeString(written, json);
            Files.move(written, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new AgentException(
                    AgentException.FAILED, "cannot write " + file + ": " + e + "; choose another place with -o", e);
        }
    }
}
