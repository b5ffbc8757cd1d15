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
}
