// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import static io.gpuagent.exporters.MetricFamily.Type.GAUGE;
import static io.gpuagent.exporters.MetricFamily.Type.INFO;

import io.gpuagent.exporters.MetricFamily.Group;
import io.gpuagent.model.GpuSnapshot;
import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.ProcessType;
import io.gpuagent.model.ReadingKeys;
import io.gpuagent.model.mps.MpsDaemonView;
import io.gpuagent.model.mps.MpsNodeView;
import io.gpuagent.model.mps.MpsReason;
import io.gpuagent.model.mps.MpsServerView;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** What is below an MPS daemon: its devices, servers and clients, and what goes past it. */
final class MpsPartFamilies {
    /** NVIDIA's words for a server, and one for any that is newer than this agent. */
    private static final List<String> SERVER_STATES = List.of("initializing", "active", "fault");

    private static final String OTHER = "other";

    static final List<MetricFamily> ALL = List.of(
            MpsLabels.builder(
                            "gpu_mps_device_info",
                            INFO,
                            "Which devices the daemon serves: gpu is the index of a whole GPU and empty for a MIG device")
                    .label("gpu")
                    .label("uuid")
                    .source("the agent's record of the daemon")
                    .fromMps((node, mps, samples) -> mps.daemons()
                            .forEach(daemon -> daemon.devices()
                                    .forEach(device -> samples.add(
                                            1, daemon.id(), MpsLabels.index(node.gpus(), device), device)))),
            MpsLabels.daemons(
                    MpsLabels.builder(
                                    "gpu_mps_server_info",
                                    INFO,
                                    "The user a server serves; empty where it is not known")
                            .label("server")
                            .label("uid")
                            .source("control.log"),
                    (daemon, samples) -> daemon.servers()
                            .forEach(server -> samples.add(1, daemon.id(), pid(server.pid()), number(server.uid())))),
            MpsLabels.daemons(
                    MpsLabels.builder(
                                    "gpu_mps_server_state",
                                    GAUGE,
                                    "1 for NVIDIA's word for the state the server is in, 0 for the others")
                            .label("server")
                            .label("state", "initializing", "active", "fault", OTHER)
                            .source("get_server_status, control.log")
                            .zeroToOne(),
                    MpsPartFamilies::serverStates),
            MpsLabels.daemons(
                    MpsLabels.builder(
                                    "gpu_mps_server_start_time_seconds",
                                    GAUGE,
                                    "When the server started, in seconds since 1970")
                            .label("server")
                            .source("/proc"),
                    (daemon, samples) -> daemon.servers()
                            .forEach(server -> server.startedAt()
                                    .ifPresent(start ->
                                            samples.add(MpsFamilies.seconds(start), daemon.id(), pid(server.pid()))))),
            MpsLabels.daemons(
                    MpsLabels.builder("gpu_mps_server_clients", GAUGE, "Clients of the server")
                            .label("server")
                            .source("control.log, NVML's list of MPS clients"),
                    (daemon, samples) -> daemon.servers()
                            .forEach(server ->
                                    samples.add((double) clients(daemon, server), daemon.id(), pid(server.pid())))),
            MpsLabels.daemons(
                    MpsLabels.builder(
                                    "gpu_mps_client_memory_bytes",
                                    GAUGE,
                                    "Device memory that the client holds, in bytes. How busy a client is cannot be told:"
                                            + " the driver counts all work of a server's clients as the server's")
                            .label("pid")
                            .source("nvmlDeviceGetMPSComputeRunningProcesses_v3"),
                    (daemon, samples) -> daemon.clients()
                            .forEach(client -> client.memoryBytes()
                                    .ifPresent(bytes -> samples.add((double) bytes, daemon.id(), pid(client.pid()))))),
            MpsLabels.daemons(
                    MpsLabels.builder(
                                    "gpu_mps_client_multiprocessors",
                                    GAUGE,
                                    "Multiprocessors that the client may use at most: the limit it came under, rounded"
                                            + " down to an even count")
                            .label("pid")
                            .source("the limit and the GPU's multiprocessors"),
                    (daemon, samples) -> daemon.clients()
                            .forEach(client -> client.multiprocessors()
                                    .ifPresent(count -> samples.add(count, daemon.id(), pid(client.pid()))))),
            device(
                            "gpu_mps_sm_oversubscription_ratio",
                            "The clients' multiprocessors over those of the device; limits are ceilings, so more than 1"
                                    + " is allowed and means that clients share")
                    .source("the clients' limits and the GPU's multiprocessors")
                    .fromMps((node, mps, samples) -> mps.loads()
                            .forEach(load -> load.multiprocessorRatio()
                                    .ifPresent(ratio -> samples.add(ratio, labels(node, mps, load.device()))))),
            device(
                            "gpu_mps_memory_commit_ratio",
                            "The clients' memory limits over the device's memory; absent where a client has none")
                    .source("the clients' limits and the GPU's memory")
                    .fromMps((node, mps, samples) -> mps.loads()
                            .forEach(load -> load.memoryRatio()
                                    .ifPresent(ratio -> samples.add(ratio, labels(node, mps, load.device()))))),
            device(
                            "gpu_mps_unmanaged_compute_processes",
                            "Processes that compute on the device past its daemon, and so without any limit; absent"
                                    + " where the processes cannot be listed")
                    .source("NVML's list of compute processes, without its MPS clients and the servers")
                    .fromMps((node, mps, samples) -> mps.loads()
                            .forEach(load -> bypassing(node, mps, load.device())
                                    .ifPresent(count -> samples.add(count, labels(node, mps, load.device()))))),
            MpsLabels.daemons(
                    MpsLabels.builder(
                                    "gpu_mps_reasons",
                                    GAUGE,
                                    "What somebody should know of the daemon, by its stable code; gpu-agent mps list says"
                                            + " it in a sentence")
                            .label("code")
                            .source("the agent"),
                    (daemon, samples) -> daemon.reasons().stream()
                            .map(MpsReason::code)
                            .distinct()
                            .forEach(code -> samples.add(
                                    (double) daemon.reasons().stream()
                                            .filter(reason -> reason.code().equals(code))
                                            .count(),
                                    daemon.id(),
                                    code))),
            FamilyBuilder.node(
                            "gpu_mps_foreign_daemons",
                            GAUGE,
                            Group.MPS,
                            "Control daemons that somebody else runs; they are shown and never touched")
                    .source("/proc")
                    .fromMps((node, mps, samples) ->
                            samples.add((double) mps.foreign().size())));

