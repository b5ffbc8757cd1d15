// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.model.time.ManualClock;
import io.gpuagent.mps.DaemonFolders;
import io.gpuagent.mps.PipeDirectory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every command of two sessions on an H200, given to the simulated daemon: the answers are the same, word for word. */
class CapturedSessionsTest {
    @TempDir
    Path folder;

    private final Map<Long, SimulatedClient> clients = new HashMap<>();
    private PipeFiles files;
    private SimulatedDaemon daemon;
    private long nextServer;
    private int uid;

    @ParameterizedTest
    @ValueSource(strings = {"session-1.txt", "session-2.txt"})
    void theSimulatedDaemonAnswersAsTheRealOneDid(String session) throws IOException {
        files = new PipeFiles(new DaemonFolders(new PipeDirectory(folder.resolve("pipe")), folder.resolve("log")));
        List<String> lines = read(session);
        int commands = 0;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.startsWith("! ")) {
                happen(line.substring(2));
            } else if (line.startsWith("> ")) {
                List<String> expected = new ArrayList<>();
                while (!lines.get(++i).startsWith("rc=")) {
                    expected.add(lines.get(i));
                }
                check(line.substring(2), expected, Integer.parseInt(lines.get(i).substring(3)));
                commands++;
            }
        }
        assertThat(commands).isGreaterThan(25);
    }

    private static List<String> read(String session) throws IOException {
        try (InputStream in = CapturedSessionsTest.class.getResourceAsStream(session)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .toList();
        }
    }

    private void check(String command, List<String> expected, int exitStatus) {
        Reply reply = daemon == null
                ? Reply.NO_DAEMON
                : daemon.answer(command + "\n", uid).join();
        List<String> lines = reply.text().lines().toList();
        if (command.equals("ps")) {
            // The order of its rows is by no column.
            assertThat(lines).as(command).containsExactlyInAnyOrderElementsOf(expected);
        } else {
            assertThat(lines).as(command).isEqualTo(expected);
        }
        assertThat(reply.exitStatus()).as(command).isEqualTo(exitStatus);
    }

    private void happen(String event) throws IOException {
        String[] outcome = event.split(" -> ", -1);
        String[] words = outcome[0].split(" ", -1);
        switch (words[0]) {
            case "daemon" -> start(variables(words, 1));
            case "uid" -> uid = Integer.parseInt(words[1]);
            case "server" -> nextServer = Long.parseLong(words[1]);
            case "join" -> {
                long pid = Long.parseLong(words[1]);
                clients.put(pid, daemon.join(ClientProgram.of(pid).withEnvironment(variables(words, 2))));
                assertThat(got(pid)).as(event).startsWith(outcome[1]);
            }
            case "got" -> assertThat(got(Long.parseLong(words[1]))).as(event).startsWith(outcome[1]);
            case "leave" -> daemon.leave(Long.parseLong(words[1]));
            case "kill-server" -> daemon.serverDied(Long.parseLong(words[1]), 137);
            case "kill-daemon" -> daemon.kill();
            case "files" ->
                assertThat(left())
                        .as(event)
                        .containsExactlyInAnyOrderElementsOf(List.of(words).subList(1, words.length));
            default -> throw new IllegalArgumentException(event);
        }
    }

    private void start(Map<String, String> environment) {
        files.make(490);
        SimulatedHost counting = SimulatedHost.counting(0, files);
        SimulatedHost host = new SimulatedHost() {
            @Override
            public long startServer(int owner) {
                return nextServer;
            }

            @Override
            public void endServer(long pid) {
                counting.endServer(pid);
            }

            @Override
            public void daemonEnded(boolean orderly) {
                counting.daemonEnded(orderly);
            }
        };
        daemon = new SimulatedDaemon(
                SimulatedSetup.h200(files.folders()).withEnvironment(environment), host, new ManualClock());
    }

    private static Map<String, String> variables(String[] words, int from) {
        return Stream.of(words)
                .skip(from)
                .map(word -> word.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    }

    private String got(long pid) {
        SimulatedClient client = clients.get(pid);
        String memory = client.memoryLimit(0).isPresent()
                ? Long.toString(client.memoryLimit(0).getAsLong())
                : "unlimited";
        return client.state() + " " + client.multiprocessors() + " " + memory;
    }

    private List<String> left() throws IOException {
        try (Stream<Path> paths = Files.list(files.folders().pipe().path())) {
            return paths.map(path -> path.getFileName().toString()).toList();
        }
    }
}
