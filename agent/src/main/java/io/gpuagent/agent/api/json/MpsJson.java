// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.api.json;

import io.gpuagent.agent.api.json.JsonValue.JsonNumber;
import io.gpuagent.agent.api.json.JsonValue.JsonObject;
import io.gpuagent.agent.api.json.JsonValue.JsonText;
import io.gpuagent.model.ClientPriority;
import io.gpuagent.model.GpuIdentity;
import io.gpuagent.model.PinnedMemoryLimit;
import io.gpuagent.model.Share;
import io.gpuagent.model.mps.ForeignMpsDaemon;
import io.gpuagent.model.mps.MpsBypass;
import io.gpuagent.model.mps.MpsClientView;
import io.gpuagent.model.mps.MpsCounters;
import io.gpuagent.model.mps.MpsDaemonView;
import io.gpuagent.model.mps.MpsDeviceLoad;
import io.gpuagent.model.mps.MpsNodeView;
import io.gpuagent.model.mps.MpsPendingView;
import io.gpuagent.model.mps.MpsReason;
import io.gpuagent.model.mps.MpsServerView;
import io.gpuagent.model.mps.ProcessOwnerView;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Writes MPS as {@code /v1/mps/daemons} and {@code gpu-agent mps list --json} give it; {@code docs/api/mps.md} describes
 * the shapes.
 */
public final class MpsJson {
    /** The shapes' version; it changes when a reader of the old ones would go wrong. */
    public static final int VERSION = 1;

    private final List<GpuIdentity> gpus;

    /**
     * A writer.
     *
     * @param gpus the GPUs of the node, whose indexes stand beside their UUIDs
     */
    public MpsJson(List<GpuIdentity> gpus) {
        this.gpus = List.copyOf(gpus);
    }

    /**
     * All of MPS.
     *
     * @param mps the view
     * @return the document
     */
    public JsonObject node(MpsNodeView mps) {
        return new JsonMembers()
                .put("version", VERSION)
                .put("generation", mps.generation())
                .put("taken_at", mps.takenAt())
                .list("daemons", mps.daemons(), this::daemonMembers)
                .list("foreign", mps.foreign(), MpsJson::foreign)
                .list("bypasses", mps.bypasses(), this::bypass)
                .list("loads", mps.loads(), this::load)
                .list("reasons", mps.reasons(), MpsJson::reason)
                .list("limits", mps.limits(), JsonText::new)
                .object();
    }

    /**
     * One daemon.
     *
     * @param daemon the daemon
     * @return the document
     */
    public JsonObject daemon(MpsDaemonView daemon) {
        JsonMembers document = new JsonMembers().put("version", VERSION);
        daemonMembers(daemon).members().forEach(document::put);
        return document.object();
    }

    /**
     * The clients of one daemon.
     *
     * @param daemon the daemon
     * @return the document
     */
    public JsonObject clients(MpsDaemonView daemon) {
        return new JsonMembers()
                .put("version", VERSION)
                .put("daemon", daemon.id())
                .list("clients", daemon.clients(), MpsJson::client)
                .object();
    }

    private JsonObject daemonMembers(MpsDaemonView daemon) {
        JsonMembers members = new JsonMembers()
                .put("id", daemon.id())
                .list("devices", daemon.devices(), this::device)
                .put("state", daemon.state().label())
                .text("detail", daemon.detail())
                .number("pid", daemon.pid())
                .time("started_at", daemon.startedAt())
                .put("pipe", text(daemon.pipe()))
                .put("log", text(daemon.log()))
                .put("uid", daemon.uid())
                .put("multi_user", daemon.multiUser())
                .put("exclusive_process", daemon.exclusiveProcess())
                .put("wanted", share(daemon.wanted()));
        daemon.inForce().ifPresent(share -> members.put("in_force", share(share)));
        return members.time("in_force_at", daemon.inForceAt())
                .put("client_slots", daemon.clientSlots())
                .put("clients_on_old_limits", daemon.clientsOnOldLimits())
                .list("servers", daemon.servers(), MpsJson::server)
                .list("clients", daemon.clients(), MpsJson::client)
                .list("pending", daemon.pending(), MpsJson::pending)
                .put("counters", counters(daemon.counters()))
                .list("reasons", daemon.reasons(), MpsJson::reason)
                .object();
    }

