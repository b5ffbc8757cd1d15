// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import io.gpuagent.agent.config.AgentException;
import io.gpuagent.agent.config.GpuSource;
import io.gpuagent.agent.poll.NvmlSource;
import io.gpuagent.host.HostView;
import io.gpuagent.host.kernel.KernelLogDevice;
import io.gpuagent.model.time.Clock;
import io.gpuagent.nvml.NvmlLibrary;
import io.gpuagent.nvml.SymbolSource;
import io.gpuagent.nvml.sim.Scenario;
import io.gpuagent.nvml.sim.ScenarioException;
import io.gpuagent.nvml.sim.SimProfile;
import io.gpuagent.nvml.sim.SimulatedDriver;
import io.gpuagent.nvml.sim.UnknownProfileException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** The NVML that the user asked for: the driver's, or a simulation with its scenario. */
final class NvmlAccess implements AutoCloseable {
    private static final Duration SCENARIO_STEP = Duration.ofMillis(100);

    private final NvmlSource source;
    private final Optional<Path> library;
    private final Optional<SymbolSource> simulation;
    private final KernelLogDevice simulatedLog;
    private final boolean demonstrates;
    private final Runnable close;

    private NvmlAccess(
            NvmlSource source,
            Optional<Path> library,
            Optional<SymbolSource> simulation,
            KernelLogDevice simulatedLog,
            boolean demonstrates,
            Runnable close) {
        this.source = source;
        this.library = library;
        this.simulation = simulation;
        this.simulatedLog = simulatedLog;
        this.demonstrates = demonstrates;
        this.close = close;
    }

    static NvmlAccess open(GpuSource source, Clock clock) throws AgentException {
        return switch (source) {
            case GpuSource.Driver driver ->
                new NvmlAccess(
                        NvmlSource.library(driver.library()),
                        driver.library(),
                        Optional.empty(),
                        new QuietKernelLog(),
                        false,
                        () -> {});
            case GpuSource.Simulated simulated -> simulation(simulated, clock);
        };
    }

    /** A simulation that the caller drives. */
    static NvmlAccess of(NvmlSource source, SymbolSource simulation) {
        return of(source, simulation, new QuietKernelLog());
    }

    /** The same, with a log of the kernel that the caller writes. */
    static NvmlAccess of(NvmlSource source, SymbolSource simulation, KernelLogDevice kernelLog) {
        return new NvmlAccess(source, Optional.empty(), Optional.of(simulation), kernelLog, false, () -> {});
    }

    private static NvmlAccess simulation(GpuSource.Simulated simulated, Clock clock) throws AgentException {
        try {
            SimProfile profile = SimProfile.parse(simulated.profile());
            SimulatedDriver driver = SimulatedDriver.start(profile, clock::nanos);
            NvmlSource source = () -> {
                // As a real library is: closed after the last session of this process, and of the version that is
                // installed
                // by then. One that a change of MIG has open goes on.
                if (driver.sessions() == 0) {
                    driver.reopenLibrary();
                }
                return new NvmlSource.Opened(driver, "simulation of " + profile.name(), () -> {});
            };
            if (simulated.scenario().isEmpty()) {
                return new NvmlAccess(
                        source, Optional.empty(), Optional.of(driver), new QuietKernelLog(), true, () -> {});
            }
            driver.play(scenario(simulated.scenario().get(), profile));
            Thread player = Thread.ofPlatform().name("scenario").daemon().start(() -> play(driver, clock));
            return new NvmlAccess(
                    source, Optional.empty(), Optional.of(driver), new QuietKernelLog(), true, player::interrupt);
        } catch (UnknownProfileException e) {
            throw new AgentException(AgentException.BAD_INPUT, String.valueOf(e.getMessage()), e);
        }
    }

    private static Scenario scenario(Path file, SimProfile profile) throws AgentException {
        try {
            return file.isAbsolute()
                    ? Scenario.read(file, profile.gpus())
                    : Scenario.shipped(file.toString(), profile.gpus());
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

    /** The simulated driver's functions; empty for a real one. */
    Optional<SymbolSource> simulation() {
        return simulation;
    }

    /** The log of the kernel that has this driver. */
    KernelLogDevice kernelLog(HostView host) {
        return simulation.isPresent() ? simulatedLog : KernelLogDevice.of(host);
    }

    /** Whether it was asked for to show something, and not by a test that sets everything up itself. */
    boolean demonstrates() {
        return demonstrates;
    }

    /** Functions for one change; a library is closed again after it. */
    SymbolSource symbols() throws NvmlLibrary.NotFound {
        return simulation.isPresent() ? simulation.get() : NvmlLibrary.open(library);
    }

    @Override
    public void close() {
        close.run();
    }
}
