// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.host.ProcessIdentity;
import io.gpuagent.model.mps.ForeignMpsDaemon;
import io.gpuagent.model.mps.MpsDaemonView;
import io.gpuagent.model.mps.MpsState;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ForeignDaemonsTest {
    private static final Optional<Path> THEIRS = Optional.of(Path.of("/tmp/nvidia-mps"));

    private static MpsProcess process(long pid, long parent, Optional<Path> pipe) {
        return new MpsProcess(
                new ProcessIdentity(pid, 1), parent, 1000, pipe, Optional.of(Map.of("CUDA_VISIBLE_DEVICES", "0, 1,")));
    }

    private static MpsDaemonView ours(OptionalLong pid, Long... servers) {
        return Views.daemon(MpsState.ACTIVE, pid, List.of(servers), List.of());
    }

    @Test
    void whatIsNotOursIsForeignWithItsServersUserAndDevices() {
        MpsProcesses seen = new MpsProcesses(
                List.of(process(490, 1, Optional.of(Views.PIPE)), process(700, 1, THEIRS)),
                List.of(process(573, 490, Optional.of(Views.PIPE)), process(701, 700, THEIRS)),
                true);

        assertThat(ForeignDaemons.of(seen, List.of(ours(OptionalLong.of(490)))))
                .containsExactly(
                        new ForeignMpsDaemon(700, OptionalLong.of(1000), THEIRS, List.of("0", "1"), List.of(701L)));
    }

    @Test
    void aDaemonInOurPipeDirectoryIsTheSupervisionsBusiness() {
        MpsProcesses seen = new MpsProcesses(List.of(process(491, 1, Optional.of(Views.PIPE))), List.of(), true);

        assertThat(ForeignDaemons.of(seen, List.of(ours(OptionalLong.of(490))))).isEmpty();
    }

    @Test
    void oursIsKnownByItsPidWhereItsEnvironmentIsHidden() {
        MpsProcess hidden = new MpsProcess(new ProcessIdentity(490, 1), 1, 0, Optional.empty(), Optional.empty());

        assertThat(ForeignDaemons.of(
                        new MpsProcesses(List.of(hidden), List.of(), true), List.of(ours(OptionalLong.of(490)))))
                .isEmpty();
        assertThat(ForeignDaemons.of(new MpsProcesses(List.of(hidden), List.of(), true), List.of()))
                .containsExactly(new ForeignMpsDaemon(490, OptionalLong.of(0), Optional.empty(), List.of(), List.of()));
    }

    @Test
    void aServerThatLostItsParentIsFoundByItsPipeDirectory() {
        MpsProcesses seen = new MpsProcesses(List.of(process(700, 1, THEIRS)), List.of(process(701, 1, THEIRS)), true);

        assertThat(ForeignDaemons.of(seen, List.of()).getFirst().servers()).containsExactly(701L);
    }

    @Test
    void betweenTwoDaemonsOfOnePipeDirectoryNobodyGuesses() {
        MpsProcesses seen = new MpsProcesses(
                List.of(process(700, 1, THEIRS), process(710, 1, THEIRS)), List.of(process(701, 1, THEIRS)), true);

        assertThat(ForeignDaemons.of(seen, List.of()))
                .extracting(ForeignMpsDaemon::servers)
                .containsExactly(List.of(), List.of());
    }

    @Test
    void ourServersAreThoseToldAndThoseSeen() {
        MpsProcesses seen = new MpsProcesses(
                List.of(),
                List.of(
                        process(574, 490, Optional.empty()),
                        process(575, 1, Optional.of(Views.PIPE)),
                        process(701, 1, THEIRS)),
                true);

        assertThat(ForeignDaemons.serversOf(seen, ours(OptionalLong.of(490), 573L)))
                .containsExactly(573L, 574L, 575L);
    }
}
