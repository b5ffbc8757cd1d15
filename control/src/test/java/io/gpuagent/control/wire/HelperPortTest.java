// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.control.Answer;
import io.gpuagent.control.Caller;
import io.gpuagent.control.Outcome;
import io.gpuagent.control.RefusalCode;
import io.gpuagent.control.Request;
import io.gpuagent.model.time.ManualClock;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HelperPortTest {
    private static final Request RESUME = new Request.MpsResume("pair");
    private static final Answer DONE = new Answer.Done(new Outcome.Changed("crashloop", "idle", List.of()));

    private final List<String> heard = new ArrayList<>();
    private final HelperPort port = new HelperPort(Path.of("/nonexistent/gpu-agent-priv.sock"), new ManualClock());
    private boolean letsGo = true;

    private final Caller caller = new Caller() {
        @Override
        public void begun() {
            heard.add("begun");
        }

        @Override
        public void progress(String sentence) {
            heard.add(sentence);
        }

        @Override
        public boolean quiesce(List<String> gpus) {
            heard.add("quiesce " + gpus);
            return letsGo;
        }
    };

    @Test
    void theConversationIsHeldToItsEnd() {
        letsGo = false;
        // The two ends of a pipe are alike: what is sent here, the helper has sent.
        Pipe helper = new Pipe()
                .sent(new Message.Quiesce(List.of("GPU-1")))
                .sent(new Message.Begun())
                .sent(new Message.Progress("the daemon runs"))
                .sent(new Message.Result(DONE));

        assertThat(port.converse(helper, RESUME, caller)).isEqualTo(DONE);

        assertThat(heard).containsExactly("quiesce [GPU-1]", "begun", "the daemon runs");
        assertThat(helper.received()).containsExactly(new Message.Ask(RESUME), new Message.Quiesced(false));
    }

    @Test
    void aHelperThatEndsBeforeItBeganHasChangedNothing() {
        Answer answer = port.converse(new Pipe().sent(new Message.Quiesce(List.of("GPU-1"))), RESUME, caller);

        assertThat(answer)
                .isEqualTo(new Answer.Refused(
                        RefusalCode.NO_HELPER,
                        "the root helper did not begin mps-resume (it ended without an answer), so nothing was changed;"
                                + " look at journalctl -u 'gpu-agent-priv@*'"));
    }

    @Test
    void whatBecameOfAChangeIsUnknownWhenTheHelperEndsInTheMiddleOrIsSilent() {
        Answer ended = port.converse(new Pipe().sent(new Message.Begun()), RESUME, caller);
        Answer silent = port.converse(new Pipe().sent(new Message.Begun()).silent(), RESUME, caller);

        assertThat(List.of(ended, silent))
                .allSatisfy(answer -> assertThat(answer).isInstanceOfSatisfying(Answer.Refused.class, refused -> {
                    assertThat(refused.code()).isEqualTo(RefusalCode.OUTCOME_UNKNOWN);
                    assertThat(refused.sentence()).contains("before asking again");
                }));
    }

    @Test
    void whatAHelperNeverSaysIsNotObeyed() {
        Answer garbage = port.converse(new Pipe().sent("hello"), RESUME, caller);
        Answer question = port.converse(new Pipe().sent(new Message.Ask(RESUME)), RESUME, caller);

        assertThat(List.of(garbage, question))
                .allSatisfy(answer -> assertThat(answer)
                        .isInstanceOfSatisfying(
                                Answer.Refused.class,
                                refused -> assertThat(refused.code()).isEqualTo(RefusalCode.NO_HELPER)));
    }

    @Test
    void withoutTheSocketItSaysHowToEnableIt() {
        assertThat(port.perform(RESUME, caller))
                .isEqualTo(new Answer.Refused(
                        RefusalCode.NO_HELPER,
                        "there is no /nonexistent/gpu-agent-priv.sock, so nothing can be changed; run systemctl enable"
                                + " --now gpu-agent-priv.socket as root"));
    }
}
