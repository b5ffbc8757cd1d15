// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.gpuagent.model.ClientPriority;
import io.gpuagent.model.PinnedMemoryLimit;
import io.gpuagent.model.ThreadPercentage;
import io.gpuagent.model.time.ManualClock;
import io.gpuagent.mps.MpsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What texts mean, those too that no simulated daemon writes. */
class ControlClientTest {
    private static ControlClient client(CannedTransport transport) {
        return ControlClient.open(transport, 1, CommandObserver.NONE, new ManualClock())
                .orThrow();
    }

    private static ControlClient answering(String... texts) {
        return client(CannedTransport.answering(texts));
    }

    private static Answer<ControlClient> open(String version) {
        return ControlClient.open(new CannedTransport(version), 1, CommandObserver.NONE, new ManualClock());
    }

    @ParameterizedTest
    @CsvSource({
        "11080, LEGACY, 48",
        "13000, LEGACY, 48",
        "13009, LEGACY, 48",
        "13010, STATIC_PARTITIONS, 60",
        "13039, STATIC_PARTITIONS, 60",
        "13040, V3_CAPABLE, 60"
    })
    void theGenerationFollowsFromTheBinaryVersion(int version, Generation generation, int contexts) {
        ControlClient client = open("CUDA MPS Control for Linux/Unix/QNX. Binary version: " + version + "\nCopyright\n")
                .orThrow();

        assertThat(client.generation()).isEqualTo(generation);
        assertThat(client.version()).isEqualTo(version);
        assertThat(generation.clientContexts()).isEqualTo(contexts);
    }

