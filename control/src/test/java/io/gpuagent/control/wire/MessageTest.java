// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.gpuagent.control.Answer;
import io.gpuagent.control.LastUse;
import io.gpuagent.control.MigRequest;
import io.gpuagent.control.Outcome;
import io.gpuagent.control.RefusalCode;
import io.gpuagent.control.Request;
import io.gpuagent.host.DeviceHolder;
import io.gpuagent.host.GpuEnvironment;
import io.gpuagent.host.ProcessIdentity;
import io.gpuagent.mig.plan.InstanceRequest;
import io.gpuagent.mig.plan.PinRules;
import io.gpuagent.mig.plan.PlanId;
import io.gpuagent.model.ClientPriority;
import io.gpuagent.model.PinnedMemoryLimit;
import io.gpuagent.model.Share;
import io.gpuagent.model.ThreadPercentage;
import io.gpuagent.mps.supervise.ComputeModes;
import io.gpuagent.mps.supervise.DaemonWish;
import io.gpuagent.mps.supervise.StopMode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class MessageTest {
    private static final String GPU = "GPU-01234567-89ab-cdef-0123-456789abcdef";
    private static final Share QUARTER = Share.UNLIMITED
            .withThreads(ThreadPercentage.parse("12.5"))
            .withMemory(PinnedMemoryLimit.parse("8GiB"))
            .withPriority(ClientPriority.BELOW_NORMAL);

    static Stream<Message> messages() {
        ProcessIdentity process = new ProcessIdentity(4711, 815);
        return Stream.of(
                new Message.Ask(new Request.MpsStart(new DaemonWish("pair", List.of(GPU), QUARTER, true, true))),
                new Message.Ask(new Request.MpsStop("pair", StopMode.DRAIN, Duration.ofSeconds(30))),
                new Message.Ask(new Request.MpsSet("pair", QUARTER)),
                new Message.Ask(new Request.MpsTerminateClient("pair", 4711)),
                new Message.Ask(new Request.MpsResume("pair")),
                new Message.Ask(new Request.MpsCallOffDrain("pair")),
                new Message.Ask(new Request.ReadEnvironments(List.of(4711L, 4712L))),
                new Message.Ask(new Request.ListHolders(List.of("/dev/nvidia0", "/dev/nvidia-caps/nvidia-cap12"))),
                new Message.Ask(new Request.SetComputeMode(GPU, ComputeModes.Mode.EXCLUSIVE_PROCESS)),
                new Message.Quiesce(List.of(GPU)),
                new Message.Quiesced(false),
                new Message.Begun(),
                new Message.Progress("the \"daemon\" runs\u2028"),
                new Message.Result(new Answer.Refused(RefusalCode.IN_USE, "two clients are left")),
                new Message.Result(new Answer.Done(new Outcome.Changed("default", "exclusive-process", List.of("x")))),
                new Message.Result(new Answer.Done(new Outcome.Environments(
                        List.of(new GpuEnvironment(process, Map.of("CUDA_VISIBLE_DEVICES", "0\n1")))))),
                new Message.Result(new Answer.Done(
                        new Outcome.Holders(List.of(new DeviceHolder(process, -2, "a) b", List.of("/dev/nvidia0")))))));
    }

    @ParameterizedTest
    @MethodSource({"messages", "io.gpuagent.control.wire.MigMessages#all"})
    void everyMessageIsOneLineThatReadsBackAsItself(Message message) throws WireException {
        String line = message.line();

        assertThat(line).doesNotContain("\n");
        assertThat(Message.read(line)).isEqualTo(message);
    }

    @Test
    void aRequestIsPlainJson() {
        assertThat(new Message.Ask(new Request.MpsSet("pair", QUARTER)).line())
                .isEqualTo("{\"version\":1,\"request\":{\"verb\":\"mps-set\",\"id\":\"pair\",\"share\":"
                        + "{\"threads\":\"12.5\",\"memory\":\"8192M\",\"priority\":\"below-normal\"}}}");
    }

    @Test
    void aLimitThatIsToBeTakenOffIsNotTheSameAsOneThatIsLeftAlone() throws WireException {
        Message off = new Message.Ask(
                new Request.MpsSet("pair", Share.UNLIMITED.withMemory(PinnedMemoryLimit.parse("none"))));

        assertThat(off.line()).contains("\"share\":{\"memory\":\"none\"}");
        assertThat(Message.read(off.line())).isEqualTo(off);
    }

    @Test
    void aRequestForALayoutIsPlainJson() {
        MigRequest.Apply apply = new MigRequest.Apply(
                GPU,
                PlanId.parse("0123456789abcdef-fedcba9876543210"),
                List.of(new InstanceRequest("1g.18gb", 7, OptionalInt.empty(), Optional.empty())),
                PinRules.STANDARD.keeping(Set.of(5, 3)),
                List.of(new LastUse(3, OptionalInt.of(0), Duration.ofMinutes(2))));

        assertThat(new Message.Ask(apply).line())
                .isEqualTo("{\"version\":1,\"request\":{\"verb\":\"mig-apply\",\"gpu\":\"" + GPU
                        + "\",\"plan\":\"0123456789abcdef-fedcba9876543210\","
                        + "\"wanted\":[{\"profile\":\"1g.18gb\",\"count\":7}],"
                        + "\"rules\":{\"include_reserved\":false,\"include_unknown\":false,"
                        + "\"idle_grace_seconds\":600,\"keep\":[3,5]},"
                        + "\"last_uses\":[{\"gpu_instance\":3,\"compute_instance\":0,\"ago_seconds\":120}]}}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "x | the message is no JSON",
                "[] | the message is no JSON object",
                "{} {} | something follows the message",
                "{\"begun\":true,\"begun\":true} | the message is no JSON",
                "{\"progress\":null} | the JSON holds a value of a kind that is not used here",
                "{} | member \"done\" of the message is missing; it must be an object",
                "{\"request\":{\"verb\":\"mps-resume\",\"id\":\"a\"}} | member \"version\" of the message is missing; it must be a whole number",
                "{\"version\":2,\"request\":{\"verb\":\"mps-resume\",\"id\":\"a\"}} | the request is of version 2 and this helper speaks version 1; restart the agent after an upgrade",
                "{\"version\":1,\"request\":{\"verb\":\"reboot\"}} | the verb of the request is unknown; this version does not do it, or agent and helper are of different versions",
                "{\"version\":1,\"request\":{\"verb\":\"mps-resume\"}} | member \"id\" of the request is missing; it must be a string",
                "{\"version\":1,\"request\":{\"verb\":\"mps-resume\",\"id\":7}} | member \"id\" of the request must be a string",
                "{\"version\":1,\"request\":{\"verb\":\"mps-resume\",\"id\":\"a\",\"x\":1}} | the request has a member that does not belong there",
                "{\"version\":1,\"user\":\"root\",\"request\":{\"verb\":\"mps-resume\",\"id\":\"a\"}} | the message has a member that does not belong there",
                "{\"version\":1,\"request\":{\"verb\":\"mps-stop\",\"id\":\"a\",\"mode\":\"kill\",\"grace_seconds\":1}} | member \"mode\" of the request is none of refuse, drain, force",
                "{\"version\":1,\"request\":{\"verb\":\"mps-stop\",\"id\":\"a\",\"mode\":\"force\",\"grace_seconds\":99999999999999999999}} | the message is no JSON",
                "{\"version\":1,\"request\":{\"verb\":\"read-environments\",\"pids\":[\"2\"]}} | member \"pids\" of the request must hold whole numbers",
                "{\"version\":1,\"request\":{\"verb\":\"mps-set\",\"id\":\"a\",\"share\":{\"threads\":\"150\"}}} | the thread percentage \"150\" is out of range: write a number above 0 and at most 100, such as 25% or 12.5",
                "{\"version\":1,\"request\":{\"verb\":\"mps-set\",\"id\":\"a\",\"share\":{\"memory\":\"1\"}}} | the memory limit \"1\" has no unit: write a number and a binary unit, such as 8GiB or 512M",
                "{\"version\":1,\"request\":{\"verb\":\"mig-reboot\",\"gpu\":\"GPU-01234567-89ab-cdef-0123-456789abcdef\"}} | the verb of the request is unknown; this version does not do it, or agent and helper are of different versions",
                "{\"version\":1,\"request\":{\"verb\":\"mig-recover\",\"gpu\":\"0\"}} | \"0\" is no UUID of a GPU; it is GPU- and 36 lower-case hexadecimal digits and hyphens",
                "{\"version\":1,\"request\":{\"verb\":\"mig-adopt\",\"gpu\":\"GPU-01234567-89ab-cdef-0123-456789abcdef\",\"gpu_instance\":4294967297}} | member \"gpu_instance\" is out of range; it is 0 to 2147483647",
                "{\"version\":1,\"request\":{\"verb\":\"mig-repair\",\"gpu\":\"GPU-01234567-89ab-cdef-0123-456789abcdef\",\"gpu_instance\":1,\"how\":\"force\"}} | member \"how\" of the request is none of complete, remove",
                "{\"a\":[[[[[[[[[1]]]]]]]]]} | the message is no JSON"
            })
    void aLineThatIsNoMessageIsRefusedInOneSentence(String line, String sentence) {
        assertThatExceptionOfType(WireException.class)
                .isThrownBy(() -> Message.read(line))
                .withMessage(sentence);
    }
}
