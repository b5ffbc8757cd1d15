// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.helper;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.control.Answer;
import io.gpuagent.control.Outcome;
import io.gpuagent.control.RefusalCode;
import io.gpuagent.control.Request;
import io.gpuagent.control.direct.AuditLines;
import io.gpuagent.control.direct.ControlFolders;
import io.gpuagent.control.direct.DirectPort;
import io.gpuagent.control.direct.NoLayouts;
import io.gpuagent.control.direct.RecordedDaemons;
import io.gpuagent.control.direct.RecordedModes;
import io.gpuagent.control.wire.Message;
import io.gpuagent.control.wire.Pipe;
import io.gpuagent.host.HostView;
import io.gpuagent.model.Share;
import io.gpuagent.model.time.ManualClock;
import io.gpuagent.mps.supervise.ComputeModes;
import io.gpuagent.mps.supervise.DaemonWish;
import io.gpuagent.mps.supervise.StopMode;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HelperTest {
    private static final String GPU = "GPU-01234567-89ab-cdef-0123-456789abcdef";
    // Some user that every Linux has and that is not root takes the agent user's part.
    private static final String AGENT = "daemon";
    private static final String STRANGER = "nobody";
    private static final Request.MpsStart START =
            new Request.MpsStart(new DaemonWish("pair", List.of(GPU), Share.UNLIMITED, false, false));

    @TempDir
    Path folder;

    private final RecordedDaemons daemons = new RecordedDaemons();
    private final RecordedModes modes = new RecordedModes();

    private Pipe serve(String user, Pipe pipe) throws IOException {
        UserPrincipal principal =
                FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(user);
        new Helper(
                        AGENT,
                        requester -> new DirectPort(
                                HostView.real(),
                                folders(),
                                () -> daemons,
                                modes,
                                NoLayouts.HERE,
                                requester,
                                new ManualClock()))
                .serve(pipe, Peer.of(principal, Optional.empty()));
        return pipe;
    }

    private ControlFolders folders() {
        return new ControlFolders(folder.resolve("run"), folder.resolve("state"), folder.resolve("log"));
    }

    private static Answer answer(Pipe pipe) {
        return ((Message.Result) pipe.received().getLast()).answer();
    }

    @ParameterizedTest
    @ValueSource(strings = {AGENT, "root"})
    void theAgentAndRootHaveThingsChanged(String user) throws Exception {
        Pipe pipe = serve(user, new Pipe().sent(new Message.Ask(START)));

        assertThat(pipe.received())
                .containsExactly(
                        new Message.Begun(),
                        new Message.Progress("start is under way"),
                        new Message.Result(new Answer.Done(new Outcome.Changed("absent", "idle", List.of()))));
        assertThat(AuditLines.read(folder.resolve("log/audit.log")))
                .hasSize(2)
                .allSatisfy(line -> assertThat(line).containsEntry("user", user));
    }

    @Test
    void aStrangerIsRefusedWhateverTheyAsk() throws Exception {
        Pipe pipe = serve(STRANGER, new Pipe().sent(new Message.Ask(START)));

        assertThat(pipe.received())
                .containsExactly(new Message.Result(new Answer.Refused(
                        RefusalCode.NOT_ALLOWED,
                        "user nobody may not have anything changed; only daemon and root may")));
        assertThat(daemons.calls()).isEmpty();
        assertThat(folder).isEmptyDirectory();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "GET / HTTP/1.1",
                "{\"quiesced\":true}",
                "{\"version\":1,\"request\":{\"verb\":\"mps-stop\",\"id\":\"../../etc\",\"mode\":\"force\",\"grace_seconds\":0}}",
                "{\"version\":1,\"request\":{\"verb\":\"list-holders\",\"nodes\":[\"/etc/shadow\"]}}"
            })
    void whatIsNoGoodRequestIsRefusedAndNothingIsTouched(String line) throws Exception {
        Pipe pipe = serve(AGENT, new Pipe().sent(line));

        assertThat(answer(pipe))
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        refused -> assertThat(refused.code()).isEqualTo(RefusalCode.BAD_REQUEST));
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aPeerThatSaysNothingIsTakenLeaveOf() throws Exception {
        assertThat(answer(serve(AGENT, new Pipe().silent())))
                .isEqualTo(new Answer.Refused(RefusalCode.BAD_REQUEST, "no whole line came within 5 s"));
        assertThat(answer(serve(AGENT, new Pipe())))
                .isEqualTo(new Answer.Refused(RefusalCode.BAD_REQUEST, "the connection ended without a request"));
    }

    @Test
    void theAgentIsAskedToLetGoOfTheGpuFirst() throws Exception {
        Request.SetComputeMode request = new Request.SetComputeMode(GPU, ComputeModes.Mode.EXCLUSIVE_PROCESS);
        Pipe pipe = serve(AGENT, new Pipe().sent(new Message.Ask(request)).replying(quiesced(true)));

        assertThat(pipe.received())
                .containsExactly(
                        new Message.Quiesce(List.of(GPU)),
                        new Message.Begun(),
                        new Message.Result(
                                new Answer.Done(new Outcome.Changed("default", "exclusive-process", List.of()))));
    }

    @Test
    void anAgentThatCannotLetGoOrIsSilentKeepsTheGpuAsItIs() throws Exception {
        Request.SetComputeMode request = new Request.SetComputeMode(GPU, ComputeModes.Mode.EXCLUSIVE_PROCESS);
        Pipe unable = serve(AGENT, new Pipe().sent(new Message.Ask(request)).replying(quiesced(false)));
        Pipe silent = serve(AGENT, new Pipe().sent(new Message.Ask(request)).silent());

        for (Pipe pipe : List.of(unable, silent)) {
            assertThat(answer(pipe))
                    .isInstanceOfSatisfying(
                            Answer.Refused.class,
                            refused -> assertThat(refused.code()).isEqualTo(RefusalCode.NOT_QUIESCED));
        }
        assertThat(modes.read(GPU)).isEqualTo(ComputeModes.Mode.DEFAULT);
    }

    @Test
    void aChangeGoesOnWhenTheAgentDies() throws Exception {
        Pipe dying = new Pipe().sent(new Message.Ask(new Request.SetComputeMode(GPU, ComputeModes.Mode.PROHIBITED)));
        serve(AGENT, dying.replying(message -> {
            dying.breakOff();
            return Optional.empty();
        }));

        assertThat(modes.read(GPU)).isEqualTo(ComputeModes.Mode.PROHIBITED);
        assertThat(AuditLines.read(folder.resolve("log/audit.log")).getLast())
                .containsEntry("result", "done")
                .containsEntry("after", "prohibited");
    }

    @Test
    void whatTheSupervisionRefusesIsHandedOn() throws Exception {
        Request stop = new Request.MpsStop("pair", StopMode.REFUSE, Duration.ZERO);

        assertThat(answer(serve("root", new Pipe().sent(new Message.Ask(stop)))))
                .isEqualTo(new Answer.Refused(RefusalCode.NOT_FOUND, "there is no MPS daemon pair"));
    }

    private static Function<Message, Optional<Message>> quiesced(boolean quiet) {
        return message ->
                message instanceof Message.Quiesce ? Optional.of(new Message.Quiesced(quiet)) : Optional.empty();
    }
}
