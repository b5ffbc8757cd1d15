// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import io.gpuagent.agent.config.AgentException;
import io.gpuagent.agent.config.GpuSource;
import io.gpuagent.agent.poll.NvmlSource;
import io.gpuagent.model.time.Clock;
import io.gpuagent.nvml.sim.SimProfile;
import io.gpuagent.nvml.sim.SimulatedDriver;
import io.gpuagent.nvml.sim.UnknownProfileException;

/** From what the user asked for to where NVML comes from. */
final class Sources {
    private static final int BAD_INPUT = 2;

    private Sources() {}

    static NvmlSource open(GpuSource source, Clock clock) throws AgentException {
        return switch (source) {
            case GpuSource.Driver driver -> NvmlSource.library(driver.library());
            case GpuSource.Simulated simulated -> simulation(simulated, clock);
        };
    }

    private static NvmlSource simulation(GpuSource.Simulated simulated, Clock clock) throws AgentException {
        try {
            SimProfile profile = SimProfile.parse(simulated.profile());
            return NvmlSource.lasting(SimulatedDriver.start(profile, clock::nanos), "simulation of " + profile.name());
        } catch (UnknownProfileException e) {
            throw new AgentException(BAD_INPUT, String.valueOf(e.getMessage()), e);
        }
    }
}