    private JsonObject device(String uuid) {
        return deviceMembers(uuid, "uuid").object();
    }

    private JsonMembers deviceMembers(String uuid, String name) {
        JsonMembers members = new JsonMembers().put(name, uuid);
        return members.number(
                "gpu",
                gpus.stream()
                        .filter(gpu -> gpu.uuid().equals(uuid))
                        .mapToInt(GpuIdentity::index)
                        .findFirst());
    }

    /** A part that is absent is the driver's default: all threads, no limit of memory, normal priority. */
    static JsonObject share(Share share) {
        return new JsonMembers()
                .number(
                        "threads_percent",
                        share.threads()
                                .map(threads -> OptionalDouble.of(threads.tenths() / 10.0))
                                .orElse(OptionalDouble.empty()))
                .number(
                        "memory_bytes",
                        share.memory()
                                .map(PinnedMemoryLimit::bytes)
                                .map(OptionalLong::of)
                                .orElse(OptionalLong.empty()))
                .text("priority", share.priority().map(ClientPriority::label))
                .object();
    }

    private static JsonObject server(MpsServerView server) {
        JsonMembers members = new JsonMembers()
                .put("pid", server.pid())
                .number("uid", server.uid())
                .put("state", server.state());
        server.share().ifPresent(share -> members.put("share", share(share)));
        return members.time("started_at", server.startedAt()).object();
    }

    static JsonObject client(MpsClientView client) {
        JsonMembers members = new JsonMembers()
                .put("pid", client.pid())
                .text("name", client.name())
                .number("uid", client.uid());
        owner(members, client.owner())
                .put("server", client.server())
                .put("contexts", client.contexts())
                .number("memory_bytes", client.memoryBytes())
                .time("connected_at", client.connectedAt());
        client.serverShare().ifPresent(share -> members.put("server_share", share(share)));
        client.ownShare().ifPresent(share -> members.put("own_share", share(share)));
        client.onOldLimits().ifPresent(old -> members.put("on_old_limits", old));
        return members.number("multiprocessors", client.multiprocessors())
                .text("escape", client.escape())
                .object();
    }

    private static JsonMembers owner(JsonMembers members, ProcessOwnerView owner) {
        return members.text("unit", owner.unit())
                .text("container", owner.container())
                .text("pod", owner.pod());
    }

    private static JsonObject pending(MpsPendingView pending) {
        return new JsonMembers()
                .put("uid", pending.uid())
                .put("pid", pending.pid())
                .put("since", pending.since())
                .object();
    }

    private static JsonObject counters(MpsCounters counters) {
        return new JsonMembers()
                .put("restarts", counters.restarts())
                .put("server_starts", counters.serverStarts())
                .put("server_failures", counters.serverFailures())
                .put("faults", counters.faults())
                .put("terminated_clients", counters.terminatedClients())
                .put("commands", counters.commands())
                .put("command_timeouts", counters.commandTimeouts())
                .object();
    }

    private static JsonObject reason(MpsReason reason) {
        return new JsonMembers()
                .put("code", reason.code())
                .put("sentence", reason.sentence())
                .object();
    }

    private static JsonObject foreign(ForeignMpsDaemon daemon) {
        return new JsonMembers()
                .put("pid", daemon.pid())
                .number("uid", daemon.uid())
                .text("pipe", daemon.pipe().map(MpsJson::text))
                .list("devices", daemon.devices(), JsonText::new)
                .list("servers", daemon.servers(), pid -> new JsonNumber(Long.toString(pid)))
                .object();
    }

    private JsonObject bypass(MpsBypass bypass) {
        JsonMembers members = deviceMembers(bypass.device(), "device")
                .put("pid", bypass.pid())
                .text("name", bypass.name());
        return owner(members, bypass.owner())
                .number("memory_bytes", bypass.memoryBytes())
                .text("reason", bypass.reason())
                .object();
    }

    private JsonObject load(MpsDeviceLoad load) {
        return deviceMembers(load.device(), "device")
                .number("multiprocessor_ratio", load.multiprocessorRatio())
                .number("memory_ratio", load.memoryRatio())
                .object();
    }

    private static String text(Path path) {
        return path.toString();
    }
}
