// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.host.HostView;
import io.gpuagent.model.PinnedMemoryLimit;
import io.gpuagent.model.Share;
import io.gpuagent.model.ThreadPercentage;
import io.gpuagent.model.time.SystemClock;
import io.gpuagent.mps.control.ControlProgram;
import io.gpuagent.mps.control.MpsEnvironment;
import io.gpuagent.mps.control.ProcessTransport;
import io.gpuagent.mps.sim.SimulatedHost;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** An agent's part that supervises, over real processes: in the test's JVM, or as a JVM of its own that can be killed. */
final class SupervisingProcess {
    static final String UUID = "GPU-00000000-0000-0000-0000-000000000001";
    static final String ID = "gpu-00000000";
    static final Share SMALL =
            Share.UNLIMITED.withThreads(ThreadPercentage.parse("25%")).withMemory(PinnedMemoryLimit.parse("8GiB"));

    private SupervisingProcess() {}

    static SupervisionFolders folders(Path folder) {
        return new SupervisionFolders(folder.resolve("run"), folder.resolve("state"), folder.resolve("log"));
    }

    static MpsSupervision open(Path folder, HostView host) {
        ProcessTable processes = new ProcTable(host);
        ControlProgram program = ControlProgram.find(host).orElseThrow();
        return MpsSupervision.open(new SupervisionSetup(
                folders(folder),
                new SupervisionPorts(
                        new DetachedLauncher(program, processes, SystemClock.INSTANCE),
                        where -> new ProcessTransport(
                                program, MpsEnvironment.ofCommand(host, where), SystemClock.INSTANCE),
                        processes,
                        ComputeModes.UNCHANGEABLE,
                        GpuUse.UNKNOWN,
                        ProcessOwners.UNKNOWN,
                        ClientEnvironments.UNREADABLE,
                        Surroundings.UNSEEN),
                host,
                SystemClock.INSTANCE,
                SimulatedHost.LOG_ZONE,
                true,
                SupervisionSetup.DEFAULT_LOG_CAP_BYTES));
    }

    static DaemonWish wish() {
        return new DaemonWish(ID, List.of(UUID), SMALL, false, false);
    }

    /** Starts a daemon, watches, and waits to be killed; or, as its second argument says so, drains one that runs. */
    public static void main(String[] arguments) throws Exception {
        MpsSupervision supervision = open(Path.of(arguments[0]), HostView.real());
        if (arguments.length > 1) {
            supervision.stop(ID, StopMode.DRAIN, Duration.ofMinutes(5), System.out::println);
            return;
        }
        supervision.start(wish(), _ -> {});
        supervision.watch();
        System.out.println("watching");
        Thread.sleep(Long.MAX_VALUE);
    }
}