    private MpsPartFamilies() {}

    private static FamilyBuilder device(String name, String help) {
        return MpsLabels.builder(name, GAUGE, help).label("gpu").label("uuid");
    }

    private static String[] labels(NodeSnapshot node, MpsNodeView mps, String device) {
        return new String[] {MpsLabels.daemonOf(mps.daemons(), device), MpsLabels.index(node.gpus(), device), device};
    }

    private static void serverStates(MpsDaemonView daemon, MetricFamily.Samples samples) {
        for (MpsServerView server : daemon.servers()) {
            String word = server.state().toLowerCase(Locale.ROOT);
            String state = SERVER_STATES.contains(word) ? word : OTHER;
            for (String each : SERVER_STATES) {
                samples.add(each.equals(state) ? 1 : 0, daemon.id(), pid(server.pid()), each);
            }
            samples.add(state.equals(OTHER) ? 1 : 0, daemon.id(), pid(server.pid()), OTHER);
        }
    }

    private static long clients(MpsDaemonView daemon, MpsServerView server) {
        return daemon.clients().stream()
                .filter(client -> client.server() == server.pid())
                .count();
    }

    /** None seen is 0 only where all could be seen. */
    private static OptionalDouble bypassing(NodeSnapshot node, MpsNodeView mps, String device) {
        long seen = mps.bypasses().stream()
                .filter(bypass -> bypass.device().equals(device))
                .count();
        boolean listed = node.gpus().stream()
                .filter(gpu -> gpu.identity().uuid().equals(device))
                .anyMatch(MpsPartFamilies::listed);
        return seen > 0 || listed ? OptionalDouble.of((double) seen) : OptionalDouble.empty();
    }

    private static boolean listed(GpuSnapshot gpu) {
        return Stream.of(ProcessType.COMPUTE, ProcessType.MPS)
                .allMatch(type ->
                        gpu.readings().value(ReadingKeys.processes(type)).isPresent());
    }

    private static String pid(long pid) {
        return Long.toString(pid);
    }

    private static String number(OptionalLong number) {
        return number.isPresent() ? pid(number.getAsLong()) : "";
    }
}
