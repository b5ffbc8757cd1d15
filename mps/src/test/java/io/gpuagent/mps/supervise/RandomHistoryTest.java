// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.model.PinnedMemoryLimit;
import io.gpuagent.model.Share;
import io.gpuagent.model.ThreadPercentage;
import io.gpuagent.model.mps.MpsClientView;
import io.gpuagent.model.mps.MpsDaemonView;
import io.gpuagent.model.mps.MpsServerView;
import io.gpuagent.model.mps.MpsState;
import io.gpuagent.mps.sim.SimulatedClient;
import io.gpuagent.mps.sim.SimulatedDaemon;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever happens to a daemon in whatever order: after each second in which nothing happens, what is shown is what is
 * true, and each client is on what it is said to be on.
 */
class RandomHistoryTest {
    private static final int STEPS = 120;

    @TempDir
    Path folder;

    private SimulatedNode node;
    private Random random;
    private final List<SimulatedClient> programs = new ArrayList<>();
    private final List<Instant> kills = new ArrayList<>();
    private final List<String> done = new ArrayList<>();

    static LongStream seeds() {
        return LongStream.range(0, Boolean.getBoolean("gpuagent.exhaustive") ? 500 : 5);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void thePictureIsTheTruthAfterEachQuietSecond(long seed) throws Exception {
        random = new Random(seed);
        node = new SimulatedNode(folder);
        node.start(SimulatedNode.SMALL);
        for (int step = 0; step < STEPS; step++) {
            int many = 1 + random.nextInt(4);
            for (int i = 0; i < many; i++) {
                node.clock.advance(Duration.ofMillis(2 + random.nextInt(200)));
                node.machine.tick();
                act();
            }
            node.quietSecond();
            compare("seed " + seed + " after " + done);
            if (done.size() > 12) {
                done.subList(0, done.size() - 12).clear();
            }
        }
    }

    private void act() throws ChangeRefused {
        int what = random.nextInt(100);
        if (what < 30) {
            join();
        } else if (what < 55) {
            leave();
        } else if (what < 75) {
            set();
        } else if (what < 83) {
            killServer();
        } else if (what < 87) {
            killDaemon();
        } else if (what < 91) {
            fault();
        } else if (what < 95) {
            done.add("the agent starts again");
            node.restart();
        } else {
            done.add("look");
            node.supervision.lookAtAll();
        }
    }

    private Optional<SimulatedDaemon> daemon() {
        return node.machine.daemon(node.daemonFolders());
    }

    private void join() {
        int uid = random.nextInt(4) == 0 ? 1000 : 0;
        SimulatedClient client = node.join(uid);
        done.add("client " + client.program().pid() + " of " + uid + ": " + client.state());
        programs.add(client);
    }

    private void leave() {
        if (!programs.isEmpty()) {
            SimulatedClient client = programs.remove(random.nextInt(programs.size()));
            done.add("client " + client.program().pid() + " leaves");
            node.machine.leave(client.program().pid());
        }
    }

    private void set() throws ChangeRefused {
        Share share = Share.UNLIMITED.withThreads(new ThreadPercentage(10 * (2 + random.nextInt(99))));
        int memory = random.nextInt(3);
        if (memory == 0) {
            // Between gigabytes as well; some of them too small for any client.
            share = share.withMemory(new PinnedMemoryLimit(1 + random.nextInt(120_000)));
        } else if (memory == 1) {
            share = share.withMemory(PinnedMemoryLimit.NONE);
        }
        done.add("set " + share);
        node.supervision.set(SimulatedNode.ID, share, _ -> {});
    }

    private void killServer() {
        daemon().ifPresent(daemon -> daemon.serverPids().stream().findFirst().ifPresent(pid -> {
            done.add("server " + pid + " is killed");
            node.machine.kill(pid);
            kills.add(node.clock.now());
        }));
    }

    private void killDaemon() {
        daemon().ifPresent(daemon -> {
            done.add("daemon is killed");
            node.machine.kill(daemon.setup().pid());
            kills.clear();
        });
        // Deaths count for ten minutes; a daemon that is given up on is another test's.
        node.clock.advance(RestartPolicy.WINDOW.dividedBy(3));
        node.pass(Duration.ofSeconds(5));
    }

    private void fault() {
        daemon().ifPresent(daemon -> {
            done.add("fault");
            daemon.fault(0);
        });
    }

    private void compare(String when) {
        MpsDaemonView view = node.view();
        OptionalLong pid =
                daemon().map(daemon -> OptionalLong.of(daemon.setup().pid())).orElse(OptionalLong.empty());
        assertThat(view.pid()).as(when).isEqualTo(pid);
        if (daemon().isEmpty()) {
            assertThat(view.state()).as(when).isEqualTo(MpsState.STARTING);
            return;
        }
        List<Long> servers = daemon().get().serverPids();
        assertThat(view.servers()).as(when).extracting(MpsServerView::pid).isEqualTo(servers);
        TreeMap<Long, SimulatedClient> connected = new TreeMap<>();
        for (SimulatedClient program : programs) {
            if (servers.contains(program.server()) && isConnected(program)) {
                connected.put(program.program().pid(), program);
            }
        }
        assertThat(view.clients()).as(when).extracting(MpsClientView::pid).isEqualTo(List.copyOf(connected.keySet()));
        assertThat(view.pending())
                .as(when)
                .extracting("pid")
                .containsExactlyInAnyOrderElementsOf(programs.stream()
                        .filter(program -> program.state() == SimulatedClient.State.PENDING)
                        .<Object>map(program -> program.program().pid())
                        .toList());
        for (MpsClientView client : view.clients()) {
            compare(client, connected.get(client.pid()), view.wanted(), when + ": " + client);
        }
        assertThat(view.state()).as(when).isEqualTo(state(connected, servers));
        assertThat(EffectiveShare.same(view.inForce().orElseThrow(), view.wanted()) || isStale(view))
                .as(when)
                .isTrue();
    }

    /** The defaults are read once a minute and with each change; none is made behind the agent's back here. */
    private static boolean isStale(MpsDaemonView view) {
        return view.inForceAt().isEmpty();
    }

    private static boolean isConnected(SimulatedClient program) {
        return switch (program.state()) {
            case RUNNING, GPU_FAULT, TERMINATED, ILLEGAL_ADDRESS -> true;
            default -> false;
        };
    }

    private static void compare(MpsClientView shown, SimulatedClient truth, Share wanted, String when) {
        // It came between the begin and the end of a change, or only a list told of it: unknown is said.
        if (shown.serverShare().isPresent()) {
            Share share = shown.serverShare().get();
            assertThat(shown.multiprocessors()).as(when).hasValue(truth.multiprocessors());
            assertThat(share.memory().map(PinnedMemoryLimit::bytes).orElse(-1L))
                    .as(when)
                    .isEqualTo(truth.memoryLimit(0).orElse(-1L));
            assertThat(shown.onOldLimits()).as(when).contains(!EffectiveShare.same(share, wanted));
        }
        assertThat(shown.serverShare()).as(when).isPresent();
    }

    private MpsState state(Map<Long, SimulatedClient> connected, List<Long> servers) {
        if (connected.values().stream().anyMatch(client -> client.state() == SimulatedClient.State.GPU_FAULT)) {
            return MpsState.FAULT;
        }
        if (!servers.isEmpty()) {
            return MpsState.ACTIVE;
        }
        long recent = kills.stream()
                .filter(kill -> kill.plusSeconds(60).isAfter(node.clock.now()))
                .count();
        return recent >= StateRule.LOOP ? MpsState.CRASHLOOP : MpsState.IDLE;
    }
}
