// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.helper;

import io.gpuagent.control.ControlPort;
import io.gpuagent.control.direct.ControlFolders;
import io.gpuagent.control.direct.DirectPort;
import io.gpuagent.control.direct.NvmlComputeModes;
import io.gpuagent.control.direct.NvmlSessions;
import io.gpuagent.control.direct.Requester;
import io.gpuagent.control.mig.DriverLoads;
import io.gpuagent.control.mig.InstanceUsers;
import io.gpuagent.control.mig.MigLayouts;
import io.gpuagent.control.mig.MigMachine;
import io.gpuagent.host.HostView;
import io.gpuagent.mig.apply.Disk;
import io.gpuagent.model.time.Clock;
import io.gpuagent.model.time.SystemClock;
import io.gpuagent.mps.control.ControlProgram;
import io.gpuagent.mps.control.MpsEnvironment;
import io.gpuagent.mps.control.ProcessTransport;
import io.gpuagent.mps.supervise.ChangeRefused;
import io.gpuagent.mps.supervise.ClientEnvironments;
import io.gpuagent.mps.supervise.ComputeModes;
import io.gpuagent.mps.supervise.DaemonLauncher;
import io.gpuagent.mps.supervise.DetachedLauncher;
import io.gpuagent.mps.supervise.GpuUse;
import io.gpuagent.mps.supervise.MpsSupervision;
import io.gpuagent.mps.supervise.ProcTable;
import io.gpuagent.mps.supervise.ProcessOwners;
import io.gpuagent.mps.supervise.SupervisionFolders;
import io.gpuagent.mps.supervise.SupervisionPorts;
import io.gpuagent.mps.supervise.SupervisionSetup;
import io.gpuagent.mps.supervise.Surroundings;
import io.gpuagent.mps.supervise.SystemdLauncher;
import io.gpuagent.nvml.CallObserver;
import io.gpuagent.nvml.NvmlLibrary;
import java.nio.file.Files;
import java.time.ZoneId;

/** This machine, its driver and its daemons. */
final class RealPort {
    private static final Clock CLOCK = SystemClock.INSTANCE;

    private RealPort() {}

    static ControlPort open(HelperOptions options, Requester requester) {
        HostView host = HostView.real();
        ControlFolders folders = options.folders();
        ComputeModes modes = new NvmlComputeModes(() -> NvmlLibrary.open(options.nvmlLibrary()), CLOCK);
        InstanceUsers users = new InstanceUsers(host, folders.runtime().resolve("mps"));
        MigLayouts layouts = new MigLayouts(new MigMachine(
                new NvmlSessions(() -> NvmlLibrary.open(options.nvmlLibrary()), CallObserver.NONE, CLOCK::nanos),
                folders.layouts(),
                users,
                users,
                () -> supervision(host, folders, modes),
                new DriverLoads(host),
                CLOCK,
                Disk.REAL));
        return new DirectPort(host, folders, () -> supervision(host, folders, modes), modes, layouts, requester, CLOCK);
    }

    /** It makes one change and never watches: what the agent knows of clients and GPUs, it knows better. */
    private static MpsSupervision supervision(HostView host, ControlFolders folders, ComputeModes modes)
            throws ChangeRefused {
        ControlProgram program = ControlProgram.find(host)
                .orElseThrow(() -> new ChangeRefused(
                        ChangeRefused.Kind.NOT_SUPPORTED,
                        "no MPS daemon can be managed here: there is no " + ControlProgram.NAME
                                + " on the PATH; install the driver's compute utilities"));
        ProcTable processes = new ProcTable(host);
        return MpsSupervision.open(new SupervisionSetup(
                new SupervisionFolders(folders.runtime(), folders.state(), folders.logs()),
                new SupervisionPorts(
                        launcher(host, program, processes),
                        daemon -> new ProcessTransport(program, MpsEnvironment.ofCommand(host, daemon), CLOCK),
                        processes,
                        modes,
                        GpuUse.UNKNOWN,
                        ProcessOwners.UNKNOWN,
                        ClientEnvironments.UNREADABLE,
                        Surroundings.UNSEEN),
                host,
                CLOCK,
                ZoneId.systemDefault(),
                false,
                SupervisionSetup.DEFAULT_LOG_CAP_BYTES));
    }

    /** As sd_booted(3) tells whether systemd runs: a daemon must live outside of the helper's control group then. */
    private static DaemonLauncher launcher(HostView host, ControlProgram program, ProcTable processes) {
        return Files.isDirectory(host.path("/run/systemd/system"))
                ? new SystemdLauncher("systemctl", processes, CLOCK)
                : new DetachedLauncher(program, processes, CLOCK);
    }
}
