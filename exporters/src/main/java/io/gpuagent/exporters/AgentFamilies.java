// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import static io.gpuagent.exporters.MetricFamily.Type.COUNTER;
import static io.gpuagent.exporters.MetricFamily.Type.GAUGE;
import static io.gpuagent.exporters.MetricFamily.Type.INFO;

import io.gpuagent.exporters.MetricFamily.Group;
import io.gpuagent.exporters.MetricFamily.Samples;
import io.gpuagent.model.Absence;
import io.gpuagent.model.AgentFigures;
import io.gpuagent.model.DriverState;
import io.gpuagent.model.GpuSnapshot;
import io.gpuagent.model.Reading;
import io.gpuagent.model.ReadingKey;
import io.gpuagent.model.ReadingKeys;
import io.gpuagent.model.Tier;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the agent tells of itself: whether NVML is there, how the polling goes, what is missing and why. */
final class AgentFamilies {
    private static final double NANOS_PER_SECOND = 1e9;

    /** Its samples come last, from the making of the page itself. */
    static final MetricFamily REJECTED = FamilyBuilder.node(
                    "gpu_agent_rejected_samples",
                    GAUGE,
                    Group.AGENT,
                    "Samples that were left out of this page because another one has the same labels, because the value"
                            + " cannot be true, or because another family has the name; no series when there are none")
            .label("metric")
            .label("why", SampleSet.Rejection.values(), SampleSet.Rejection::label)
            .source("the making of the page")
            .from((node, samples) -> {});

