// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.wire;

import com.fasterxml.jackson.core.JsonGenerator;
import io.gpuagent.mig.ComputeInstance;
import io.gpuagent.mig.ComputeProfile;
import io.gpuagent.mig.Engines;
import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.GpuProfile;
import io.gpuagent.mig.MigCard;
import io.gpuagent.mig.MigGpu;
import io.gpuagent.mig.Ownership;
import io.gpuagent.mig.Placement;
import io.gpuagent.mig.apply.History;
import io.gpuagent.mig.apply.MigState;
import io.gpuagent.mig.apply.SavedLayout;
import io.gpuagent.mig.read.MigDeviceFacts;
import io.gpuagent.mig.read.MigFacts;
import io.gpuagent.model.GpuIdentity;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The MIG layout of a GPU: whole, so that a plan made from what is read is the one made from what was written. */
final class MigStateJson {
    private MigStateJson() {}

    static void write(JsonGenerator json, MigState state) throws IOException {
        MigFacts facts = state.facts();
        MigGpu gpu = facts.gpu();
        json.writeBooleanField("mig_enabled", facts.enabled());
        json.writeBooleanField("mig_pending", facts.pending());
        json.writeBooleanField("saw_stale_devices", facts.sawStaleDevices());
        json.writeNumberField("index", gpu.identity().index());
        json.writeStringField("uuid", gpu.identity().uuid());
        json.writeStringField("model", gpu.model());
        optional(json, "unfinished", state.unfinished());
        optional(json, "ownership", state.ownership());
        json.writeArrayFieldStart("profiles");
        for (GpuProfile profile : gpu.card().profiles()) {
            profile(json, profile);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("instances");
        for (GpuInstance instance : gpu.instances()) {
            instance(json, instance);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("devices");
        for (MigDeviceFacts device : facts.devices()) {
            json.writeStartObject();
            json.writeNumberField("gpu_instance", device.gpuInstance());
            json.writeNumberField("compute_instance", device.computeInstance());
            json.writeStringField("uuid", device.uuid());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("history");
        for (History.Entry entry : state.history()) {
            json.writeStartObject();
            json.writeNumberField("id", entry.id());
            json.writeStringField("at", entry.at().toString());
            json.writeStringField("before", entry.before().text());
            json.writeStringField("after", entry.after().text());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    static void optional(JsonGenerator json, String name, Optional<String> text) throws IOException {
        if (text.isPresent()) {
            json.writeStringField(name, text.get());
        }
    }

    private static void profile(JsonGenerator json, GpuProfile profile) throws IOException {
        json.writeStartObject();
        json.writeNumberField("id", profile.id());
        json.writeStringField("name", profile.name());
        json.writeNumberField("slices", profile.slices());
        json.writeNumberField("most", profile.most());
        json.writeNumberField("multiprocessors", profile.multiprocessors());
        Engines engines = profile.engines();
        json.writeFieldName("engines");
        json.writeArray(
                new int[] {engines.copy(), engines.decoder(), engines.encoder(), engines.jpeg(), engines.opticalFlow()},
                0,
                ENGINES);
        json.writeNumberField("memory_mebibytes", profile.memoryMebibytes());
        placements(json, profile.placements());
        json.writeArrayFieldStart("computes");
        for (ComputeProfile compute : profile.computes()) {
            json.writeStartObject();
            json.writeNumberField("id", compute.id());
            json.writeStringField("name", compute.name());
            json.writeNumberField("slices", compute.slices());
            json.writeNumberField("multiprocessors", compute.multiprocessors());
            placements(json, compute.placements());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static final int ENGINES = 5;

    private static void placements(JsonGenerator json, List<Placement> placements) throws IOException {
        json.writeArrayFieldStart("placements");
        for (Placement placement : placements) {
            json.writeStartObject();
            placement(json, placement);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void placement(JsonGenerator json, Placement placement) throws IOException {
        json.writeNumberField("start", placement.start());
        json.writeNumberField("size", placement.size());
    }

    private static void instance(JsonGenerator json, GpuInstance instance) throws IOException {
        json.writeStartObject();
        json.writeNumberField("id", instance.id());
        json.writeNumberField("profile", instance.profile().id());
        placement(json, instance.placement());
        json.writeBooleanField("own", instance.ownership() == Ownership.OWN);
        json.writeArrayFieldStart("computes");
        for (ComputeInstance compute : instance.computes()) {
            json.writeStartObject();
            json.writeNumberField("id", compute.id());
            json.writeNumberField("profile", compute.profileId());
            json.writeStringField("name", compute.name());
            json.writeNumberField("slices", compute.slices());
            if (compute.placement().isPresent()) {
                placement(json, compute.placement().get());
            }
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("claims");
        for (io.gpuagent.mig.Claim claim : instance.claims()) {
            ClaimJson.write(json, claim);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    static MigState read(Fields fields) throws WireException {
        try {
            boolean enabled = fields.truth("mig_enabled");
            boolean pending = fields.truth("mig_pending");
            boolean sawStale = fields.truth("saw_stale_devices");
            GpuIdentity identity = new GpuIdentity(fields.small("index"), fields.text("uuid"));
            String model = fields.text("model");
            Optional<String> unfinished = fields.optionalText("unfinished");
            Optional<String> ownership = fields.optionalText("ownership");
            MigCard card = new MigCard(profiles(fields));
            MigGpu gpu = new MigGpu(identity, model, card, instances(fields, card));
            return new MigState(
                    new MigFacts(enabled, pending, gpu, devices(fields), sawStale),
                    unfinished,
                    ownership,
                    history(fields));
        } catch (IllegalArgumentException e) {
            throw new WireException("the answer tells of a MIG layout that cannot be: " + e.getMessage(), e);
        }
    }

    private static List<GpuProfile> profiles(Fields fields) throws WireException {
        List<GpuProfile> profiles = new ArrayList<>();
        for (Fields each : fields.objects("profiles")) {
            List<Long> engines = each.numbers("engines");
            if (engines.size() != ENGINES) {
                throw new WireException("a MIG profile has numbers of " + ENGINES + " kinds of engines");
            }
            List<Placement> placements = placements(each);
            List<ComputeProfile> computes = new ArrayList<>();
            for (Fields compute : each.objects("computes")) {
                computes.add(new ComputeProfile(
                        compute.small("id"),
                        compute.text("name"),
                        compute.small("slices"),
                        compute.small("multiprocessors"),
                        placements(compute)));
                compute.end();
            }
            profiles.add(new GpuProfile(
                    each.small("id"),
                    each.text("name"),
                    each.small("slices"),
                    each.small("most"),
                    each.small("multiprocessors"),
                    new Engines(
                            Fields.small("engines", engines.get(0)),
                            Fields.small("engines", engines.get(1)),
                            Fields.small("engines", engines.get(2)),
                            Fields.small("engines", engines.get(3)),
                            Fields.small("engines", engines.get(4))),
                    each.number("memory_mebibytes"),
                    placements,
                    computes));
            each.end();
        }
        return profiles;
    }

    private static List<Placement> placements(Fields fields) throws WireException {
        List<Placement> placements = new ArrayList<>();
        for (Fields each : fields.objects("placements")) {
            placements.add(placement(each));
            each.end();
        }
        return placements;
    }

    private static Placement placement(Fields fields) throws WireException {
        return new Placement(fields.small("start"), fields.small("size"));
    }

    private static List<GpuInstance> instances(Fields fields, MigCard card) throws WireException {
        List<GpuInstance> instances = new ArrayList<>();
        for (Fields each : fields.objects("instances")) {
            GpuProfile profile = card.byId(each.small("profile"))
                    .orElseThrow(() -> new WireException("a MIG instance has a profile that the card has not"));
            List<ComputeInstance> computes = new ArrayList<>();
            for (Fields compute : each.objects("computes")) {
                computes.add(new ComputeInstance(
                        compute.small("id"),
                        compute.small("profile"),
                        compute.text("name"),
                        compute.small("slices"),
                        compute.has("start") ? Optional.of(placement(compute)) : Optional.empty()));
                compute.end();
            }
            List<io.gpuagent.mig.Claim> claims = new ArrayList<>();
            for (Fields claim : each.objects("claims")) {
                claims.add(ClaimJson.read(claim));
            }
            instances.add(new GpuInstance(
                    each.small("id"),
                    profile,
                    placement(each),
                    computes,
                    each.truth("own") ? Ownership.OWN : Ownership.FOREIGN,
                    claims));
            each.end();
        }
        return instances;
    }

    private static List<MigDeviceFacts> devices(Fields fields) throws WireException {
        List<MigDeviceFacts> devices = new ArrayList<>();
        for (Fields each : fields.objects("devices")) {
            devices.add(
                    new MigDeviceFacts(each.small("gpu_instance"), each.small("compute_instance"), each.text("uuid")));
            each.end();
        }
        return devices;
    }

    private static List<History.Entry> history(Fields fields) throws WireException {
        List<History.Entry> history = new ArrayList<>();
        for (Fields each : fields.objects("history")) {
            try {
                history.add(new History.Entry(
                        each.number("id"),
                        Instant.parse(each.text("at")),
                        SavedLayout.parse(each.text("before")),
                        SavedLayout.parse(each.text("after"))));
            } catch (DateTimeException | IllegalArgumentException | IndexOutOfBoundsException e) {
                throw new WireException("the answer tells of a MIG change that cannot be read", e);
            }
            each.end();
        }
        return history;
    }
}
