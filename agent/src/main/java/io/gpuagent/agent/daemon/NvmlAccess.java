// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import io.gpuagent.agent.config.AgentException;
import io.gpuagent.agent.config.GpuSource;
import io.gpuagent.agent.poll.NvmlSource;
import io.gpuagent.model.time.Clock;
import io.gpuagent.nvml.sim.Scenario;
import io.gpuagent.nvml.sim.ScenarioException;
import io.gpuagent.nvml.sim.SimProfile;
import io.gpuagent.nvml.sim.SimulatedDriver;
import io.gpuagent.nvml.sim.UnknownProfileException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** The NVML that the user asked for: the driver's, or a simulation with its scenario. */
final class NvmlAccess implements AutoCloseable {
    private static final Duration SCENARIO_STEP = Duration.ofMillis(100);

    private final NvmlSource source;
    private final Runnable close;

    private NvmlAccess(NvmlSource source, Runnable close) {
        this.source = source;
        this.close = close;
    }

    static NvmlAccess open(GpuSource source, Clock clock) throws AgentException {
        return switch (source) {
            case GpuSource.Driver driver -> of(NvmlSource.library(driver.library()));
            case GpuSource.Simulated simulated -> simulation(simulated, clock);
        };
    }

    static NvmlAccess of(NvmlSource source) {
        return new NvmlAccess(source, () -> {});
    }

    private static NvmlAccess simulation(GpuSource.Simulated simulated, Clock clock) throws AgentException {
        try {
            SimProfile profile = SimProfile.parse(simulated.profile());
            SimulatedDriver driver = SimulatedDriver.start(profile, clock::nanos);
            NvmlSource source = () -> {
                // As a real library is: closed after each session, and of the version that is installed by then.
                driver.reopenLibrary();
                return new NvmlSource.Opened(driver, "simulation of " + profile.name(), () -> {});
            };
            if (simulated.scenario().isEmpty()) {
                return of(source);
            }
            driver.play(scenario(simulated.scenario().get(), profile));
            Thread player = Thread.ofPlatform().name("scenario").daemon().start(() -> play(driver, clock));
            return new NvmlAccess(source, player::interrupt);
        } catch (UnknownProfileException e) {
            throw new AgentException(AgentException.BAD_INPUT, String.valueOf(e.getMessage()), e);
        }
    }

    private static Scenario scenario(Path file, SimProfile profile) throws AgentException {
        try {
            return Scenario.read(file, profile.gpus());
        } catch (ScenarioException e) {
            throw new AgentException(AgentException.BAD_INPUT, String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw new AgentException(AgentException.BAD_INPUT, "cannot read the scenario " + file + ": " + e, e);
        }
    }

    /** Calls alone would not do: while every GPU hangs, none is made, and a release would never come. */
    private static void play(SimulatedDriver driver, Clock clock) {
        try {
            while (true) {
                driver.advance();
                clock.sleepUntil(clock.nanos() + SCENARIO_STEP.toNanos());
            }
        } catch (InterruptedException e) {
            // close() ends it.
        }
    }

    NvmlSource source() {
        return source;
    }

    @Override
    public void close() {
        close.run();
    }
}
