// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import static io.gpuagent.exporters.MetricFamily.Type.COUNTER;
import static io.gpuagent.exporters.MetricFamily.Type.GAUGE;
import static io.gpuagent.exporters.MetricFamily.Type.INFO;

import io.gpuagent.model.ClientPriority;
import io.gpuagent.model.PinnedMemoryLimit;
import io.gpuagent.model.Share;
import io.gpuagent.model.ThreadPercentage;
import io.gpuagent.model.mps.MpsClientView;
import io.gpuagent.model.mps.MpsDaemonView;
import io.gpuagent.model.mps.MpsPendingView;
import io.gpuagent.model.mps.MpsState;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * MPS control daemons: whether they answer, what they allow, and what has happened. All of it comes out of what the
 * supervision knows; a page sends no control command.
 */
final class MpsFamilies {
    private static final String PROC = "/proc";
    private static final String LOGS = "control.log and server.log";
    private static final double MILLIS = 1000;
    // In these the control daemon cannot be relied upon, whether a process of it is there or not.
    private static final Set<MpsState> SILENT =
            EnumSet.of(MpsState.ABSENT, MpsState.STARTING, MpsState.WEDGED, MpsState.DIRTY, MpsState.ORPHAN);

    private static final List<MetricFamily> DAEMONS = List.of(
            MpsLabels.daemon(
                    "gpu_mps_control_up",
                    GAUGE,
                    "Whether the control daemon runs and answers, 0 or 1",
                    PROC + ", get_default_active_thread_percentage",
                    daemon -> daemon.pid().isPresent() && !SILENT.contains(daemon.state()) ? 1 : 0),
            MpsLabels.daemons(
                    MpsLabels.builder("gpu_mps_state", GAUGE, "1 for the state the daemon is in, 0 for the others")
                            .label("state", MpsState.values(), MpsState::label)
                            .source(LOGS + ", " + PROC + ", get_server_status")
                            .zeroToOne(),
                    (daemon, samples) -> {
                        for (MpsState state : MpsState.values()) {
                            samples.add(daemon.state() == state ? 1 : 0, daemon.id(), state.label());
                        }
                    }),
            MpsLabels.daemons(
                    MpsLabels.builder(
                                    "gpu_mps_control_info",
                                    INFO,
                                    "How the daemon runs: as which user, whether one server serves all users, whether"
                                            + " its GPUs were set to EXCLUSIVE_PROCESS")
                            .label("uid")
                            .label("multi_user", "true", "false")
                            .label("exclusive_process", "true", "false")
                            .source("the agent's record of the daemon"),
                    (daemon, samples) -> samples.add(
                            1,
                            daemon.id(),
                            Long.toString(daemon.uid()),
                            Boolean.toString(daemon.multiUser()),
                            Boolean.toString(daemon.exclusiveProcess()))),
            MpsLabels.daemons(
                    MpsLabels.builder(
                                    "gpu_mps_control_start_time_seconds",
                                    GAUGE,
                                    "When the control daemon started, in seconds since 1970")
                            .source(PROC),
                    (daemon, samples) ->
                            daemon.startedAt().ifPresent(start -> samples.add(seconds(start), daemon.id()))),
            count(
                    "gpu_mps_servers",
                    "Servers of the daemon",
                    "get_server_list, " + LOGS,
                    daemon -> daemon.servers().size()),
            count(
                    "gpu_mps_clients",
                    "Clients of all servers of the daemon",
                    "control.log, NVML's list of MPS clients",
                    daemon -> daemon.clients().size()),
            count(
                    "gpu_mps_client_contexts",
                    "Contexts of the clients; each takes one of the places for clients",
                    "server.log",
                    daemon -> daemon.clients().stream()
                            .mapToInt(MpsClientView::contexts)
                            .sum()),
            count(
                    "gpu_mps_client_slots_max",
                    "How many client contexts one GPU has room for: 48 up to CUDA 13.0, 60 from 13.1 on",
                    "the version of nvidia-cuda-mps-control",
                    MpsDaemonView::clientSlots),
            count(
                    "gpu_mps_pending_clients",
                    "Clients that wait because the daemon serves another user; to them it looks like a hang",
                    "control.log",
                    daemon -> daemon.pending().size()),
            MpsLabels.builder(
                            "gpu_mps_pending_seconds",
                            GAUGE,
                            "How long the client that waits longest has been waiting, in seconds; absent where none"
                                    + " waits")
                    .source("control.log")
                    .fromMps((node, mps, samples) -> mps.daemons()
                            .forEach(daemon -> daemon.pending().stream()
                                    .map(MpsPendingView::since)
                                    .min(Comparator.naturalOrder())
                                    .ifPresent(since -> samples.add(
                                            seconds(Duration.between(since, mps.takenAt())), daemon.id())))));

