// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.gpuagent.host.HostView;
import io.gpuagent.model.PinnedMemoryLimit;
import io.gpuagent.model.Share;
import io.gpuagent.model.ThreadPercentage;
import io.gpuagent.model.mps.MpsClientView;
import io.gpuagent.model.mps.MpsState;
import io.gpuagent.mps.log.LogSizeCap;
import io.gpuagent.mps.sim.SimulatedClient;
import io.gpuagent.mps.watch.EnvironmentSource;
import io.gpuagent.mps.watch.MpsProcessScan;
import io.gpuagent.mps.watch.NodeSurroundings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people reported of MPS elsewhere, and what this supervision does in the same place. */
class ReportedCasesTest {
    @TempDir
    Path folder;

    private SimulatedNode node;

    @BeforeEach
    void open() {
        node = new SimulatedNode(folder);
    }

    private DaemonWish wish(String id, String... devices) {
        return new DaemonWish(id, List.of(devices), SimulatedNode.SMALL, false, false);
    }

    // k8s-device-plugin #764: a user saw the whole card's memory as total and took the limit for off.
    @Test
    void aLimitOfMemoryIsSaidTogetherWithTheTotalThatDoesNotShowIt() throws ChangeRefused {
        String total = "the limit of memory holds for each process and shows as free memory, while the total that"
                + " programs see stays the whole device's";
        assertThat(node.supervision
                        .planStart(SimulatedNode.wish(SimulatedNode.SMALL))
                        .sentence())
                .contains("8GiB of memory", total);
        node.start(Share.UNLIMITED);
        assertThat(node.supervision
                        .planSet(SimulatedNode.ID, Share.UNLIMITED.withMemory(PinnedMemoryLimit.parse("8GiB")))
                        .sentence())
                .contains("8GiB of memory", total);
        assertThat(node.supervision
                        .planSet(SimulatedNode.ID, Share.UNLIMITED.withThreads(ThreadPercentage.parse("50")))
                        .sentence())
                .doesNotContain(total);
    }

    // k8s-device-plugin #569, PR #572: a limit was taken and told, and held nobody; only the server's log shows it.
    @Test
    void aServerWhoseLogTellsOfNoLimitOfMemoryIsAnAlarm() throws ChangeRefused {
        node.start(SimulatedNode.SMALL);
        node.daemon().ignoreMemoryLimits();

        SimulatedClient client = node.join(0);
        node.quietSecond();

        assertThat(client.memoryLimit(0)).isEmpty();
        long server = node.daemon().serverPids().getFirst();
        assertThat(node.view().reasons()).singleElement().satisfies(reason -> {
            assertThat(reason.code()).isEqualTo("mps_limits_not_in_force");
            assertThat(reason.sentence())
                    .startsWith("server " + server + " started without telling of its limit of memory in ")
                    .endsWith("so the limit may not hold: restart the daemon");
        });
    }

    // k8s-device-plugin #647, #1118: programs found "all CUDA-capable devices are busy or unavailable", and nobody said
    // that
    // the GPU was in EXCLUSIVE_PROCESS without its daemon.
    @Test
    void aGpuInExclusiveModeWithoutItsDaemonIsToldInOneSentence() throws ChangeRefused {
        node.gpus = _ -> Optional.of(new GpuUse.Device(
                Optional.of("9.0"),
                OptionalInt.of(132),
                OptionalLong.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(ComputeModes.Mode.EXCLUSIVE_PROCESS)));
        HostView host = new HostView(folder, Map.of(), 0);
        node.surroundings = new NodeSurroundings(
                new MpsProcessScan(host, EnvironmentSource.direct(host)),
                node.gpus,
                _ -> Optional.empty(),
                ProcessOwners.UNKNOWN);
        node.restart();
        node.start(SimulatedNode.SMALL);
        assertThat(node.view().reasons()).isEmpty();

        node.supervision.stop(SimulatedNode.ID, StopMode.REFUSE, Duration.ofSeconds(20), node.progress::add);

        assertThat(node.view().reasons()).singleElement().satisfies(reason -> {
            assertThat(reason.code()).isEqualTo("mps_exclusive_without_daemon");
            assertThat(reason.sentence())
                    .isEqualTo(SimulatedNode.UUID
                            + " is in compute mode EXCLUSIVE_PROCESS and no MPS daemon serves it: one program gets all of it"
                            + " and the others fail with \"all CUDA-capable devices are busy or unavailable\"; start a"
                            + " daemon for it, or set the mode to DEFAULT");
        });
    }

