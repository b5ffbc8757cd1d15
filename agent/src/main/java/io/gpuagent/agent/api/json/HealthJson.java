// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.api.json;

import io.gpuagent.agent.api.json.JsonValue.JsonObject;
import io.gpuagent.agent.api.json.JsonValue.JsonText;
import io.gpuagent.model.GpuIdentity;
import io.gpuagent.model.health.Acknowledgement;
import io.gpuagent.model.health.AffectedProcess;
import io.gpuagent.model.health.HealthEvent;
import io.gpuagent.model.health.HealthReason;
import io.gpuagent.model.health.HealthScope;
import io.gpuagent.model.health.HealthSource;
import io.gpuagent.model.health.Incident;
import io.gpuagent.model.health.NodeHealth;
import io.gpuagent.model.health.SourceStatus;
import io.gpuagent.model.health.Verdict;
import io.gpuagent.model.health.XidCount;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Writes verdicts, incidents and events as {@code /v1/health}, {@code /v1/incidents} and {@code /v1/events} give them;
 * {@code docs/api/health.md} describes the shapes.
 */
public final class HealthJson {
    /** The shapes' version; it changes when a reader of the old ones would go wrong. */
    public static final int VERSION = 1;

    private final List<GpuIdentity> gpus;

    /**
     * A writer.
     *
     * @param gpus the GPUs of the node, whose indexes stand beside their UUIDs
     */
    public HealthJson(List<GpuIdentity> gpus) {
        this.gpus = List.copyOf(gpus);
    }

    /**
     * Verdicts and sources.
     *
     * @param health the node's health
     * @return the document
     */
    public JsonObject node(NodeHealth health) {
        return new JsonMembers()
                .put("version", VERSION)
                .put("taken_at", health.takenAt())
                .put("state", health.state().label())
                .put("action", health.action().label())
                .put("catalogue", health.catalogue())
                .list("gpus", health.gpus(), this::verdict)
                .list("reasons", health.reasons(), this::reason)
                .list("sources", health.sources(), HealthJson::source)
                .object();
    }

    /**
     * Incidents.
     *
     * @param incidents the incidents, the newest first
     * @return the document
     */
    public JsonObject incidents(List<Incident> incidents) {
        return new JsonMembers()
                .put("version", VERSION)
                .list("incidents", incidents, this::incident)
                .object();
    }

    /**
     * Events.
     *
     * @param events the events, the oldest first
     * @param last the number of the last event there is; to ask for what comes behind it
     * @return the document
     */
    public JsonObject events(List<HealthEvent> events, long last) {
        return new JsonMembers()
                .put("version", VERSION)
                .list("events", events, this::event)
                .put("last", last)
                .object();
    }

    /**
     * One event.
     *
     * @param event the event
     * @return the document
     */
    public JsonObject event(HealthEvent event) {
        return gpu(new JsonMembers().put("number", event.number()).put("at", event.at()), event.gpu())
                .put("kind", event.kind().label())
                .put("incident", event.incident())
                .put("code", event.code())
                .put("state", event.state().label())
                .put("text", event.text())
                .object();
    }

    private JsonMembers gpu(JsonMembers members, String uuid) {
        if (!uuid.isEmpty()) {
            gpus.stream()
                    .filter(gpu -> gpu.uuid().equals(uuid))
                    .findFirst()
                    .ifPresent(gpu -> members.put("gpu", gpu.index()));
            members.put("uuid", uuid);
        }
        return members;
    }

    private JsonObject verdict(Verdict verdict) {
        return gpu(new JsonMembers(), verdict.gpu())
                .text("bus_id", verdict.busId())
                .put("state", verdict.state().label())
                .put("action", verdict.action().label())
                .put("schedulable", verdict.isSchedulable())
                .list("reasons", verdict.reasons(), this::reason)
                .list("xids", verdict.xids(), HealthJson::xid)
                .object();
    }

    private JsonObject reason(HealthReason reason) {
        JsonMembers members = new JsonMembers()
                .put("code", reason.code())
                .put("sentence", reason.sentence())
                .put("state", reason.state().label())
                .put("action", reason.action().label())
                .put("clears_on", reason.clearsOn().label())
                .put("clears_when", reason.clearsOn().sentence());
        scope(members, reason.scope());
        if (!reason.incident().isEmpty()) {
            members.put("incident", reason.incident());
        }
        return acknowledged(sources(members, reason.sources()), reason.acknowledged())
                .put("since", reason.since())
                .put("last_seen", reason.lastSeen())
                .put("count", reason.count())
                .put("at_least", reason.isAtLeast())
                .object();
    }

    private JsonMembers scope(JsonMembers members, HealthScope scope) {
        return gpu(members, scope.gpu().orElse(""))
                .number("gpu_instance_id", scope.gpuInstance())
                .number("compute_instance_id", scope.computeInstance());
    }

    private JsonObject incident(Incident incident) {
        JsonMembers members = new JsonMembers()
                .put("id", incident.id())
                .put("code", incident.code())
                .put("open", incident.isOpen());
        scope(members, incident.scope())
                .put("state", incident.state().label())
                .put("action", incident.action().label())
                .put("clears_on", incident.clearsOn().label())
                .put("clears_when", incident.clearsOn().sentence())
                .put("text", incident.text())
                .put("first", incident.first())
                .put("last", incident.last())
                .put("count", incident.count())
                .put("at_least", incident.isAtLeast());
        return acknowledged(sources(members, incident.sources()), incident.acknowledged())
                .list("processes", incident.processes(), HealthJson::process)
                .text("mps", incident.mps())
                .list("related", incident.related(), JsonText::new)
                .time("cleared_at", incident.clearedAt())
                .text("cleared_by", incident.clearedBy())
                .object();
    }

    private static JsonMembers sources(JsonMembers members, Set<HealthSource> sources) {
        return members.list(
                "sources", sources.stream().map(HealthSource::label).sorted().toList(), JsonText::new);
    }

    private static JsonMembers acknowledged(JsonMembers members, Optional<Acknowledgement> by) {
        by.ifPresent(who -> members.put(
                "acknowledged",
                new JsonMembers()
                        .put("who", who.who())
                        .put("at", who.at())
                        .put("why", who.why())
                        .object()));
        return members;
    }

    private static JsonObject process(AffectedProcess process) {
        return new JsonMembers()
                .put("pid", process.pid())
                .text("name", process.name())
                .object();
    }

    private static JsonObject xid(XidCount xid) {
        return new JsonMembers()
                .put("xid", xid.xid())
                .put("count", xid.count())
                .put("at_least", xid.isAtLeast())
                .put("last", xid.last())
                .object();
    }

    private static JsonObject source(SourceStatus source) {
        JsonMembers members = new JsonMembers()
                .put("name", source.name())
                .put("state", source.state().label());
        if (!source.detail().isEmpty()) {
            members.put("detail", source.detail());
        }
        return members.put("received", source.received())
                .put("lost", source.lost())
                .put("refused", source.refused())
                .object();
    }
}
