// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.wire;

import com.fasterxml.jackson.core.JsonGenerator;
import io.gpuagent.control.LastUse;
import io.gpuagent.control.MigRequest;
import io.gpuagent.mig.plan.ComputeRequest;
import io.gpuagent.mig.plan.InstanceRequest;
import io.gpuagent.mig.plan.PinRules;
import io.gpuagent.mig.plan.PlanId;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The arguments of requests about MIG. */
final class MigRequestJson {
    private MigRequestJson() {}

    static void write(JsonGenerator json, MigRequest request) throws IOException {
        json.writeStringField("gpu", request.gpu());
        switch (request) {
            case MigRequest.Read read -> lastUses(json, read.lastUses());
            case MigRequest.Apply apply -> {
                json.writeStringField("plan", apply.plan().text());
                json.writeArrayFieldStart("wanted");
                for (InstanceRequest wanted : apply.wanted()) {
                    wanted(json, wanted);
                }
                json.writeEndArray();
                rules(json, apply.rules());
                lastUses(json, apply.lastUses());
            }
            case MigRequest.Rollback rollback -> {
                json.writeStringField("plan", rollback.plan().text());
                rules(json, rollback.rules());
                lastUses(json, rollback.lastUses());
            }
            case MigRequest.Mode mode -> {
                json.writeBooleanField("enabled", mode.enabled());
                json.writeBooleanField("leave_pending", mode.leavePending());
            }
            case MigRequest.Adopt adopt -> json.writeNumberField("gpu_instance", adopt.gpuInstance());
            case MigRequest.Repair repair -> {
                json.writeNumberField("gpu_instance", repair.gpuInstance());
                json.writeStringField("how", RequestJson.label(repair.how()));
            }
            case MigRequest.Recover _, MigRequest.Restore _, MigRequest.Abandon _ -> {}
        }
    }

    private static void wanted(JsonGenerator json, InstanceRequest wanted) throws IOException {
        json.writeStartObject();
        json.writeStringField("profile", wanted.profile());
        json.writeNumberField("count", wanted.count());
        if (wanted.start().isPresent()) {
            json.writeNumberField("start", wanted.start().getAsInt());
        }
        if (wanted.computes().isPresent()) {
            json.writeArrayFieldStart("compute");
            for (ComputeRequest compute : wanted.computes().get()) {
                json.writeStartObject();
                json.writeStringField("profile", compute.profile());
                if (compute.start().isPresent()) {
                    json.writeNumberField("start", compute.start().getAsInt());
                }
                json.writeEndObject();
            }
            json.writeEndArray();
        }
        json.writeEndObject();
    }

    private static void rules(JsonGenerator json, PinRules rules) throws IOException {
        json.writeObjectFieldStart("rules");
        json.writeBooleanField("include_reserved", rules.includeReserved());
        json.writeBooleanField("include_unknown", rules.includeUnknown());
        json.writeNumberField("idle_grace_seconds", rules.idleGrace().toSeconds());
        json.writeArrayFieldStart("keep");
        for (int id : new TreeSet<>(rules.keep())) {
            json.writeNumber(id);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void lastUses(JsonGenerator json, List<LastUse> uses) throws IOException {
        json.writeArrayFieldStart("last_uses");
        for (LastUse use : uses) {
            json.writeStartObject();
            json.writeNumberField("gpu_instance", use.gpuInstance());
            if (use.computeInstance().isPresent()) {
                json.writeNumberField("compute_instance", use.computeInstance().getAsInt());
            }
            json.writeNumberField("ago_seconds", use.ago().toSeconds());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** Whether a verb is one of these. */
    static boolean has(String verb) {
        return verb.startsWith("mig-");
    }

    static MigRequest read(String verb, Fields fields) throws WireException {
        String gpu = fields.text("gpu");
        return switch (verb) {
            case "mig-read" -> new MigRequest.Read(gpu, lastUses(fields));
            case "mig-apply" ->
                new MigRequest.Apply(
                        gpu, PlanId.parse(fields.text("plan")), wanted(fields), rules(fields), lastUses(fields));
            case "mig-rollback" ->
                new MigRequest.Rollback(gpu, PlanId.parse(fields.text("plan")), rules(fields), lastUses(fields));
            case "mig-mode" -> new MigRequest.Mode(gpu, fields.truth("enabled"), fields.truth("leave_pending"));
            case "mig-adopt" -> new MigRequest.Adopt(gpu, fields.small("gpu_instance"));
            case "mig-repair" ->
                new MigRequest.Repair(
                        gpu,
                        fields.small("gpu_instance"),
                        RequestJson.one(fields, "how", MigRequest.Repair.How.values()));
            case "mig-recover" -> new MigRequest.Recover(gpu);
            case "mig-restore" -> new MigRequest.Restore(gpu);
            case "mig-abandon" -> new MigRequest.Abandon(gpu);
            default -> throw RequestJson.unknown();
        };
    }

    private static List<InstanceRequest> wanted(Fields fields) throws WireException {
        List<InstanceRequest> wanted = new ArrayList<>();
        for (Fields each : fields.objects("wanted")) {
            Optional<List<ComputeRequest>> computes = Optional.empty();
            if (each.has("compute")) {
                List<ComputeRequest> parts = new ArrayList<>();
                for (Fields part : each.objects("compute")) {
                    parts.add(new ComputeRequest(part.text("profile"), part.optionalSmall("start")));
                    part.end();
                }
                computes = Optional.of(parts);
            }
            wanted.add(new InstanceRequest(
                    each.text("profile"), each.small("count"), each.optionalSmall("start"), computes));
            each.end();
        }
        return wanted;
    }

    private static PinRules rules(Fields fields) throws WireException {
        Fields rules = fields.object("rules");
        Set<Integer> keep = new HashSet<>();
        for (long id : rules.numbers("keep")) {
            keep.add(Fields.small("keep", id));
        }
        PinRules read = new PinRules(
                rules.truth("include_reserved"),
                rules.truth("include_unknown"),
                Duration.ofSeconds(rules.number("idle_grace_seconds")),
                keep);
        rules.end();
        return read;
    }

    private static List<LastUse> lastUses(Fields fields) throws WireException {
        List<LastUse> uses = new ArrayList<>();
        for (Fields use : fields.objects("last_uses")) {
            uses.add(new LastUse(
                    use.small("gpu_instance"),
                    use.optionalSmall("compute_instance"),
                    Duration.ofSeconds(use.number("ago_seconds"))));
            use.end();
        }
        return uses;
    }
}
