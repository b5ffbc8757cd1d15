// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.gpuagent.model.ClientPriority;
import io.gpuagent.model.PinnedMemoryLimit;
import io.gpuagent.model.ThreadPercentage;
import io.gpuagent.mps.MpsException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What holds for a control daemon, over whatever way it is spoken to. One H200, root's daemon. */
abstract class ControlContract {
    private static final int NOBODY = 65534;

    /** A client of the running daemon as a user. */
    abstract ControlClient client(int uid);

    /** A CUDA program comes; answers its pid. */
    abstract long join(Map<String, String> environment);

    /** A CUDA program is killed. */
    abstract void killClient(long pid);

    /** What a CUDA program got: {@code RUNNING 32 8589934592}. */
    abstract String got(long pid);

    /** The daemon is killed. */
    abstract void killDaemon();

    private ControlClient client() {
        return client(0);
    }

    private static ThreadPercentage percent(String text) {
        return ThreadPercentage.parse(text);
    }

    private static PinnedMemoryLimit memory(String text) {
        return PinnedMemoryLimit.parse(text);
    }

    @Test
    void aFreshDaemonHasNoServerAndNoLimit() {
        ControlClient client = client();

        assertThat(client.version()).isEqualTo(13000);
        assertThat(client.generation()).isEqualTo(Generation.LEGACY);
        assertThat(client.servers().orThrow()).isEmpty();
        assertThat(client.defaults().threads().orThrow()).isEqualTo(ThreadPercentage.ALL);
        assertThat(client.defaults().memory(0).orThrow()).isEmpty();
        assertThat(client.defaultPriority().orThrow()).isEqualTo(ClientPriority.NORMAL);
    }

    @Test
    void defaultsAreSetAndReadBack() {
        ControlClient client = client();

        assertThat(client.defaults().setThreads(percent("12.5")).orThrow()).isEqualTo(percent("12.5"));
        assertThat(client.defaults().setMemory(0, memory("1T")).orThrow()).contains(memory("1TiB"));
        assertThat(client.setDefaultPriority(ClientPriority.BELOW_NORMAL).orThrow())
                .isEqualTo(ClientPriority.BELOW_NORMAL);

        assertThat(client.defaults().threads().orThrow()).isEqualTo(percent("12.5"));
        assertThat(client.defaults().memory(0).orThrow()).contains(memory("1TiB"));
        assertThat(client.defaultPriority().orThrow()).isEqualTo(ClientPriority.BELOW_NORMAL);
    }

    @Test
    void aLimitIsTakenOffADaemonAndItsServer() {
        ControlClient client = client();
        client.defaults().setMemory(0, memory("8GiB")).orThrow();
        join(Map.of());
        long server = client.servers().orThrow().getFirst();

        assertThat(client.limits(server).setMemory(0, PinnedMemoryLimit.NONE).orThrow())
                .isEmpty();
        assertThat(client.defaults().setMemory(0, PinnedMemoryLimit.NONE).orThrow())
                .isEmpty();

        assertThat(client.limits(server).memory(0).orThrow()).isEmpty();
        assertThat(got(join(Map.of()))).isEqualTo("RUNNING 132 unlimited");
    }

    @Test
    void aLimitBetweenTwoGigabytesIsToldRoundedAndHoldsExactly() {
        ControlClient client = client();

        assertThat(client.defaults().setMemory(0, memory("12800M")).orThrow()).contains(memory("12800M"));

        assertThat(client.defaults().memory(0).orThrow()).contains(memory("12GiB"));
        assertThat(got(join(Map.of())))
                .isEqualTo("RUNNING 132 " + memory("12800M").bytes());
    }

    @Test
    void aDeviceThatTheDaemonDoesNotServeIsRefusedThoughTheDaemonWouldTakeIt() {
        Answer<Optional<PinnedMemoryLimit>> answer = client().defaults().setMemory(7, memory("1G"));

        assertThat(answer.refusal()).contains(Refusal.BAD_VALUE);
        assertThatExceptionOfType(MpsException.class)
                .isThrownBy(answer::orThrow)
                .withMessageContaining("device 7 is not one of this daemon's, which are 0 to 0");
    }

