// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.helper;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.control.Answer;
import io.gpuagent.control.Caller;
import io.gpuagent.control.MigRequest;
import io.gpuagent.control.direct.ControlFolders;
import io.gpuagent.control.direct.DirectPort;
import io.gpuagent.control.direct.Requester;
import io.gpuagent.nvml.sim.SimulatedDriver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program of a boot over a card that lives in a file. */
class RestoreMainIT {
    @TempDir
    Path folder;

    private ControlFolders folders;

    private DirectPort port(SimulatedDriver card) {
        return CardHelper.port(
                folders,
                new Requester("boot", Optional.empty(), Optional.empty()),
                card,
                new StandStill(Long.MAX_VALUE, CardHelper.arrived(folders)));
    }

    private int restore(SimulatedDriver card) {
        return RestoreMain.run(
                List.of(
                        "--runtime-dir",
                        folders.runtime().toString(),
                        "--state-dir",
                        folders.state().toString(),
                        "--log-dir",
                        folders.logs().toString()),
                (options, requester) -> port(card));
    }

    @Test
    void theLayoutIsThereAgainWhenConsumersStart() throws Exception {
        folders = new ControlFolders(folder.resolve("run"), folder.resolve("state"), folder.resolve("log"));
        Files.createDirectories(folders.state());
        SimulatedDriver card = CardHelper.card(folders);
        String gpu = card.gpu(0).uuid();
        port(card).perform(new MigRequest.Mode(gpu, true, false), Caller.silent());
        int id = card.gpu(0).mig().create("3g.71gb", 4, "3g.71gb");
        assertThat(port(card).perform(new MigRequest.Adopt(gpu, id), Caller.silent()))
                .isInstanceOf(Answer.Done.class);
        card.reboot();
        SimulatedDriver after = CardHelper.card(folders);
        assertThat(after.gpu(0).mig().layout()).isEmpty();

        assertThat(restore(after)).isZero();

        assertThat(CardHelper.card(folders).gpu(0).mig().layout()).containsExactly("3g.71gb@4");
    }

    @Test
    void aMachineOfWhichNothingIsWrittenDownIsDoneAtOnce() {
        folders = new ControlFolders(folder.resolve("run"), folder.resolve("state"), folder.resolve("log"));

        assertThat(RestoreMain.run(List.of("--state-dir", folders.state().toString()), (options, requester) -> {
                    throw new AssertionError("nobody asks for a port's work");
                }))
                .isZero();
    }
}