    static final List<MetricFamily> ALL = List.of(
            FamilyBuilder.node(
                            "gpu_agent_build_info",
                            INFO,
                            Group.AGENT,
                            "The agent's version, and whether its GPUs are simulated")
                    .label("version")
                    .label("simulated", "true", "false")
                    .source("the build and the command line")
                    .from((node, samples) -> samples.add(
                            1,
                            node.agent().version(),
                            Boolean.toString(node.agent().simulated()))),
            FamilyBuilder.node(
                            "gpu_agent_nvml_up",
                            GAUGE,
                            Group.AGENT,
                            "Whether NVML is initialised and can be used, 0 or 1")
                    .source("nvmlInit_v2")
                    .zeroToOne()
                    .from((node, samples) -> samples.add(node.driver() instanceof DriverState.Up ? 1 : 0)),
            FamilyBuilder.node(
                            "gpu_agent_nvml_down_info",
                            INFO,
                            Group.AGENT,
                            "Why NVML cannot be used, with NVML's return code where it was reached; absent while it can"
                                    + " be used")
                    .label("reason", DriverState.Reason.values(), DriverState.Reason::label)
                    .label("code")
                    .source("loading the library, nvmlInit_v2")
                    .from((node, samples) -> {
                        if (node.driver() instanceof DriverState.Down down) {
                            samples.add(1, down.reason().label(), down.code() == null ? "" : down.code());
                        }
                    }),
            FamilyBuilder.node(
                            "gpu_agent_gpus",
                            GAUGE,
                            Group.AGENT,
                            "GPUs that NVML counts, whether they answer or not; absent while NVML is down")
                    .source("nvmlDeviceGetCount_v2")
                    .from((node, samples) -> {
                        if (node.driver() instanceof DriverState.Up) {
                            samples.add(node.gpus().size());
                        }
                    }),
            FamilyBuilder.perGpu(
                            "gpu_agent_poll_last_success_timestamp_seconds",
                            GAUGE,
                            Group.AGENT,
                            "End of the last round of reads that the GPU answered, in seconds since 1970; absent before"
                                    + " the first")
                    .label("tier", Tier.values(), AgentFamilies::label)
                    .source("the agent's poller")
                    .from((node, samples) -> {
                        for (AgentFigures.Poll poll : node.agent().polls()) {
                            poll.lastSuccess()
                                    .ifPresent(time -> FamilyBuilder.of(poll.gpu(), samples)
                                            .add(seconds(time), label(poll.tier())));
                        }
                    }),
            FamilyBuilder.perGpu(
                            "gpu_agent_poll_seconds",
                            GAUGE,
                            Group.AGENT,
                            "How long the last round of reads of a tier took, in seconds")
                    .label("tier", Tier.values(), AgentFamilies::label)
                    .source("the agent's poller")
                    .from((node, samples) -> {
                        for (AgentFigures.Poll poll : node.agent().polls()) {
                            FamilyBuilder.of(poll.gpu(), samples).add(poll.lastSeconds(), label(poll.tier()));
                        }
                    }),
            FamilyBuilder.node(
                            "gpu_agent_poll_interval_seconds",
                            GAUGE,
                            Group.AGENT,
                            "How often a tier is read, in seconds; a value is served for three intervals after its read")
                    .label("tier", Tier.values(), AgentFamilies::label)
                    .source("the configuration")
                    .from((node, samples) -> {
                        for (Tier tier : Tier.values()) {
                            node.agent()
                                    .intervals()
                                    .of(tier)
                                    .ifPresent(interval -> samples.add(interval.toMillis() / 1000.0, label(tier)));
                        }
                    }),
            FamilyBuilder.perGpu("gpu_agent_readings", GAUGE, Group.AGENT, "Readings of the GPU that have a value")
                    .source("the snapshot")
                    .gpu((gpu, samples) -> samples.add((double) ReadingKeys.ALL.stream()
                            .filter(key -> gpu.readings().get(key) instanceof Reading.Present)
                            .count()))
                    .build(),
            FamilyBuilder.perGpu(
                            "gpu_agent_absent_readings",
                            GAUGE,
                            Group.AGENT,
                            "Readings of the GPU that have no value and so no series, by reason")
                    .label("reason", Absence.values(), AgentFamilies::label)
                    .source("the snapshot")
                    .gpu(AgentFamilies::countAbsent)
                    .build(),
            FamilyBuilder.node(
                            "gpu_agent_nvml_calls_total",
                            COUNTER,
                            Group.AGENT,
                            "NVML calls that have returned since the agent started, by function and return code")
                    .label("call")
                    .label("result")
                    .source("every call to NVML")
                    .from((node, samples) -> {
                        for (AgentFigures.CallCount calls : node.agent().calls()) {
                            samples.add((double) calls.count(), calls.function(), calls.result());
                        }
                    }),
            FamilyBuilder.node(
                            "gpu_agent_nvml_call_in_flight_seconds",
                            GAUGE,
                            Group.AGENT,
                            "How long an NVML call that has not returned yet has been running, in seconds; the thread is"
                                    + " a GPU's index, or driver for calls that concern no single GPU")
                    .label("thread")
                    .label("call")
                    .source("every call to NVML")
                    .from((node, samples) -> {
                        for (AgentFigures.InFlight call : node.agent().inFlight()) {
                            samples.add(call.seconds(), call.thread(), call.function());
                        }
                    }),
            FamilyBuilder.node(
                            "gpu_agent_snapshots_total",
                            COUNTER,
                            Group.AGENT,
                            "Snapshots of the node made since the agent started; every page shows one of them")
                    .source("the snapshot")
                    .from((node, samples) -> samples.add((double) node.generation())),
            FamilyBuilder.node(
                            "gpu_agent_snapshot_timestamp_seconds",
                            GAUGE,
                            Group.AGENT,
                            "When the snapshot of this page was made, in seconds since 1970")
                    .source("the snapshot")
                    .from((node, samples) -> samples.add(seconds(node.takenAt()))),
            REJECTED);

    private AgentFamilies() {}

    private static void countAbsent(GpuSnapshot gpu, Samples samples) {
        Map<Absence, Integer> counts = new EnumMap<>(Absence.class);
        Arrays.stream(Absence.values()).forEach(why -> counts.put(why, 0));
        for (ReadingKey<?> key : ReadingKeys.ALL) {
            if (gpu.readings().get(key) instanceof Reading.Absent<?> absent) {
                counts.merge(absent.why(), 1, Integer::sum);
            }
        }
        counts.forEach((why, count) -> samples.add(count, label(why)));
    }

    private static double seconds(Instant time) {
        return time.getEpochSecond() + time.getNano() / NANOS_PER_SECOND;
    }

    private static String label(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