    @ParameterizedTest
    @ValueSource(ints = {13050, 14000, 999_999_999})
    void aVersionNewerThanKnownIsRefused(int version) {
        Answer<ControlClient> answer = open("Binary version: " + version);

        assertThat(answer.refusal()).contains(Refusal.TOO_NEW);
        assertThatExceptionOfType(MpsException.class)
                .isThrownBy(answer::orThrow)
                .withMessageContaining("refuses to guess at versions newer than CUDA 13.4")
                .withMessageContaining("Binary version: " + version);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "usage: nvidia-cuda-mps-control", "Binary version: ", "Binary version: 99999999999"})
    void anUnreadableVersionIsRefused(String text) {
        assertThat(open(text).refusal()).contains(Refusal.UNEXPECTED);
    }

    /** The daemon answers a value it refuses with the one still in force and exit status 0. */
    // Captured on an H200: 150 is answered with the percentage still in force, and exit status 0.
    @Test
    void anEchoOfAnotherPercentageIsAFailure() {
        CannedTransport transport = CannedTransport.answering("60.0\n");
        Answer<ThreadPercentage> answer = client(transport).defaults().setThreads(ThreadPercentage.ALL);

        assertThat(transport.sent).containsExactly("set_default_active_thread_percentage 100");
        assertThat(answer.refusal()).contains(Refusal.NOT_IN_FORCE);
        assertThatExceptionOfType(MpsException.class)
                .isThrownBy(answer::orThrow)
                .withMessage(
                        "the MPS command \"set_default_active_thread_percentage 100\" failed: it was accepted and is"
                                + " not in force (the answer was \"in force is 60%\")");
    }

    @Test
    void aLimitThatReadsBackAsAnotherIsAFailure() {
        CannedTransport transport = CannedTransport.answering("", "1M\n");

        assertThat(client(transport)
                        .limits(794)
                        .setMemory(0, PinnedMemoryLimit.parse("1T"))
                        .refusal())
                .contains(Refusal.NOT_IN_FORCE);
        assertThat(transport.sent)
                .containsExactly("set_device_pinned_mem_limit 794 0 1048576M", "get_device_pinned_mem_limit 794 0");
    }

    @Test
    void aLimitThatIsNotThereAfterwardsIsAFailure() {
        assertThat(answering("", "")
                        .defaults()
                        .setMemory(0, PinnedMemoryLimit.parse("1G"))
                        .refusal())
                .contains(Refusal.NOT_IN_FORCE);
    }

    @Test
    void aLimitThatReadsBackInAnotherUnitIsInForce() {
        assertThat(answering("", "20G")
                        .defaults()
                        .setMemory(0, PinnedMemoryLimit.parse("20480M"))
                        .orThrow())
                .contains(PinnedMemoryLimit.parse("20G"));
    }

    @Test
    void aPriorityThatWasNotTakenIsAFailure() {
        assertThat(answering("", "0")
                        .setDefaultPriority(ClientPriority.BELOW_NORMAL)
                        .refusal())
                .contains(Refusal.NOT_IN_FORCE);
        assertThat(answering("Invalid priority value - must be 0 or 1!")
                        .setDefaultPriority(ClientPriority.BELOW_NORMAL)
                        .refusal())
                .contains(Refusal.BAD_VALUE);
    }

    @ParameterizedTest
    @CsvSource({
        "Cannot find MPS control daemon process, 1, NO_DAEMON",
        "CUDA_MPS_PIPE_DIRECTORY must be set to start or to communicate with MPS control daemon, 1, NO_DAEMON",
        "Server 573 not found, 0, NO_SUCH_SERVER",
        "Server not found, 0, NO_SUCH_SERVER",
        "Insufficient privileges for UID 65534. Control deamon settings can only be modified, 0, NOT_ALLOWED",
        "Not enough privilege to execute quit command, 0, NOT_ALLOWED",
        "'Unknown command \"get_client_list\"', 0, UNKNOWN_COMMAND",
        "Segmentation fault, 139, UNEXPECTED",
        "573 574, 0, UNEXPECTED",
        "something new, 0, UNEXPECTED"
    })
    void theTextDecidesAndNotTheExitStatus(String text, int status, Refusal refusal) {
        for (Exchange exchange : List.of(
                CannedTransport.completed(text + "\n", "", status), CannedTransport.completed("", text + "\n", 1))) {
            if (refusal == Refusal.UNEXPECTED && exchange.equals(CannedTransport.completed("", text + "\n", 1))) {
                continue;
            }
            CannedTransport transport = CannedTransport.answering().then(exchange);
            assertThat(client(transport).clients(573).refusal()).contains(refusal);
        }
    }

    @Test
    void aWarningOnStandardErrorDoesNotHideAnAnswer() {
        CannedTransport transport = CannedTransport.answering()
                .then(CannedTransport.completed("540\n", "libcuda.so.1: no version information available\n", 0));

        assertThat(client(transport).clients(573).orThrow()).containsExactly(540L);
    }

    @Test
    void whatGoesWrongOnTheWayIsToldApart() {
        CannedTransport transport = CannedTransport.answering()
                .then(new Exchange.TimedOut(Duration.ofSeconds(10)))
                .then(new Exchange.NotRun("No such file or directory"))
                .then(new Exchange.Completed("1\n".repeat(10), "", 0, true, Duration.ZERO));
        ControlClient client = client(transport);

        assertThat(client.servers().refusal()).contains(Refusal.TIMED_OUT);
        assertThat(client.servers().refusal()).contains(Refusal.NOT_RUN);
        assertThat(client.servers().refusal()).contains(Refusal.UNEXPECTED);
    }

    @Test
    void aCommandThatAnswersNothingIsNotTakenForDoneWhenItSaysSomething() {
        assertThat(answering("CUDA error 46").startServer(0).refusal()).contains(Refusal.UNEXPECTED);
        assertThat(answering("busy").quit(Duration.ZERO).refusal()).contains(Refusal.UNEXPECTED);
    }

    @Test
    void anUnknownStatusKeepsItsWordAndASentenceIsNone() {
        assertThat(answering("RESETTING\n").status(1).orThrow())
                .isEqualTo(new ServerStatus(ServerStatus.Word.UNKNOWN, "RESETTING"));
        assertThat(answering("FAULT\n").status(1).orThrow().word()).isEqualTo(ServerStatus.Word.FAULT);
        assertThat(answering("Server is busy\n").status(1).refusal()).contains(Refusal.UNEXPECTED);
        assertThat(answering("").status(1).refusal()).contains(Refusal.UNEXPECTED);
    }

    @Test
    void terminatingAClientAnswersZeroOrACudaError() {
        assertThat(answering("0\n").terminateClient(1, 2).value()).contains(Accepted.ACCEPTED);
        assertThat(answering("1\n").terminateClient(1, 2).refusal()).contains(Refusal.CUDA_ERROR);
        assertThat(answering("").terminateClient(1, 2).refusal()).contains(Refusal.UNEXPECTED);
    }

    @Test
    void aRowOfPsMayHaveEmptyCellsAndACommandWithSpaces() {
        String output = """
                PID       ID        SERVER         DEVICE                    NAMESPACE      COMMAND
                540       1         573            GPU-00000000-0000-0000    4026531836     python 3 -m x
                541       2         573                                                     python3
                """;

        assertThat(answering(output).processes().orThrow())
                .containsExactly(
                        new ClientProcess(540, 1, 573, "GPU-00000000-0000-0000", "4026531836", "python 3 -m x"),
                        new ClientProcess(541, 2, 573, "", "", "python3"));
        assertThat(answering("").processes().orThrow()).isEmpty();
        assertThat(answering("PID SERVER\n1 2\n").processes().refusal()).contains(Refusal.UNEXPECTED);
    }

    @Test
    void deviceTablesTellNewServersFromRunningOnes() {
        String output = """
                Default
                Device Ordinal  PCI IDs        UUID                                      Name                              Attributes
                0               0000:00.06.00  GPU-00000000-0000-0000-0000-000000000001  NVIDIA H200                       N/A

                Server 493
                Device Ordinal  PCI IDs        UUID                                      Name                              Attributes
                0               0000:00.06.00  GPU-00000000-0000-0000-0000-000000000001  NVIDIA H200                       N/A
                """;

        List<DeviceTable> tables = answering(output).devices().orThrow();

        assertThat(tables).extracting(DeviceTable::server).containsExactly(OptionalLong.empty(), OptionalLong.of(493));
        assertThat(tables.getLast().devices())
                .containsExactly(new DeviceTable.Device(
                        0, "0000:00.06.00", "GPU-00000000-0000-0000-0000-000000000001", "NVIDIA H200", "N/A"));
        assertThat(answering("0  1  2\n").devices().refusal()).contains(Refusal.UNEXPECTED);
    }

    // sgl-project/sglang-omni: ids with slashes, lists with blanks for dashes, refusals with exit status 0.
    @Test
    void bothLayoutsOfPartitionsAreRead() {
        String documented = """
                GPU           Partition    free  used  free  used  clients
                                           chunk chunk SM    SM
                GPU-74d43ed3  -            5     10    52    80    -
                GPU-74d43ed3  D/79e/Dgw    -     10    -     80    Yes
                """;
        String real = """
                GPU-74d43ed3               5     10    52    80
                GPU-74d43ed3  D/79e/Dgw          10          80    Yes
                """;
        SmPartition partition = new SmPartition("GPU-74d43ed3", "D/79e/Dgw");

        for (String output : List.of(documented, real)) {
            assertThat(answering(output).partitions().orThrow())
                    .containsExactly(
                            new SmPartition.Row.Device("GPU-74d43ed3", 5, 10, 52, 80),
                            new SmPartition.Row.Partition(partition, 10, 80, true));
        }
        assertThat(answering("GPU-74d43ed3 5 10\n").partitions().refusal()).contains(Refusal.UNEXPECTED);
    }

    @Test
    void anIdOfAPartitionMayHoldSlashes() {
        SmPartition expected = new SmPartition("GPU-74d43ed3-0000", "D/79e/Dgw");
        for (String text :
                List.of("GPU-74d43ed3-0000/D/79e/Dgw\n", "Partition GPU-74d43ed3-0000/D/79e/Dgw created\n")) {
            assertThat(answering(text).addPartition("GPU-74d43ed3", 10).orThrow())
                    .isEqualTo(expected);
        }
        assertThat(expected.reference()).isEqualTo("GPU-74d43ed3-0000/D/79e/Dgw");
        assertThat(answering("Failed to fulfill the requested SM partition of 10 chunks, error"
                                + " CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION")
                        .addPartition("GPU-74d43ed3", 10)
                        .refusal())
                .contains(Refusal.BAD_VALUE);
    }

    @Test
    void aPartitionIsGoneWhenTheListSaysSo() {
        SmPartition partition = new SmPartition("GPU-74d43ed3", "D/79e/Dgw");
        String stillThere = "GPU-74d43ed3  D/79e/Dgw  10  80  No\n";

        assertThat(answering("Partition %s in use. Terminate all clients before removing.\n")
                        .removePartition(partition)
                        .refusal())
                .contains(Refusal.IN_USE);
        assertThat(answering("", stillThere).removePartition(partition).refusal())
                .contains(Refusal.NOT_IN_FORCE);
        assertThat(answering("", "GPU-74d43ed3 15 0 132 0\n")
                        .removePartition(partition)
                        .value())
                .contains(Accepted.ACCEPTED);
    }

    @Test
    void anObserverSeesEveryCommand() {
        List<String> seen = new ArrayList<>();
        ControlClient client = ControlClient.open(
                        CannedTransport.answering("", "5G"),
                        1,
                        (command, exchange, nanos) ->
                                seen.add(command + " " + exchange.getClass().getSimpleName()),
                        new ManualClock())
                .orThrow();
        client.defaults().setMemory(0, PinnedMemoryLimit.parse("5G"));

        assertThat(seen)
                .containsExactly(
                        "-v Completed",
                        "set_default_device_pinned_mem_limit 0 5120M Completed",
                        "get_default_device_pinned_mem_limit 0 Completed");
    }

    @Test
    void aLongAnswerIsShownShortened() {
        Answer<List<Long>> answer = answering("x".repeat(1000) + "\n\u001b[31m").servers();

        assertThatExceptionOfType(MpsException.class)
                .isThrownBy(answer::orThrow)
                .satisfies(e -> assertThat(e.getMessage())
                        .hasSizeLessThan(350)
                        .endsWith("x...\")")
                        .matches("\\P{Cntrl}*"));
    }
}
