// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.nvml.sim.MigHolder;
import io.gpuagent.nvml.sim.SimProfile;
import io.gpuagent.nvml.sim.SimulatedDriver;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process is really killed, with SIGKILL, in the middle of a change; the card lives on in a file. */
class KillIT {
    private static final int MINUTES = 60;
    /** Of about 400 places at which {@link CrashIT} ends the change within this process. */
    private static final int STRIDE = Boolean.getBoolean("gpuagent.exhaustive") ? 1 : 83;

    private static final int FIRST = Boolean.getBoolean("gpuagent.exhaustive") ? 1 : 60;

    @TempDir
    Path folder;

    @Test
    @Timeout(value = MINUTES, unit = TimeUnit.MINUTES)
    void aKilledProcessLeavesAChangeThatTheNextOneBringsToItsEnd() throws Exception {
        int killed = 0;
        int open = 0;
        int wanted = 0;
        for (long point = FIRST; ; point += STRIDE) {
            Path here = Files.createDirectory(folder.resolve("at-" + point));
            new CrashScene(rig(here)).set();
            if (!isKilled(here, point)) {
                break;
            }
            killed++;
            MigRig rig = rig(here);
            CrashScene scene = new CrashScene(rig);
            scene.recognise();
            rig.driver.calls().keep(MigRig.CALLS_KEPT);
            try (MigHolder _ = rig.mig().hold(rig.id(CrashScene.FOREIGN))) {
                Optional<ApplyResult> recovered = rig.executor().recover(Progress.NONE);
                open += recovered.isPresent() ? 1 : 0;
                wanted += scene.isWanted("killed at " + point) ? 1 : 0;
                scene.requireNothingUsedWasTouched("killed at " + point);
            }
        }
        System.out.printf(
                "%d processes were killed, in %d a change was open; the end was the wanted layout %d times%n",
                killed, open, wanted);
        assertThat(killed).isGreaterThan(3);
        assertThat(open).isPositive();
    }

    /** The machine as each process sees it. */
    static MigRig rig(Path here) {
        SimulatedDriver driver = SimulatedDriver.open(
                SimProfile.parse("h200"),
                () -> System.currentTimeMillis() * 1_000_000,
                SimulatedDriver.DEFAULT_SEED,
                here.resolve("machine.json"));
        return new MigRig(driver, here.resolve("gpu"));
    }

    private static boolean isKilled(Path here, long point) throws Exception {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Process process = new ProcessBuilder(List.of(
                        java.toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KilledChange.class.getName(),
                        here.toString(),
                        String.valueOf(point)))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
            String line = said.readLine();
            assertThat(line).isIn(KilledChange.AT_THE_POINT, KilledChange.DONE);
            return line.equals(KilledChange.AT_THE_POINT);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }
}