    // dra-driver-nvidia-gpu #1283: one process cannot use two pipe directories.
    @Test
    void aJobOnGpusOfTwoDaemonsIsToldThatItNeedsOneDaemonForAll() throws ChangeRefused {
        node.start(SimulatedNode.SMALL);
        node.supervision.start(wish("gpu-other", SimulatedNode.OTHER), node.progress::add);

        assertThatThrownBy(() -> node.supervision.planStart(wish("pair", SimulatedNode.UUID, SimulatedNode.OTHER)))
                .hasMessageEndingWith(
                        "; a program can be a client of one daemon only, so that a job on several GPUs needs"
                                + " one daemon for all of them")
                .extracting("kind")
                .isEqualTo(ChangeRefused.Kind.IN_USE);
    }

    // dra-driver-nvidia-gpu #41, #81, PR #1183: a plugin crashed where the card did not support a setting.
    @Test
    void whereTheComputeModeCannotBeSetTheStartIsRefusedAsNotSupportedAndNothingRuns() {
        node.modes.clear();

        assertThatThrownBy(() -> node.supervision.start(
                        new DaemonWish(SimulatedNode.ID, List.of(SimulatedNode.UUID), SimulatedNode.SMALL, false, true),
                        node.progress::add))
                .extracting("kind")
                .isEqualTo(ChangeRefused.Kind.NOT_SUPPORTED);

        assertThat(node.machine.daemon(node.daemonFolders())).isEmpty();
        node.pass(Duration.ofMinutes(2));
        assertThat(node.view().state()).isEqualTo(MpsState.ABSENT);
    }

    // NVIDIA Dynamo's MPS guide: a server for a UUID that is not there vanished, and clients ran without limits.
    @Test
    void aDaemonForADeviceThatIsNotThereIsNotTakenForStarted() {
        node.gpus = GpuUse.UNKNOWN;
        node.restart();

        assertThatThrownBy(() -> node.supervision.start(
                        wish("mig-0000000f", "MIG-00000000-0000-0000-0000-00000000000f"), node.progress::add))
                .hasMessageStartingWith("the MPS daemon mig-0000000f does not run: it ended at once; ")
                .extracting("kind")
                .isEqualTo(ChangeRefused.Kind.FAILED);
        node.pass(Duration.ofMinutes(2));
        assertThat(node.view().state()).isEqualTo(MpsState.ABSENT);
        assertThat(node.machine.processes().daemonsOf(node.daemonFolders().pipe()))
                .isEmpty();
    }

    // dcgm-exporter #388, #474, #478: no or doubled figures of clients, since the server computes, too.
    @Test
    void ofThreeProcessesThatComputeTheTwoClientsHaveTheirOwnMemory() throws ChangeRefused {
        node.start(SimulatedNode.SMALL);
        long one = node.join(0).program().pid();
        long two = node.join(0).program().pid();
        node.quietSecond();
        long server = node.daemon().serverPids().getFirst();
        Map<Long, OptionalLong> clients = Map.of(one, OptionalLong.of(340L << 20), two, OptionalLong.of(512L << 20));
        Map<Long, OptionalLong> computing = Map.of(
                server, OptionalLong.of(66L << 20), one, OptionalLong.of(340L << 20), two, OptionalLong.of(512L << 20));
        node.gpus = _ -> Optional.of(new GpuUse.Device(
                Optional.of("9.0"),
                OptionalInt.of(132),
                OptionalLong.of(150_754_820_096L),
                Optional.of(clients),
                Optional.of(computing),
                Optional.empty()));

        node.restart();

        assertThat(node.view().clients())
                .extracting(MpsClientView::pid, MpsClientView::memoryBytes)
                .containsExactly(tuple(one, OptionalLong.of(340L << 20)), tuple(two, OptionalLong.of(512L << 20)));
    }

    // A public launch script, repository unnamed: plain quit hung behind a client that would not go.
    @Test
    void aQuitThatNeverReturnsIsFollowedBySignalsWithinTheDeadline() throws Exception {
        node.start(SimulatedNode.SMALL);
        SimulatedClient client = node.join(0);
        node.machine.ignoreTerm(client.program().pid());
        node.quietSecond();
        node.daemon().script().hang("quit");
        long daemon = node.view().pid().orElseThrow();

        node.whileTimePasses(() ->
                node.supervision.stop(SimulatedNode.ID, StopMode.FORCE, Duration.ofSeconds(20), node.progress::add));

        assertThat(node.progress).contains("it did not quit: process " + daemon + " is sent signals");
        assertThat(node.machine.daemon(node.daemonFolders())).isEmpty();
    }

