// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import io.gpuagent.agent.api.json.JsonReader;
import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.config.AgentConfig;
import io.gpuagent.agent.config.AgentException;
import io.gpuagent.agent.config.ListenAddress;
import io.gpuagent.agent.config.MetricsConfig;
import io.gpuagent.agent.poll.NvmlSource;
import io.gpuagent.host.HostView;
import io.gpuagent.model.time.SystemClock;
import io.gpuagent.mps.DaemonFolders;
import io.gpuagent.mps.sim.SimulatedMachine;
import io.gpuagent.nvml.sim.SimProfile;
import io.gpuagent.nvml.sim.SimulatedDriver;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

/** A whole daemon over simulated GPUs and simulated MPS daemons, with real time and real sockets. */
final class ServedMps implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(30);

    final Path socket;
    final Path folder;
    private final SimulatedDriver driver;
    private final Daemon daemon;
    private final HttpClient client = HttpClient.newHttpClient();

    private ServedMps(String profile, Path folder, AgentConfig config, Consumer<SimulatedDriver> before)
            throws AgentException {
        this.folder = folder;
        this.socket = folder.resolve("run/gpu-agent.sock");
        this.driver = SimulatedDriver.start(SimProfile.parse(profile), SystemClock.INSTANCE::nanos);
        before.accept(driver);
        this.daemon = Daemon.start(
                config,
                NvmlAccess.of(NvmlSource.lasting(driver, "a simulation"), driver),
                ServedNode.folders(folder),
                socket,
                HostView.real(),
                SystemClock.INSTANCE);
    }

    static ServedMps start(String profile, Path folder) throws AgentException {
        return start(profile, folder, driver -> {});
    }

    /** A daemon over GPUs that were prepared before it starts. */
    static ServedMps start(String profile, Path folder, Consumer<SimulatedDriver> before) throws AgentException {
        AgentConfig usual = AgentConfig.DEFAULT;
        MetricsConfig metrics = usual.metrics().withListen(new ListenAddress("127.0.0.1", 0));
        return new ServedMps(
                profile,
                folder,
                new AgentConfig(
                        metrics, usual.api(), usual.nvml(), usual.poll(), usual.mps(), usual.mig(), usual.log()),
                before);
    }

    String uuid(int gpu) {
        return driver.gpu(gpu).uuid();
    }

    /** A CUDA program joins; its pid is in the daemon's view a second later. */
    long join(String id, String name) {
        DaemonFolders where = DaemonFolders.of(folder.resolve("run"), folder.resolve("state/log"), id);
        return machine()
                .join(where, HostView.real().uid(), name, Map.of())
                .program()
                .pid();
    }

    SimulatedMachine machine() {
        return daemon.simulatedMps().orElseThrow();
    }

    /** An answer over the Unix socket: head and body. */
    record Answer(int status, String head, String body) {
        JsonValue json() {
            try {
                return JsonReader.read(body.getBytes(StandardCharsets.UTF_8));
            } catch (Exception e) {
                throw new AssertionError(body, e);
            }
        }

        String code() {
            return json().text("code").orElse("");
        }

        String detail() {
            return json().text("detail").orElse("");
        }
    }

    Answer get(String path) throws Exception {
        return answer("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    }

    Answer post(String path, String body) throws Exception {
        return answer("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: "
                + body.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n" + body);
    }

    /** A request with headers of its own, each with its line break. */
    Answer send(String method, String path, String headers, String body) throws Exception {
        return answer(method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: "
                + body.getBytes(StandardCharsets.UTF_8).length + "\r\n" + headers + "\r\n" + body);
    }

    private Answer answer(String request) throws Exception {
        String all = new UnixHttp(socket).exchange(request);
        int last = all.lastIndexOf("HTTP/1.1 ");
        String answer = all.substring(last);
        int end = answer.indexOf("\r\n\r\n");
        return new Answer(Integer.parseInt(answer.substring(9, 12)), all, answer.substring(end + 4));
    }

    String page() throws Exception {
        URI page = URI.create("http://127.0.0.1:" + daemon.listening().port() + "/metrics");
        return client.send(HttpRequest.newBuilder(page).timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Override
    public void close() {
        client.close();
        daemon.close();
    }
}