    @Test
    void theFirstClientBringsAServerAndIsListed() {
        ControlClient client = client();
        long pid = join(Map.of());

        long server = client.servers().orThrow().getFirst();
        assertThat(client.status(server).orThrow().word()).isEqualTo(ServerStatus.Word.ACTIVE);
        assertThat(client.clients(server).orThrow()).containsExactly(pid);
        assertThat(client.processes().orThrow()).singleElement().satisfies(row -> {
            assertThat(row.pid()).isEqualTo(pid);
            assertThat(row.contextId()).isEqualTo(1);
            assertThat(row.server()).isEqualTo(server);
            assertThat(row.isOn("GPU-00000000-0000-0000-0000-000000000001")).isTrue();
            assertThat(row.isOn("GPU-11111111-0000-0000-0000-000000000001")).isFalse();
        });
        assertThat(client.deviceClients().orThrow())
                .containsExactly(new DeviceClients(0, "NVIDIA H200", List.of(new DeviceClients.Context(pid, 1))));
        assertThat(client.devices().orThrow())
                .hasSize(2)
                .allSatisfy(table -> assertThat(table.devices()).singleElement().satisfies(device -> {
                    assertThat(device.uuid()).isEqualTo("GPU-00000000-0000-0000-0000-000000000001");
                    assertThat(device.name()).isEqualTo("NVIDIA H200");
                }));
    }

    @Test
    void aServersLimitsReachLaterClientsOnlyAndGoWithIt() {
        ControlClient client = client();
        client.defaults().setThreads(percent("50%")).orThrow();
        long before = join(Map.of());
        long server = client.servers().orThrow().getFirst();

        assertThat(client.limits(server).setThreads(percent("25%")).orThrow()).isEqualTo(percent("25%"));
        assertThat(client.limits(server).setMemory(0, memory("8GiB")).orThrow()).contains(memory("8GiB"));
        long after = join(Map.of());

        assertThat(got(before)).isEqualTo("RUNNING 66 unlimited");
        assertThat(got(after)).isEqualTo("RUNNING 32 " + memory("8GiB").bytes());
        assertThat(client.defaults().threads().orThrow()).isEqualTo(percent("50%"));
        assertThat(client.limits(server).threads().orThrow()).isEqualTo(percent("25%"));
    }

    @Test
    void aServerThatIsNotThereIsToldFromAValue() {
        ControlClient client = client();

        assertThat(client.status(1).refusal()).contains(Refusal.NO_SUCH_SERVER);
        assertThat(client.clients(999_999).refusal()).contains(Refusal.NO_SUCH_SERVER);
        assertThat(client.limits(999_999).setThreads(percent("40")).refusal()).contains(Refusal.NO_SUCH_SERVER);
        assertThat(client.limits(999_999).memory(0).refusal()).contains(Refusal.NO_SUCH_SERVER);
        assertThat(client.processes().refusal()).contains(Refusal.NO_SUCH_SERVER);
    }

    @Test
    void anotherUserMayAskAndNotChange() {
        ControlClient nobody = client(NOBODY);

        assertThat(nobody.defaults().threads().orThrow()).isEqualTo(ThreadPercentage.ALL);
        assertThat(nobody.defaults().setThreads(percent("10%")).refusal()).contains(Refusal.NOT_ALLOWED);
        assertThat(nobody.defaults().setMemory(0, memory("1G")).refusal()).contains(Refusal.NOT_ALLOWED);
        assertThat(nobody.quit(Duration.ZERO).refusal()).contains(Refusal.NOT_ALLOWED);
        assertThat(client().defaults().threads().orThrow()).isEqualTo(ThreadPercentage.ALL);
    }

    @Test
    void partitionsAreUnknownToThisVersion() {
        assertThat(client().partitions().refusal()).contains(Refusal.UNKNOWN_COMMAND);
    }

    @Test
    void aServerIsStartedAndShutDownWithoutAClient() {
        ControlClient client = client();

        client.startServer(0).orThrow();
        long server = client.servers().orThrow().getFirst();
        client.shutdownServer(server).orThrow();

        assertThat(client.servers().orThrow()).isEmpty();
    }

    @Test
    void aTerminatedClientStaysListedUntilItsProcessEnds() {
        ControlClient client = client();
        long victim = join(Map.of());
        long neighbour = join(Map.of());
        long server = client.servers().orThrow().getFirst();

        client.terminateClient(server, victim).orThrow();

        assertThat(client.clients(server).orThrow()).contains(victim, neighbour);
        killClient(victim);
        assertThat(client.clients(server).orThrow()).containsExactly(neighbour);
    }

    @Test
    void aDaemonThatQuitsOrIsKilledIsGone() {
        ControlClient client = client();
        join(Map.of());

        client.quit(Duration.ofSeconds(0)).orThrow();

        assertThat(client.servers().refusal()).contains(Refusal.NO_DAEMON);
        assertThat(client.quit(Duration.ZERO).refusal()).contains(Refusal.NO_DAEMON);
    }

    @Test
    void aKilledDaemonTakesItsClientsAlong() {
        ControlClient client = client();
        long pid = join(Map.of());

        killDaemon();

        assertThat(client.servers().refusal()).contains(Refusal.NO_DAEMON);
        assertThat(got(pid)).startsWith("RPC_FAILURE");
    }
}
