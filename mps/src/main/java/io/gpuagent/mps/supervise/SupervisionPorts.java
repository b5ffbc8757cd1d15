// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

/**
 * What the supervision needs of the machine.
 *
 * @param launcher starts and finds daemons
 * @param transports the way to a daemon's socket
 * @param processes what /proc tells
 * @param modes compute modes of GPUs
 * @param gpus what NVML tells, out of the agent's snapshot
 * @param owners units and containers of processes
 * @param clients environments of clients
 * @param surroundings what others do beside our daemons
 */
public record SupervisionPorts(
        DaemonLauncher launcher,
        Transports transports,
        ProcessTable processes,
        ComputeModes modes,
        GpuUse gpus,
        ProcessOwners owners,
        ClientEnvironments clients,
        Surroundings surroundings) {}
