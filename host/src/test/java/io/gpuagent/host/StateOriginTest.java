// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpuagent.host.StateOrigin.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateOriginTest {
    private static final Optional<MachineId> HERE = Optional.of(new MachineId("0".repeat(32)));
    private static final Optional<MachineId> ELSEWHERE = Optional.of(new MachineId("1".repeat(32)));

    @TempDir
    Path folder;

    @Test
    void marksAnEmptyFolderAndKnowsItAgain() throws HostException {
        StateOrigin mine = new StateOrigin(Source.DRIVER, HERE);
        assertThat(mine.claim(folder)).isEmpty();
        assertThat(folder.resolve("origin.json"))
                .hasContent("{\"version\": 1, \"source\": \"driver\", \"machine_id\": \"" + "0".repeat(32) + "\"}");
        assertThat(mine.claim(folder)).isEmpty();
    }

    @Test
    void stateOfSimulatedGpusIsRefusedOnRealOnes() throws HostException {
        new StateOrigin(Source.SIMULATED, HERE).claim(folder);
        assertThatThrownBy(() -> new StateOrigin(Source.DRIVER, HERE).claim(folder))
                .hasMessage("cannot use " + folder + ": it holds state of simulated GPUs and this run has driver ones;"
                        + " choose another folder with --state-dir");
    }

    @Test
    void stateOfAnotherMachineIsRefused() throws HostException {
        new StateOrigin(Source.DRIVER, ELSEWHERE).claim(folder);
        assertThatThrownBy(() -> new StateOrigin(Source.DRIVER, HERE).claim(folder))
                .hasMessageContaining("another machine (machine id " + "1".repeat(32) + ")");
    }

    @Test
    void aMachineWithoutAnIdMatchesAny() throws HostException {
        new StateOrigin(Source.DRIVER, Optional.empty()).claim(folder);
        assertThat(new StateOrigin(Source.DRIVER, HERE).claim(folder)).isEmpty();
        // Now the id is known, and another machine's is refused.
        assertThatThrownBy(() -> new StateOrigin(Source.DRIVER, ELSEWHERE).claim(folder))
                .isInstanceOf(HostException.class);
        assertThat(new StateOrigin(Source.DRIVER, Optional.empty()).claim(folder))
                .isEmpty();
    }

    @Test
    void aDamagedMarkIsWrittenAnewAndSaidSo() throws HostException, IOException {
        Files.writeString(folder.resolve("origin.json"), "{\"version\"");
        assertThat(new StateOrigin(Source.DRIVER, HERE).claim(folder))
                .contains(folder + "/origin.json was damaged and is written anew");
        assertThat(new StateOrigin(Source.DRIVER, HERE).claim(folder)).isEmpty();
    }

    @Test
    void aMarkThatIsNoFileIsSaidAndLeftAlone() throws HostException, IOException {
        Path mark = Files.createDirectory(folder.resolve("origin.json"));
        String warning = mark + " is no regular file, so that nothing tells whose GPUs the state in " + folder
                + " is about; remove it";
        assertThat(new StateOrigin(Source.DRIVER, HERE).claim(folder)).contains(warning);
        Files.delete(mark);
        // Reading it would never end.
        Files.createSymbolicLink(mark, Path.of("/dev/zero"));
        assertThat(new StateOrigin(Source.DRIVER, HERE).claim(folder)).contains(warning);
    }

    @Test
    void onlyTheStartOfAMarkIsRead() throws HostException, IOException {
        Path mark = folder.resolve("origin.json");
        Files.writeString(mark, "{\"source\": \"simulated\"}" + " ".repeat(100_000));
        assertThatThrownBy(() -> new StateOrigin(Source.DRIVER, HERE).claim(folder))
                .hasMessageContaining("it holds state of simulated GPUs");
        Files.writeString(mark, " ".repeat(4096) + "{\"source\": \"simulated\"}");
        assertThat(new StateOrigin(Source.DRIVER, HERE).claim(folder))
                .contains(mark + " was damaged and is written anew");
    }

    @Test
    void stateOfAKindThatIsNotKnownIsRefusedAndKept() throws IOException {
        Path mark = Files.writeString(folder.resolve("origin.json"), "{\"version\": 2, \"source\": \"Replay-2\"}");
        assertThatThrownBy(() -> new StateOrigin(Source.DRIVER, HERE).claim(folder))
                .hasMessage("cannot use " + folder + ": it holds state of GPUs of the kind \"Replay-2\", which this"
                        + " version does not know; choose another folder with --state-dir, or use the version that"
                        + " wrote it");
        assertThat(mark).hasContent("{\"version\": 2, \"source\": \"Replay-2\"}");
    }

    @Test
    void aLinkInTheDraftsPlaceIsNotFollowed() throws HostException, IOException {
        Path other = Files.writeString(folder.resolve("other"), "mine");
        Files.createSymbolicLink(folder.resolve("origin.json.new"), other);
        assertThat(new StateOrigin(Source.DRIVER, HERE).claim(folder)).isEmpty();
        assertThat(other).hasContent("mine");
        assertThat(folder.resolve("origin.json")).isRegularFile();
        assertThat(folder.resolve("origin.json.new")).doesNotExist();
    }

    @Test
    void aFolderInTheDraftsPlaceIsAWarning() throws HostException, IOException {
        Files.createDirectories(folder.resolve("origin.json.new/inner"));
        assertThat(new StateOrigin(Source.DRIVER, HERE).claim(folder))
                .contains("cannot write " + folder + "/origin.json: a folder that is not empty stands in the way");
    }
}
