// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.wire;

import com.fasterxml.jackson.core.JsonGenerator;
import io.gpuagent.mig.Claim;
import io.gpuagent.mig.Holder;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** A reason why a MIG instance may be in use. */
final class ClaimJson {
    private ClaimJson() {}

    static void write(JsonGenerator json, Claim claim) throws IOException {
        json.writeStartObject();
        switch (claim) {
            case Claim.Runs runs -> {
                json.writeStringField("kind", "runs");
                holder(json, runs.holder());
            }
            case Claim.HoldsNode holds -> {
                json.writeStringField("kind", "holds-node");
                holder(json, holds.holder());
            }
            case Claim.NamesDevice names -> {
                json.writeStringField("kind", "names-device");
                holder(json, names.holder());
                json.writeStringField("variable", names.variable());
            }
            case Claim.InContainer in -> {
                json.writeStringField("kind", "in-container");
                holder(json, in.holder());
            }
            case Claim.RanLately lately -> {
                json.writeStringField("kind", "ran-lately");
                json.writeNumberField("ago_seconds", lately.ago().toSeconds());
            }
            case Claim.MpsDaemon daemon -> {
                json.writeStringField("kind", "mps-daemon");
                holder(json, daemon.holder());
                json.writeNumberField("clients", daemon.clients());
            }
            case Claim.NotVisible hidden -> {
                json.writeStringField("kind", "not-visible");
                json.writeStringField("why", hidden.why());
            }
        }
        if (claim.computeInstance().isPresent()) {
            json.writeNumberField("compute_instance", claim.computeInstance().getAsInt());
        }
        json.writeEndObject();
    }

    private static void holder(JsonGenerator json, Holder holder) throws IOException {
        if (holder.pid().isPresent()) {
            json.writeNumberField("pid", holder.pid().getAsLong());
        }
        json.writeStringField("name", holder.name());
        MigStateJson.optional(json, "unit", holder.unit());
        MigStateJson.optional(json, "container", holder.container());
    }

    static Claim read(Fields fields) throws WireException {
        OptionalInt compute = fields.optionalSmall("compute_instance");
        Claim claim = switch (fields.text("kind")) {
            case "runs" -> new Claim.Runs(holder(fields), compute);
            case "holds-node" -> new Claim.HoldsNode(holder(fields), compute);
            case "names-device" -> new Claim.NamesDevice(holder(fields), compute, fields.text("variable"));
            case "in-container" -> new Claim.InContainer(holder(fields), compute);
            case "ran-lately" -> new Claim.RanLately(Duration.ofSeconds(fields.number("ago_seconds")), compute);
            case "mps-daemon" -> new Claim.MpsDaemon(holder(fields), compute, fields.small("clients"));
            case "not-visible" -> new Claim.NotVisible(fields.text("why"));
            default -> throw new WireException("the answer tells of an unknown kind of use of a MIG instance");
        };
        fields.end();
        return claim;
    }

    private static Holder holder(Fields fields) throws WireException {
        OptionalLong pid = fields.has("pid") ? OptionalLong.of(fields.number("pid")) : OptionalLong.empty();
        Optional<String> unit = fields.optionalText("unit");
        return new Holder(pid, fields.text("name"), unit, fields.optionalText("container"));
    }
}