    private static final List<MetricFamily> LIMITS = List.of(
            MpsLabels.limits(
                    MpsLabels.builder(
                                    "gpu_mps_active_thread_ratio",
                                    GAUGE,
                                    "The part of the multiprocessors that a client may use at most, as read back: what"
                                            + " servers start with, and what each server lets new clients in under")
                            .source("get_default_active_thread_percentage, get_active_thread_percentage")
                            .zeroToOne(),
                    Share::threads,
                    ThreadPercentage::ratio),
            MpsLabels.limits(
                    MpsLabels.builder(
                                    "gpu_mps_memory_limit_bytes",
                                    GAUGE,
                                    "Device memory that a client process may allocate at most, as read back, in bytes;"
                                            + " absent where there is no limit. A client can drop it by its environment")
                            .source("get_default_device_pinned_mem_limit, get_device_pinned_mem_limit"),
                    Share::memory,
                    PinnedMemoryLimit::bytes),
            MpsLabels.limits(
                    MpsLabels.builder(
                                    "gpu_mps_client_priority",
                                    GAUGE,
                                    "The priority that new clients get, as read back: 0 normal, 1 below normal")
                            .source("get_default_client_priority")
                            .zeroToOne(),
                    Share::priority,
                    priority -> priority == ClientPriority.BELOW_NORMAL ? 1 : 0),
            count(
                    "gpu_mps_clients_on_old_limits",
                    "Clients whose server allows something else by now; they keep what they came under until they end",
                    LOGS + ", the agent's record of changes",
                    MpsDaemonView::clientsOnOldLimits),
            count(
                    "gpu_mps_clients_on_unknown_limits",
                    "Clients of which it is not known under which limits they came, since they were there before the"
                            + " agent",
                    LOGS + ", the agent's record of changes",
                    daemon -> daemon.clients().stream()
                            .filter(client -> client.onOldLimits().isEmpty())
                            .count()),
            count(
                    "gpu_mps_escaped_clients",
                    "Clients whose environment makes the driver drop every memory limit",
                    "CUDA_MPS_PINNED_DEVICE_MEM_LIMIT in /proc/PID/environ",
                    daemon -> daemon.clients().stream()
                            .filter(client -> client.escape().isPresent())
                            .count()));

    private static final List<MetricFamily> HAPPENED = List.of(
            total(
                    "gpu_mps_control_restarts_total",
                    "Times the daemon was started again after it had died",
                    PROC,
                    d -> d.counters().restarts()),
            total(
                    "gpu_mps_server_starts_total",
                    "Servers that became ready",
                    LOGS,
                    d -> d.counters().serverStarts()),
            total(
                    "gpu_mps_server_failures_total",
                    "Servers that ended with a status other than 0",
                    LOGS,
                    d -> d.counters().serverFailures()),
            total(
                    "gpu_mps_faults_total",
                    "Fatal GPU faults that a server had to handle",
                    LOGS,
                    d -> d.counters().faults()),
            total(
                    "gpu_mps_terminated_clients_total",
                    "Clients whose contexts were destroyed on request",
                    "terminate_client",
                    d -> d.counters().terminatedClients()),
            total(
                    "gpu_mps_commands_total",
                    "Control commands sent; none in a steady state but one check a minute",
                    "nvidia-cuda-mps-control",
                    d -> d.counters().commands()),
            total(
                    "gpu_mps_command_timeouts_total",
                    "Control commands that were given up for want of an answer",
                    "nvidia-cuda-mps-control",
                    d -> d.counters().commandTimeouts()));

    static final List<MetricFamily> ALL = Stream.of(DAEMONS, LIMITS, MpsPartFamilies.ALL, HAPPENED)
            .flatMap(List::stream)
            .toList();

    private MpsFamilies() {}

    private static MetricFamily count(String name, String help, String source, ToDoubleFunction<MpsDaemonView> value) {
        return MpsLabels.daemon(name, GAUGE, help, source, value);
    }

    private static MetricFamily total(String name, String help, String source, ToDoubleFunction<MpsDaemonView> value) {
        return MpsLabels.daemon(name, COUNTER, help + ", since this agent has known the daemon", source, value);
    }

    static double seconds(Instant time) {
        return time.toEpochMilli() / MILLIS;
    }

    static double seconds(Duration duration) {
        return duration.toMillis() / MILLIS;
    }
}
