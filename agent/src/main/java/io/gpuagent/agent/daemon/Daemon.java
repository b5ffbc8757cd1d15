// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import io.gpuagent.agent.config.AgentConfig;
import io.gpuagent.agent.config.AgentException;
import io.gpuagent.agent.config.AgentVersion;
import io.gpuagent.agent.config.GpuSource;
import io.gpuagent.agent.config.ListenAddress;
import io.gpuagent.agent.health.HealthWatch;
import io.gpuagent.agent.http.AgentMeters;
import io.gpuagent.agent.http.ApiServer;
import io.gpuagent.agent.http.MetricsPages;
import io.gpuagent.agent.http.MetricsServer;
import io.gpuagent.agent.http.WebConfigSource;
import io.gpuagent.agent.http.WebRuntime;
import io.gpuagent.agent.log.Logging;
import io.gpuagent.agent.mps.MpsService;
import io.gpuagent.agent.poll.CallLedger;
import io.gpuagent.agent.poll.DriverLoop;
import io.gpuagent.agent.poll.GpuEvent;
import io.gpuagent.agent.poll.GpuReleases;
import io.gpuagent.agent.poll.Snapshots;
import io.gpuagent.agent.poll.TimedRelease;
import io.gpuagent.exporters.DcgmStyle;
import io.gpuagent.host.HostView;
import io.gpuagent.host.RuntimeFolders;
import io.gpuagent.model.PollIntervals;
import io.gpuagent.model.time.Clock;
import io.gpuagent.model.time.SystemClock;
import io.gpuagent.mps.MpsException;
import io.gpuagent.mps.sim.SimulatedMachine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** A running agent: {@code gpu-agent serve}. */
public final class Daemon implements AutoCloseable {
    /** From SIGTERM to the end of the process, whatever hangs. */
    private static final Duration STOP_DEADLINE = Duration.ofSeconds(5);

    // Together well within the deadline, so that the locks are released in order even when a call hangs.
    private static final Duration WEB_STOP = Duration.ofSeconds(1);
    private static final Duration DRIVER_STOP = Duration.ofSeconds(3);

    private static final System.Logger LOG = System.getLogger(Daemon.class.getName());

    private final NvmlAccess nvml;
    private final DriverLoop driver;
    private final Optional<MpsWiring> mps;
    private final HealthWatch health;
    private final MigWiring mig;
    private final WebRuntime web;
    private final SocketFile socket;
    private final FolderClaim claim;
    private final ListenAddress listening;
    private final String scheme;

    private Daemon(
            NvmlAccess nvml,
            DriverLoop driver,
            Optional<MpsWiring> mps,
            HealthWatch health,
            MigWiring mig,
            WebRuntime web,
            SocketFile socket,
            FolderClaim claim,
            ListenAddress listening,
            String scheme) {
        this.nvml = nvml;
        this.driver = driver;
        this.mps = mps;
        this.health = health;
        this.mig = mig;
        this.web = web;
        this.socket = socket;
        this.claim = claim;
        this.listening = listening;
        this.scheme = scheme;
    }