    // nvidia-container-toolkit #277: one line of noise in the server's log was taken for a failure.
    @Test
    void aServerThatCannotReadFromAClientIsActiveAsBefore() throws Exception {
        node.start(SimulatedNode.SMALL);
        node.join(0);
        node.quietSecond();

        Files.writeString(
                node.daemonFolders().serverLog(),
                "[2026-12-01 00:00:01.000 Server 1002] Receive command failed, assuming client exit\n",
                StandardOpenOption.APPEND);
        node.quietSecond();

        assertThat(node.view().state()).isEqualTo(MpsState.ACTIVE);
        assertThat(node.view().counters().faults()).isZero();
    }

    // A log is cut while clients run, and then the agent starts again: what they came under stands in what was cut off.
    @Test
    void afterTheLogWasCutTheNextProcessStillKnowsWhatClientsCameUnder() throws Exception {
        node.start(SimulatedNode.SMALL);
        SimulatedClient old = node.join(0);
        node.quietSecond();
        node.supervision.set(
                SimulatedNode.ID, Share.UNLIMITED.withThreads(ThreadPercentage.parse("50")), node.progress::add);
        for (Path log :
                List.of(node.daemonFolders().controlLog(), node.daemonFolders().serverLog())) {
            // The daemon's first line is lost for good.
            assertThat(new LogSizeCap(log, Files.size(log) - 1).enforce()).isTrue();
            assertThat(log).isEmptyFile();
        }
        node.quietSecond();
        SimulatedClient fresh = node.join(0);

        node.restart();
        node.quietSecond();

        assertThat(node.view().clients())
                .extracting(MpsClientView::pid, MpsClientView::onOldLimits)
                .containsExactly(
                        tuple(old.program().pid(), Optional.of(true)),
                        tuple(fresh.program().pid(), Optional.of(false)));
        assertThat(node.view().state()).isEqualTo(MpsState.ACTIVE);
    }

    @Test
    void aLogIsCutAtTheCapThatWasAskedForAndNothingThatItToldIsLost() throws Exception {
        node.logCap = SupervisionSetup.SMALLEST_LOG_CAP_BYTES;
        node.restart();
        node.start(SimulatedNode.SMALL);
        SimulatedClient client = node.join(0);
        node.quietSecond();
        Path log = node.daemonFolders().serverLog();
        String noise =
                "[2026-12-01 00:00:01.000 Server 1002] Received new client request for {PID: 1, Context ID: 1}\n";
        Files.writeString(log, noise.repeat(1000), StandardOpenOption.APPEND);

        node.pass(Duration.ofSeconds(61));

        assertThat(Files.size(log)).isLessThan(node.logCap);
        assertThat(log.resolveSibling("server.log.1")).exists();
        node.restart();
        assertThat(node.view().clients())
                .extracting(MpsClientView::pid)
                .containsExactly(client.program().pid());
        assertThatThrownBy(() -> {
                    node.logCap = 1;
                    node.restart();
                })
                .hasMessageStartingWith("a cap of 1 bytes for the log of an MPS daemon is too small");
    }

    @Test
    void aMigDeviceHasADaemonWhoseSharesAreOfItsOwnMultiprocessors() throws ChangeRefused {
        node.supervision.start(
                new DaemonWish(
                        "mig-00000000",
                        List.of(SimulatedNode.MIG),
                        Share.UNLIMITED.withThreads(ThreadPercentage.parse("50")),
                        false,
                        false),
                node.progress::add);
        node.quietSecond();
        SimulatedClient client = node.machine.join(node.daemonFolders("mig-00000000"), 0, "python3", Map.of());
        node.quietSecond();

        assertThat(client.multiprocessors()).isEqualTo(8);
        assertThat(node.view().clients())
                .extracting(MpsClientView::multiprocessors)
                .containsExactly(OptionalInt.of(8));
        assertThat(node.supervision.view().loads().getFirst().multiprocessorRatio())
                .hasValue(0.5);
        assertThatThrownBy(() -> node.supervision.planSet(
                        "mig-00000000", Share.UNLIMITED.withMemory(PinnedMemoryLimit.parse("20GiB"))))
                .hasMessageContaining("is more than the device " + SimulatedNode.MIG + " has, 16384 MiB");
        assertThatThrownBy(() -> node.supervision.planSet(
                        "mig-00000000", Share.UNLIMITED.withThreads(ThreadPercentage.parse("10"))))
                .hasMessageContaining("is less than one pair of the 16 multiprocessors");
    }

    @Test
    void aMigDeviceThatIsNotThereIsRefusedBeforeAnythingIsMade() {
        assertThatThrownBy(() -> node.supervision.start(
                        wish("mig-0000000f", "MIG-00000000-0000-0000-0000-00000000000f"), node.progress::add))
                .hasMessageStartingWith("there is no device MIG-00000000-0000-0000-0000-00000000000f on this machine")
                .extracting("kind")
                .isEqualTo(ChangeRefused.Kind.NOT_FOUND);
        assertThat(folder).isEmptyDirectory();
    }
}
