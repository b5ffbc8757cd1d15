// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.helper;

import io.gpuagent.control.ControlPort;
import io.gpuagent.control.direct.ControlFolders;
import io.gpuagent.control.direct.DirectPort;
import io.gpuagent.control.direct.Requester;
import io.gpuagent.control.direct.UnplannedSupervision;
import io.gpuagent.host.HostView;
import io.gpuagent.model.Share;
import io.gpuagent.model.time.SystemClock;
import io.gpuagent.mps.supervise.Change;
import io.gpuagent.mps.supervise.ChangeRefused;
import io.gpuagent.mps.supervise.ComputeModes;
import io.gpuagent.mps.supervise.DaemonWish;
import io.gpuagent.mps.supervise.StopMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.awaitility.Awaitility;

/**
 * The root helper, whose machine is a file: each change that is carried out adds a line to {@code stage} in the state
 * folder, so that a test sees what happened and what did not. MIG requests are for a simulated card in another file.
 */
final class StagedHelper extends UnplannedSupervision implements ComputeModes {
    private final Path stage;

    private StagedHelper(Path stage) {
        this.stage = stage;
    }

    public static void main(String[] arguments) {
        HelperMain.start(List.of(arguments), StagedHelper::port);
    }

    /**
     * The command that starts it.
     *
     * @param folder has {@code run}, {@code state} and {@code log} in it
     * @param agentUser the one user beside root that may ask
     */
    static List<String> command(Path folder, String agentUser) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + Path.of("src/main/dist/helper.options").toAbsolutePath(),
                "-cp",
                System.getProperty("java.class.path"),
                StagedHelper.class.getName(),
                "--agent-user",
                agentUser,
                "--runtime-dir",
                folder.resolve("run").toString(),
                "--state-dir",
                folder.resolve("state").toString(),
                "--log-dir",
                folder.resolve("log").toString());
    }

    private static ControlPort port(HelperOptions options, Requester requester) {
        ControlFolders folders = options.folders();
        StagedHelper machine = new StagedHelper(folders.state().resolve("stage"));
        StandStill nowhere = new StandStill(Long.MAX_VALUE, CardHelper.arrived(folders));
        return new DirectPort(
                HostView.real(),
                folders,
                () -> machine,
                machine,
                CardHelper.layouts(folders, () -> CardHelper.card(folders), nowhere),
                requester,
                SystemClock.INSTANCE);
    }

    private Change done(String what) throws ChangeRefused {
        try {
            List<String> lines = new ArrayList<>(Files.exists(stage) ? Files.readAllLines(stage) : List.of());
            String before = lines.size() + " changes";
            lines.add(what);
            Files.write(stage, lines);
            return new Change(before, what, List.of());
        } catch (IOException e) {
            throw new ChangeRefused(ChangeRefused.Kind.FAILED, "there is no stage: " + e);
        }
    }

    @Override
    public Change start(DaemonWish wish, Consumer<String> progress) throws ChangeRefused {
        return done("start " + wish.id());
    }

    @Override
    public Change stop(String id, StopMode mode, Duration deadline, Consumer<String> progress) throws ChangeRefused {
        return done("stop " + id);
    }

    @Override
    public Change set(String id, Share share, Consumer<String> progress) throws ChangeRefused {
        return done("set " + id);
    }

    @Override
    public Change terminateClient(String id, long pid, Consumer<String> progress) throws ChangeRefused {
        return done("terminate-client " + id + " " + pid);
    }

    @Override
    public Change resume(String id, Consumer<String> progress) throws ChangeRefused {
        // A daemon of this name takes its time: until the test says go.
        if (id.equals("slow")) {
            done("waiting");
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(stage.resolveSibling("go")));
        }
        return done("resume " + id);
    }

    @Override
    public Change callOffDrain(String id, Consumer<String> progress) throws ChangeRefused {
        return done("call-off-drain " + id);
    }

    @Override
    public Mode read(String gpu) {
        return Mode.DEFAULT;
    }

    @Override
    public void set(String gpu, Mode mode) throws ChangeRefused {
        done("compute-mode " + gpu + " " + mode);
    }
}
