// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import static org.awaitility.Awaitility.await;

import io.gpuagent.agent.api.json.JsonReader;
import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.config.AgentConfig;
import io.gpuagent.agent.config.AgentException;
import io.gpuagent.agent.config.ListenAddress;
import io.gpuagent.agent.config.MetricsConfig;
import io.gpuagent.agent.poll.NvmlSource;
import io.gpuagent.host.HostView;
import io.gpuagent.model.time.SystemClock;
import io.gpuagent.nvml.sim.SimProfile;
import io.gpuagent.nvml.sim.SimulatedDriver;
import io.gpuagent.nvml.sim.SimulatedMig;
import io.gpuagent.nvml.sim.SimulatedProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** A whole daemon over simulated GPUs that a test cuts up as other tools do, with real time and a real socket. */
final class ServedMig implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Set<String> GOING_ON = Set.of("queued", "running");

    final SimulatedDriver driver;
    private final Daemon daemon;
    private final Path socket;

    private ServedMig(SimulatedDriver driver, Path folder) throws AgentException {
        this.driver = driver;
        this.socket = folder.resolve("run/gpu-agent.sock");
        AgentConfig usual = AgentConfig.DEFAULT;
        MetricsConfig metrics = usual.metrics().withListen(new ListenAddress("127.0.0.1", 0));
        this.daemon = Daemon.start(
                new AgentConfig(
                        metrics, usual.api(), usual.nvml(), usual.poll(), usual.mps(), usual.mig(), usual.log()),
                NvmlAccess.of(NvmlSource.lasting(driver, "a simulation"), driver),
                ServedNode.folders(folder),
                socket,
                HostView.real(),
                SystemClock.INSTANCE);
    }

    /** GPU 0 is in MIG mode, cut up by others as {@code 3g.71gb@4}. */
    static ServedMig start(String profile, Path folder, String... instances) throws Exception {
        SimulatedDriver driver = SimulatedDriver.start(SimProfile.parse(profile), SystemClock.INSTANCE::nanos);
        // The other cards of a simulated node are at work, and a mode is switched on idle ones alone.
        driver.gpus().forEach(gpu -> gpu.setProcesses(List.of()));
        driver.gpu(0).mig().setMode(true);
        for (String instance : instances) {
            cut(driver.gpu(0).mig(), instance);
        }
        ServedMig served = new ServedMig(driver, folder);
        await().atMost(PATIENCE)
                .until(() -> served.get("/v1/status").json().items("gpus").orElse(List.of()).stream()
                        .allMatch(gpu -> gpu.at("readings", "name", "value").isPresent()));
        return served;
    }

    static int cut(SimulatedMig mig, String instance) {
        String[] name = instance.split("@", -1);
        return mig.create(name[0], Integer.parseInt(name[1]), name[0]);
    }

    SimulatedMig mig() {
        return driver.gpu(0).mig();
    }

    void run(int pid, int gpuInstance) {
        driver.gpu(0).start(new SimulatedProcess(pid, SimulatedProcess.Kind.COMPUTE, 1L << 30, gpuInstance, 0));
    }

    /** All that others made becomes ours. */
    void adopt() throws Exception {
        ended(post("/v1/operations", "{\"action\": \"adopt\", \"gpu\": \"0\"}"));
    }

    /** An answer over the Unix socket. */
    record Answer(int status, String head, String body) {
        JsonValue json() {
            try {
                return JsonReader.read(body.getBytes(StandardCharsets.UTF_8));
            } catch (Exception e) {
                throw new AssertionError(body, e);
            }
        }

        String text(String... names) {
            return json().text(names).orElse("");
        }
    }

    Answer get(String path) throws Exception {
        return answer("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    }

    Answer delete(String path) throws Exception {
        return answer("DELETE " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    }

    Answer post(String path, String body) throws Exception {
        return answer("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: "
                + body.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n" + body);
    }

    private Answer answer(String request) throws Exception {
        String all = new UnixHttp(socket).exchange(request);
        String answer = all.substring(all.lastIndexOf("HTTP/1.1 "));
        int end = answer.indexOf("\r\n\r\n");
        return new Answer(
                Integer.parseInt(answer.substring(9, 12)), answer.substring(0, end), answer.substring(end + 4));
    }

    /** Plans the whole set of GPU 0; the plan. */
    JsonValue plan(String... profiles) throws Exception {
        return post("/v1/plans", "{\"gpu\": \"0\", \"profiles\": [\"" + String.join("\", \"", profiles) + "\"]}")
                .json();
    }

    Answer apply(JsonValue plan) throws Exception {
        return post("/v1/operations", "{\"plan\": \"" + plan.text("id").orElseThrow() + "\"}");
    }

    /** The operation when it has ended. */
    JsonValue ended(Answer begun) throws Exception {
        String id = begun.json().text("operation", "id").orElseThrow(() -> new AssertionError(begun.body()));
        await().atMost(PATIENCE)
                .until(() -> !GOING_ON.contains(operation(id).text("state").orElse("")));
        return operation(id);
    }

    JsonValue operation(String id) throws Exception {
        return get("/v1/operations/" + id).json().at("operation").orElseThrow();
    }

    @Override
    public void close() {
        driver.gpus().forEach(gpu -> gpu.heal());
        daemon.close();
    }
}
