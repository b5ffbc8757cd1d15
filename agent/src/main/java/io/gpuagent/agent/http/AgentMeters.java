// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.vertx.core.http.HttpServerResponse;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.function.Supplier;

/** The agent's meters of itself; everything about GPUs comes from snapshots instead. */
public final class AgentMeters {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Timer render = Timer.builder("gpu.agent.page.render")
            .description("Time spent on making metrics pages; a page is made once per snapshot and format.")
            .register(registry);

    /** The meters, registered. */
    public AgentMeters() {
        Gauge.builder("gpu.agent.heap.used", () -> heap().getUsed())
                .description("Java heap in use by the agent.")
                .baseUnit("bytes")
                .register(registry);
        Gauge.builder("gpu.agent.heap.max", () -> heap().getMax())
                .description("Java heap the agent may use at most.")
                .baseUnit("bytes")
                .register(registry);
        Gauge.builder(
                        "gpu.agent.threads",
                        () -> ManagementFactory.getThreadMXBean().getThreadCount())
                .description("Threads of the agent.")
                .register(registry);
    }

    private static MemoryUsage heap() {
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    }

    /** Counts a request to a server, {@code metrics} or {@code api}, once it is answered. */
    void count(String server, HttpServerResponse response) {
        response.endHandler(ended -> count(server, response.getStatusCode()));
    }

    private void count(String server, int status) {
        Counter.builder("gpu.agent.http.requests")
                .description("Requests answered by the agent's HTTP servers.")
                .tag("server", server)
                .tag("code", Integer.toString(status))
                .register(registry)
                .increment();
    }

    byte[] timeRender(Supplier<byte[]> page) {
        byte[] made = render.record(page);
        if (made == null) {
            throw new IllegalStateException("no page was made");
        }
        return made;
    }

    MetricSnapshots snapshots() {
        return registry.getPrometheusRegistry().scrape();
    }
}
