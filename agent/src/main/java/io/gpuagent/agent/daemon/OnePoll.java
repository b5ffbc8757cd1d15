// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import io.gpuagent.agent.config.AgentConfig;
import io.gpuagent.agent.config.AgentException;
import io.gpuagent.agent.config.AgentVersion;
import io.gpuagent.agent.config.GpuSource;
import io.gpuagent.agent.config.LogConfig;
import io.gpuagent.agent.config.MetricsConfig;
import io.gpuagent.agent.log.Logging;
import io.gpuagent.agent.poll.CallLedger;
import io.gpuagent.agent.poll.DriverLoop;
import io.gpuagent.agent.poll.Snapshots;
import io.gpuagent.exporters.DcgmPage;
import io.gpuagent.exporters.FamilyFilter;
import io.gpuagent.exporters.NativePage;
import io.gpuagent.exporters.PageFormat;
import io.gpuagent.exporters.PageSource;
import io.gpuagent.host.HostView;
import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.PollIntervals;
import io.gpuagent.model.time.Clock;
import io.gpuagent.model.time.SystemClock;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Reads every GPU of this machine once, without a daemon. */
public final class OnePoll {
    /** A GPU that has not answered by then is shown as it is: unresponsive. */
    private static final Duration DEADLINE = Duration.ofSeconds(15);

    private static final Duration LOOK = Duration.ofMillis(5);
    private static final Duration STOP = Duration.ofMillis(500);

    private OnePoll() {}

    /**
     * Polls once.
     *
     * @param config the configuration
     * @param source which GPUs
     * @return what they answered
     * @throws AgentException when the source is not to be had at all, such as an unknown profile
     */
    public static NodeSnapshot take(AgentConfig config, GpuSource source) throws AgentException {
        // What is read is the answer; only what keeps it from being read is worth a line beside it.
        Logging.configure(new LogConfig(LogConfig.Level.ERROR), System.getenv());
        Clock clock = SystemClock.INSTANCE;
        return take(config, NvmlAccess.open(source, clock), clock, source instanceof GpuSource.Simulated);
    }

    static NodeSnapshot take(AgentConfig config, NvmlAccess nvml, Clock clock, boolean isSimulated) {
        PollIntervals intervals =
                new PollIntervals(config.poll().fast(), config.poll().slow());
        CallLedger ledger = new CallLedger(clock);
        DriverLoop driver = new DriverLoop(nvml.source(), ledger, clock, intervals, event -> {});
        Snapshots snapshots = new Snapshots(driver, ledger, clock, intervals, AgentVersion.current(), isSimulated);
        driver.start();
        try {
            long deadline = clock.nanos() + DEADLINE.toNanos();
            while (!snapshots.ready() && clock.nanos() < deadline) {
                clock.sleepUntil(clock.nanos() + LOOK.toNanos());
            }
            NodeSnapshot taken = snapshots.current();
            driver.stop();
            driver.awaitEnd(STOP);
            return taken;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return snapshots.current();
        } finally {
            nvml.close();
        }
    }

    /**
     * The native page of a snapshot, with all families.
     *
     * @param node the snapshot
     * @return Prometheus' text format
     */
    public static String page(NodeSnapshot node) {
        return nativePage(node, FamilyFilter.ALL);
    }

    /**
     * The metrics page of a snapshot.
     *
     * @param node the snapshot
     * @param config names and choice of its series
     * @return Prometheus' text format
     * @throws AgentException when a file that chooses series cannot be used
     */
    public static String page(NodeSnapshot node, MetricsConfig config) throws AgentException {
        return switch (config.format()) {
            case NATIVE -> nativePage(node, config.families());
            case DCGM ->
                new String(DcgmPage.of(node, DcgmPageStyle.of(config.dcgm(), HostView.real())), StandardCharsets.UTF_8);
        };
    }

    private static String nativePage(NodeSnapshot node, FamilyFilter families) {
        return new String(
                PageFormat.PROMETHEUS_TEXT.render(NativePage.of(PageSource.of(node), new MetricSnapshots(), families)),
                StandardCharsets.UTF_8);
    }
}