    /**
     * Runs an agent until the process is asked to end (SIGTERM, SIGINT).
     *
     * @param config the configuration
     * @param source which GPUs
     * @param folders its folders
     * @param socket where its control API listens
     * @return the exit code
     * @throws AgentException when it cannot start
     */
    public static int run(AgentConfig config, GpuSource source, RuntimeFolders.Chosen folders, Path socket)
            throws AgentException {
        HostView host = HostView.real();
        Logging.configure(config.log(), host.environment());
        CountDownLatch stopping = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        Thread hook = new Thread(() -> endProcess(stopping, stopped), "stop");
        try (Daemon daemon = start(config, source, folders, socket, host, SystemClock.INSTANCE)) {
            Runtime.getRuntime().addShutdownHook(hook);
            LOG.log(
                    INFO,
                    "gpu-agent {0} serves {1}{2}/metrics and {3}",
                    AgentVersion.current(),
                    daemon.scheme,
                    daemon.listening,
                    socket);
            stopping.await();
            LOG.log(INFO, "stopping");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        stopped.countDown();
        return 0;
    }

    /** The shutdown hook: lets the main thread stop all, but no longer than the deadline; then the process ends. */
    private static void endProcess(CountDownLatch stopping, CountDownLatch stopped) {
        stopping.countDown();
        boolean clean = false;
        try {
            clean = stopped.await(STOP_DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!clean) {
            LOG.log(
                    WARNING,
                    "not everything ended within {0} s; the process ends without it",
                    STOP_DEADLINE.toSeconds());
        }
        Logging.flush();
        // A halt, because an exit would wait for this hook, and because a thread may hang in the driver for ever.
        Runtime.getRuntime().halt(0);
    }

    /**
     * Starts an agent: folders and locks first, so that a second one is refused before it touches anything; then the
     * servers, last the driver's threads.
     *
     * @param config the configuration
     * @param source which GPUs
     * @param folders its folders
     * @param socket where its control API listens
     * @param host the machine
     * @param clock the clock
     * @return the running agent
     * @throws AgentException when it cannot start; nothing is left behind then
     */
    public static Daemon start(
            AgentConfig config,
            GpuSource source,
            RuntimeFolders.Chosen folders,
            Path socket,
            HostView host,
            Clock clock)
            throws AgentException {
        return start(config, NvmlAccess.open(source, clock), folders, socket, host, clock);
    }

    /**
     * Starts an agent over a given NVML, such as a simulation that a test holds in its hands.
     *
     * @param config the configuration
     * @param nvml where NVML comes from
     * @param folders its folders
     * @param socket where its control API listens
     * @param host the machine
     * @param clock the clock
     * @return the running agent
     * @throws AgentException when it cannot start
     */
    static Daemon start(
            AgentConfig config, NvmlAccess nvml, RuntimeFolders.Chosen folders, Path socket, HostView host, Clock clock)
            throws AgentException {
        FolderClaim claim = null;
        WebRuntime web = null;
        SocketFile socketFile = new SocketFile(socket);
        Optional<MpsWiring> mps = Optional.empty();
        HealthWatch health = null;
        Daemon started = null;
        try {
            claim = FolderClaim.take(folders, host);
            Path binding = socketFile.prepare();
            PollIntervals intervals =
                    new PollIntervals(config.poll().fast(), config.poll().slow());
            CallLedger ledger = new CallLedger(clock);
            AtomicReference<Consumer<GpuEvent>> onEvent = new AtomicReference<>(event -> {});
            DriverLoop driver = new DriverLoop(
                    nvml.source(),
                    ledger,
                    clock,
                    intervals,
                    event -> onEvent.get().accept(event));
            Snapshots snapshots =
                    new Snapshots(driver, ledger, clock, intervals, AgentVersion.current(), folders.simulated());
            GpuReleases releases = new GpuReleases(driver, ledger);
            MpsWiring.Parts parts = new MpsWiring.Parts(
                    nvml,
                    folders,
                    host,
                    snapshots::current,
                    Optional.of(releases),
                    clock,
                    true,
                    config.mps().logCapBytes());
            mps = config.mps().enabled() ? Optional.of(supervise(parts)) : Optional.empty();
            Optional<MpsService> service = mps.map(MpsWiring::service);
            health = HealthWiring.open(host, clock, folders, nvml.kernelLog(host), driver, snapshots, service);
            onEvent.set(health::event);
            TimedRelease release = new TimedRelease(
                    releases,
                    () -> snapshots.current().gpus().stream()
                            .map(gpu -> gpu.identity().uuid())
                            .toList(),
                    clock);
            MigWiring mig = MigWiring.open(parts, mps, releases, config.mig());
            AgentMeters meters = new AgentMeters();
            DcgmStyle dcgm = DcgmPageStyle.of(config.metrics().dcgm(), host);
            WebConfigSource access = WebConfigSource.of(config.metrics().webConfig());
            web = new WebRuntime();
            MetricsServer metrics = new MetricsServer(
                    web.vertx(),
                    new MetricsPages(
                            snapshots,
                            () -> service.map(MpsService::view),
                            health,
                            meters,
                            config.metrics().families(),
                            dcgm),
                    config.metrics().format(),
                    access,
                    meters,
                    snapshots::ready,
                    clock);
            ListenAddress wanted = config.metrics().listen();
            String scheme = access.get().tls().isPresent() ? "https://" : "http://";
            int port = web.listen(metrics.listen(wanted.host(), wanted.port()), scheme + wanted);
            ApiServer api = new ApiServer(
                    web.vertx(),
                    snapshots,
                    meters,
                    service,
                    health,
                    release,
                    mig.service(),
                    config.mps().drainTimeout(),
                    host.uid());
            web.listen(api.listen(binding), "the socket " + socket);
            socketFile.publish();
            health.start();
            driver.start();
            mps.ifPresent(MpsWiring::watch);
            mig.watch();
            metrics.warmUp();
            started = new Daemon(
                    nvml,
                    driver,
                    mps,
                    health,
                    mig,
                    web,
                    socketFile,
                    claim,
                    new ListenAddress(wanted.host(), port),
                    scheme);
            return started;
        } finally {
            if (started == null) {
                socketFile.abandon();
                if (web != null) {
                    web.close(WEB_STOP);
                }
                mps.ifPresent(MpsWiring::close);
                if (health != null) {
                    health.close();
                }
                if (claim != null) {
                    claim.close();
                }
                nvml.close();
            }
        }
    }

    private static MpsWiring supervise(MpsWiring.Parts parts) throws AgentException {
        try {
            return MpsWiring.open(parts);
        } catch (MpsException e) {
            throw new AgentException(AgentException.FAILED, String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Where Prometheus finds it.
     *
     * @return host and port
     */
    public ListenAddress listening() {
        return listening;
    }

    /** The simulated machine behind MPS; empty for a real one. */
    Optional<SimulatedMachine> simulatedMps() {
        return mps.flatMap(MpsWiring::simulation);
    }

    /** Stops it: first the driver's threads and the servers, then the socket, last the locks. */
    @Override
    public void close() {
        mig.close();
        driver.stop();
        socket.remove();
        web.close(WEB_STOP);
        mps.ifPresent(MpsWiring::close);
        health.close();
        try {
            if (!driver.awaitEnd(DRIVER_STOP)) {
                LOG.log(WARNING, "a call to the driver has not returned; NVML is left as it is");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        nvml.close();
        claim.close();
    }
}
