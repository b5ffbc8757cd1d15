// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import io.gpuagent.agent.config.AgentConfig;
import io.gpuagent.agent.config.AgentException;
import io.gpuagent.agent.config.ListenAddress;
import io.gpuagent.agent.config.MetricsConfig;
import io.gpuagent.agent.config.MpsConfig;
import io.gpuagent.agent.poll.NvmlSource;
import io.gpuagent.host.HostView;
import io.gpuagent.host.RuntimeFolders;
import io.gpuagent.host.kernel.KernelLogDevice;
import io.gpuagent.model.time.ManualClock;
import io.gpuagent.nvml.sim.SimProfile;
import io.gpuagent.nvml.sim.SimulatedDriver;
import io.gpuagent.nvml.sim.SimulatedGpu;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A whole daemon over simulated GPUs, with a clock that a test moves and real sockets. */
final class ServedNode implements AutoCloseable {
    private static final Duration REAL_PATIENCE = Duration.ofSeconds(20);
    /** The driver's thread, the call watch, those that fetch events, watch over health, store it, and watch MIG. */
    private static final int THREADS = 6;

    final ManualClock clock;
    final SimulatedDriver driver;
    final Path socket;
    private final int gpus;
    private final Daemon daemon;
    private final HttpClient client = HttpClient.newHttpClient();
    private int hung;

    private ServedNode(
            SimProfile profile, Path folder, Path socket, AgentConfig config, Consumer<SimulatedDriver> prepare)
            throws AgentException {
        this(profile, folder, socket, config, prepare, new QuietKernelLog(), new ManualClock());
    }

    private ServedNode(
            SimProfile profile,
            Path folder,
            Path socket,
            AgentConfig config,
            Consumer<SimulatedDriver> prepare,
            KernelLogDevice kernelLog,
            ManualClock clock)
            throws AgentException {
        this.clock = clock;
        this.driver = SimulatedDriver.start(profile, clock::nanos);
        prepare.accept(driver);
        this.gpus = profile.gpus();
        this.socket = socket;
        this.daemon = Daemon.start(
                config,
                NvmlAccess.of(NvmlSource.lasting(driver, "a simulation"), driver, kernelLog),
                folders(folder),
                socket,
                HostView.real(),
                clock);
    }

    static ServedNode start(String profile, Path folder) throws AgentException {
        return start(profile, folder, folder.resolve("run/gpu-agent.sock"), "127.0.0.1:0");
    }

    static ServedNode start(String profile, Path folder, Path socket, String listen) throws AgentException {
        return new ServedNode(SimProfile.parse(profile), folder, socket, config(listen), driver -> {});
    }

    /** A node whose driver is in this state before the agent asks it anything. */
    static ServedNode start(String profile, Path folder, Consumer<SimulatedDriver> prepare) throws AgentException {
        return new ServedNode(
                SimProfile.parse(profile),
                folder,
                folder.resolve("run/gpu-agent.sock"),
                config("127.0.0.1:0"),
                prepare);
    }

    /** A node with this log of the kernel, at the time of this clock. */
    static ServedNode start(String profile, Path folder, KernelLogDevice kernelLog, ManualClock clock)
            throws AgentException {
        return start(profile, folder, kernelLog, clock, driver -> {});
    }

    static ServedNode start(
            String profile,
            Path folder,
            KernelLogDevice kernelLog,
            ManualClock clock,
            Consumer<SimulatedDriver> prepare)
            throws AgentException {
        return new ServedNode(
                SimProfile.parse(profile),
                folder,
                folder.resolve("run/gpu-agent.sock"),
                config("127.0.0.1:0"),
                prepare,
                kernelLog,
                clock);
    }

    static ServedNode startWith(String profile, Path folder, UnaryOperator<MetricsConfig> metrics)
            throws AgentException {
        AgentConfig usual = config("127.0.0.1:0");
        AgentConfig changed = new AgentConfig(
                metrics.apply(usual.metrics()),
                usual.api(),
                usual.nvml(),
                usual.poll(),
                usual.mps(),
                usual.mig(),
                usual.log());
        return new ServedNode(
                SimProfile.parse(profile), folder, folder.resolve("run/gpu-agent.sock"), changed, driver -> {});
    }

    static RuntimeFolders.Chosen folders(Path folder) {
        return new RuntimeFolders.Chosen(folder.resolve("run"), folder.resolve("state"), true, false);
    }

    static AgentConfig config(String listen) {
        AgentConfig usual = AgentConfig.DEFAULT;
        MetricsConfig metrics = usual.metrics().withListen(address(listen));
        // Its threads would sleep on the clock beside those that settle() counts.
        MpsConfig mps =
                new MpsConfig(false, usual.mps().drainTimeout(), usual.mps().logCapBytes());
        return new AgentConfig(metrics, usual.api(), usual.nvml(), usual.poll(), mps, usual.mig(), usual.log());
    }

    private static ListenAddress address(String text) {
        int colon = text.lastIndexOf(':');
        return new ListenAddress(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }

    void expectHung(int count) {
        hung = count;
    }

    void settle() throws InterruptedException {
        clock.awaitSleepers(THREADS + gpus - hung, REAL_PATIENCE);
    }

    void passSeconds(int seconds) throws InterruptedException {
        for (int i = 0; i < seconds; i++) {
            clock.advance(Duration.ofSeconds(1));
            settle();
        }
    }

    int port() {
        return daemon.listening().port();
    }

    HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        return send("GET", path, headers);
    }

    HttpResponse<String> send(String method, String path, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .timeout(REAL_PATIENCE)
                .method(method, HttpRequest.BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** An answer of the control socket. */
    ServedMig.Answer api(String request) throws IOException {
        String all = new UnixHttp(socket).exchange(request);
        int end = all.indexOf("\r\n\r\n");
        return new ServedMig.Answer(
                Integer.parseInt(all.substring(9, 12)), all.substring(0, end), all.substring(end + 4));
    }

    ServedMig.Answer read(String path) throws IOException {
        return api("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    }

    ServedMig.Answer post(String path, String body) throws IOException {
        return api("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: "
                + body.length() + "\r\n\r\n" + body);
    }

    @Override
    public void close() {
        driver.gpus().forEach(SimulatedGpu::heal);
        client.close();
        daemon.close();
    }
}
