// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.helper;

import io.gpuagent.control.ControlPort;
import io.gpuagent.control.direct.ControlFolders;
import io.gpuagent.control.direct.DirectPort;
import io.gpuagent.control.direct.NvmlSessions;
import io.gpuagent.control.direct.RecordedModes;
import io.gpuagent.control.direct.Requester;
import io.gpuagent.control.mig.MigLayouts;
import io.gpuagent.control.mig.MigMachine;
import io.gpuagent.host.HostView;
import io.gpuagent.mig.apply.Holders;
import io.gpuagent.mig.read.HostClaims;
import io.gpuagent.model.time.SystemClock;
import io.gpuagent.mps.supervise.ChangeRefused;
import io.gpuagent.mps.supervise.MpsSupervision;
import io.gpuagent.nvml.sim.SimProfile;
import io.gpuagent.nvml.sim.SimulatedDriver;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The root helper over a simulated card that lives in a file of the state folder, for all processes alike. */
final class CardHelper {
    private static final String CUT = "gpuagent.test.cut";

    private CardHelper() {}

    public static void main(String[] arguments) {
        HelperMain.start(List.of(arguments), CardHelper::port);
    }

    /**
     * The command that starts it.
     *
     * @param folder has {@code run}, {@code state} and {@code log} in it
     * @param cut behind how many NVML calls and writes it stands still
     */
    static List<String> command(Path folder, long cut) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + Path.of("src/main/dist/helper.options").toAbsolutePath(),
                "-D" + CUT + "=" + cut,
                "-cp",
                System.getProperty("java.class.path"),
                CardHelper.class.getName(),
                "--agent-user",
                System.getProperty("user.name"),
                "--runtime-dir",
                folder.resolve("run").toString(),
                "--state-dir",
                folder.resolve("state").toString(),
                "--log-dir",
                folder.resolve("log").toString());
    }

    private static ControlPort port(HelperOptions options, Requester requester) {
        ControlFolders folders = options.folders();
        return port(folders, requester, card(folders), new StandStill(Long.getLong(CUT), arrived(folders)));
    }

    static Path arrived(ControlFolders folders) {
        return folders.state().resolve("arrived");
    }

    /** The card as each process sees it. */
    static SimulatedDriver card(ControlFolders folders) {
        return SimulatedDriver.open(
                SimProfile.parse("h200"),
                () -> System.currentTimeMillis() * 1_000_000,
                SimulatedDriver.DEFAULT_SEED,
                folders.state().resolve("machine.json"));
    }

    static DirectPort port(ControlFolders folders, Requester requester, SimulatedDriver driver, StandStill points) {
        return new DirectPort(
                HostView.real(),
                folders,
                CardHelper::noDaemons,
                new RecordedModes(),
                layouts(folders, () -> driver, points),
                requester,
                SystemClock.INSTANCE);
    }

    static MigLayouts layouts(ControlFolders folders, NvmlSessions.Library library, StandStill points) {
        return new MigLayouts(new MigMachine(
                new NvmlSessions(library, points, System::nanoTime),
                folders.layouts(),
                HostClaims.NONE,
                Holders.UNSEEN,
                CardHelper::noDaemons,
                () -> Optional.of("one"),
                SystemClock.INSTANCE,
                points));
    }

    private static MpsSupervision noDaemons() throws ChangeRefused {
        throw new ChangeRefused(ChangeRefused.Kind.NOT_SUPPORTED, "there is no program for MPS daemons");
    }
}
