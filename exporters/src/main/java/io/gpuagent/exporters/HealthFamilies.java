// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import static io.gpuagent.exporters.MetricFamily.Type.COUNTER;
import static io.gpuagent.exporters.MetricFamily.Type.GAUGE;

import io.gpuagent.exporters.MetricFamily.Group;
import io.gpuagent.exporters.MetricFamily.Samples;
import io.gpuagent.model.GpuIdentity;
import io.gpuagent.model.GpuSnapshot;
import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.health.HealthAction;
import io.gpuagent.model.health.HealthReason;
import io.gpuagent.model.health.HealthState;
import io.gpuagent.model.health.NodeHealth;
import io.gpuagent.model.health.SourceStatus;
import io.gpuagent.model.health.Verdict;
import io.gpuagent.model.health.XidCount;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** One verdict per GPU and one for the node, the Xid errors behind them, and whether their sources can be heard. */
final class HealthFamilies {
    private static final String ALL_SOURCES = "the kernel's log, NVML's events and readings";
    private static final String KERNEL_LOG = "the kernel's log, nvmlEventSetWait_v2";
    private static final double MILLIS = 1000;

    static final List<MetricFamily> ALL = List.of(
            verdicts(
                    FamilyBuilder.perGpu(
                                    "gpu_health_state",
                                    GAUGE,
                                    Group.ERRORS,
                                    "1 for the state the GPU is in, 0 for the others; unknown is not ok")
                            .label("state", HealthState.values(), HealthState::label)
                            .source(ALL_SOURCES)
                            .zeroToOne(),
                    (verdict, samples) -> states(verdict.state(), samples)),
            verdicts(
                    FamilyBuilder.perGpu(
                                    "gpu_health_action",
                                    GAUGE,
                                    Group.ERRORS,
                                    "1 for what helps the GPU now, 0 for the others")
                            .label("action", HealthAction.values(), HealthAction::label)
                            .source(ALL_SOURCES)
                            .zeroToOne(),
                    (verdict, samples) -> actions(verdict.action(), samples)),
            verdicts(
                    FamilyBuilder.perGpu(
                                    "gpu_health_reasons",
                                    GAUGE,
                                    Group.ERRORS,
                                    "Reasons of the GPU's verdict, by code; those that somebody acknowledged are not"
                                            + " among them")
                            .label("code")
                            .source(ALL_SOURCES),
                    HealthFamilies::reasons),
            verdicts(
                    FamilyBuilder.perGpu(
                                    "gpu_xid_errors_total",
                                    COUNTER,
                                    Group.ERRORS,
                                    "Xid errors since the machine started, by number; a lower bound where the driver"
                                            + " thins its messages out")
                            .label("xid")
                            .source(KERNEL_LOG),
                    (verdict, samples) -> xids(verdict, XidCount::count, samples)),
            verdicts(
                    FamilyBuilder.perGpu(
                                    "gpu_xid_last_timestamp_seconds",
                                    GAUGE,
                                    Group.ERRORS,
                                    "When the Xid error was seen last, in seconds since 1970")
                            .label("xid")
                            .source(KERNEL_LOG),
                    (verdict, samples) -> xids(verdict, xid -> seconds(xid.last()), samples)),
            node(
                    FamilyBuilder.node(
                                    "gpu_node_health_state",
                                    GAUGE,
                                    Group.ERRORS,
                                    "1 for the state of the node, the worst of its GPUs and of what no GPU owns, 0 for"
                                            + " the others")
                            .label("state", HealthState.values(), HealthState::label)
                            .source(ALL_SOURCES)
                            .zeroToOne(),
                    (health, samples) -> states(health.state(), samples)),
            node(
                    FamilyBuilder.node(
                                    "gpu_node_health_action",
                                    GAUGE,
                                    Group.ERRORS,
                                    "1 for what helps the node now, 0 for the others")
                            .label("action", HealthAction.values(), HealthAction::label)
                            .source(ALL_SOURCES)
                            .zeroToOne(),
                    (health, samples) -> actions(health.action(), samples)),
            sources(
                    "gpu_agent_health_source_up",
                    GAUGE,
                    "Whether a source of the verdicts can be heard, 0 or 1: what does not speak is no good news",
                    source -> source.state() == SourceStatus.State.OK ? 1 : 0),
            sources(
                    "gpu_agent_health_source_received_total",
                    COUNTER,
                    "What a source has delivered since the agent started: lines about GPUs, events, polls",
                    SourceStatus::received),
            sources(
                    "gpu_agent_health_source_lost_total",
                    COUNTER,
                    "What is known to be missing from a source, such as lines of the kernel's log that were overwritten",
                    SourceStatus::lost),
            sources(
                    "gpu_agent_health_source_refused_total",
                    COUNTER,
                    "What was not believed, such as lines in the kernel's log that a program wrote",
                    SourceStatus::refused));

    private HealthFamilies() {}

    private static MetricFamily verdicts(FamilyBuilder family, BiConsumer<Verdict, Samples> part) {
        return family.fromHealth((node, health, samples) -> {
            Map<String, GpuIdentity> known = identities(node);
            health.gpus()
                    .forEach(verdict -> part.accept(
                            verdict,
                            of(
                                    known.containsKey(verdict.gpu())
                                            ? Integer.toString(
                                                    known.get(verdict.gpu()).index())
                                            : "",
                                    verdict.gpu(),
                                    samples)));
        });
    }

    private static Map<String, GpuIdentity> identities(NodeSnapshot node) {
        Map<String, GpuIdentity> known = new HashMap<>();
        node.gpus().stream().map(GpuSnapshot::identity).forEach(gpu -> known.put(gpu.uuid(), gpu));
        return known;
    }

    /** A GPU that NVML does not count has no index. */
    private static Samples of(String index, String uuid, Samples samples) {
        return (value, more) -> {
            String[] values = new String[more.length + 2];
            values[0] = index;
            values[1] = uuid;
            System.arraycopy(more, 0, values, 2, more.length);
            samples.add(value, values);
        };
    }

    private static MetricFamily node(FamilyBuilder family, BiConsumer<NodeHealth, Samples> part) {
        return family.fromHealth((node, health, samples) -> part.accept(health, samples));
    }

    private static MetricFamily sources(
            String name, MetricFamily.Type type, String help, ToDoubleFunction<SourceStatus> number) {
        return node(
                FamilyBuilder.node(name, type, Group.AGENT, help)
                        .label("source")
                        .source("the agent itself"),
                (health, samples) ->
                        health.sources().forEach(source -> samples.add(number.applyAsDouble(source), source.name())));
    }

    private static void states(HealthState now, Samples samples) {
        for (HealthState state : HealthState.values()) {
            samples.add(state == now ? 1 : 0, state.label());
        }
    }

    private static void actions(HealthAction now, Samples samples) {
        for (HealthAction action : HealthAction.values()) {
            samples.add(action == now ? 1 : 0, action.label());
        }
    }

    private static void reasons(Verdict verdict, Samples samples) {
        verdict.reasons().stream()
                .filter(reason -> reason.acknowledged().isEmpty())
                .collect(Collectors.groupingBy(HealthReason::code, Collectors.counting()))
                .forEach((code, count) -> samples.add(count, code));
    }

    private static void xids(Verdict verdict, ToDoubleFunction<XidCount> number, Samples samples) {
        verdict.xids().forEach(xid -> samples.add(number.applyAsDouble(xid), Integer.toString(xid.xid())));
    }

    private static double seconds(Instant at) {
        return at.toEpochMilli() / MILLIS;
    }
}
