// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.api.json.MpsChangeJson;
import io.gpuagent.model.ClientPriority;
import io.gpuagent.model.PinnedMemoryLimit;
import io.gpuagent.model.SampleMps;
import io.gpuagent.model.Share;
import io.gpuagent.model.ThreadPercentage;
import io.gpuagent.model.mps.MpsClientView;
import io.gpuagent.model.mps.MpsDaemonView;
import io.gpuagent.model.mps.MpsNodeView;
import io.gpuagent.model.mps.MpsState;
import io.gpuagent.model.mps.ProcessOwnerView;
import io.gpuagent.mps.supervise.Effect;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What mps commands print where no agent runs: out of one look at this machine. */
class MpsTablesTest {
    @TempDir
    Path root;

    private CommandRun command;

    @BeforeEach
    void setUp() {
        command = new CommandRun(root);
    }

    private void check(String golden, String... arguments) throws IOException {
        assertThat(command.run(arguments)).isZero();
        assertThat(command.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        Golden.check(golden, command.out());
    }

    @Test
    void daemonsWithTheirLimitsAndWhoIsOnOldOnes() throws IOException {
        check("mps-list-shared.txt", "mps", "list");
        assertThat(command.err())
                .isEqualTo("gpu-agent: no agent answers; what its records and /proc tell was read once\n");
    }

    @Test
    void whatSomebodyShouldKnowStandsBelowEachDaemon() throws IOException {
        command.with(SampleMps.troubled());
        check("mps-list-troubled.txt", "mps", "list");
    }

    @Test
    void noDaemon() throws IOException {
        command.with(SampleMps.none());
        check("mps-list-none.txt", "mps", "list");
        check("mps-clients-none.txt", "mps", "clients");
    }

    @Test
    void clientsWithWhatTheyCameUnder() throws IOException {
        check("mps-clients-shared.txt", "mps", "clients");
        command.with(SampleMps.troubled());
        check("mps-clients-troubled.txt", "mps", "clients", "0");
    }

    @Test
    void longNamesManyClientsAndGroupsFitIntoEightyColumns() throws IOException {
        command.with(crowded());
        check("mps-list-crowded.txt", "mps", "list");
        check("mps-clients-crowded.txt", "mps", "clients");
    }

    /** A group of eight GPUs with 48 clients, each with the longest of everything. */
    private static MpsNodeView crowded() {
        MpsDaemonView one = SampleMps.daemon();
        MpsClientView client = one.clients().getFirst();
        List<MpsClientView> clients = IntStream.range(0, 48)
                .mapToObj(i -> new MpsClientView(
                        4_194_303 - i,
                        Optional.of("a-name-of-15chr"),
                        client.uid(),
                        new ProcessOwnerView(
                                Optional.of("a-service-with-a-long-name@" + i + ".service"),
                                Optional.empty(),
                                Optional.empty()),
                        client.server(),
                        1,
                        OptionalLong.of(143_771L << 20),
                        client.connectedAt(),
                        Optional.of(Share.UNLIMITED
                                .withThreads(ThreadPercentage.parse("12.5"))
                                .withMemory(PinnedMemoryLimit.parse("143770MiB"))),
                        client.ownShare(),
                        Optional.of(true),
                        OptionalInt.of(132),
                        Optional.empty()))
                .toList();
        List<String> devices = IntStream.range(0, 8)
                .mapToObj(i -> "GPU-0000000" + i + "-0000-0000-0000-000000000000")
                .toList();
        return new MpsNodeView(
                1,
                one.startedAt().orElseThrow(),
                List.of(new MpsDaemonView(
                        "a-group-with-a-name-of-32-chars-",
                        devices,
                        MpsState.INITIALIZING,
                        Optional.empty(),
                        one.pid(),
                        one.startedAt(),
                        one.pipe(),
                        one.log(),
                        0,
                        false,
                        false,
                        clients.getFirst().serverShare().orElseThrow().withPriority(ClientPriority.BELOW_NORMAL),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        clients,
                        List.of(),
                        48,
                        one.counters(),
                        List.of(),
                        Optional.empty())),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }

    @Test
    void theSameAsJson() throws IOException {
        assertThat(command.run("mps", "list", "--json")).isZero();
        Golden.check("mps-list-shared.json", command.out());
        assertThat(command.run("mps", "clients", "--json")).isZero();
        Golden.check("mps-clients-shared.json", command.out());
    }

    @Test
    void oneDaemonOfSeveral() {
        command.with(SampleMps.troubled());
        assertThat(command.run("mps", "list", "pair")).isZero();
        assertThat(command.out()).contains("pair").doesNotContain("gpu-00000000");
        assertThat(command.run("mps", "list", "absent")).isEqualTo(2);
        assertThat(command.err()).endsWith("there is no MPS daemon on absent; gpu-agent mps list shows all\n");
    }

    @Test
    void whomAChangeReaches() throws IOException {
        List<MpsClientView> clients = SampleMps.daemon().clients();
        JsonValue plan = MpsChangeJson.plan(
                "gpu-00000000",
                new Effect(
                        Effect.Reach.NEW_CLIENTS,
                        "clients that connect from now on get 10% of the multiprocessors",
                        clients,
                        List.of()));
        JsonValue end = MpsChangeJson.plan(
                "gpu-00000000",
                new Effect(Effect.Reach.DRAIN, "its clients lose their contexts and fail", List.of(), clients));

        MpsTables tables = new MpsTables(true);
        Golden.check("mps-effect.txt", tables.effect(plan) + tables.effect(end));
    }
}
