// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.api.json;

import com.fasterxml.jackson.core.JsonGenerator;
import io.gpuagent.model.Reading;
import io.gpuagent.model.mig.MigComputeView;
import io.gpuagent.model.mig.MigDeviceErrors;
import io.gpuagent.model.mig.MigDeviceUse;
import io.gpuagent.model.mig.MigInstanceView;
import io.gpuagent.model.mig.MigPlace;
import io.gpuagent.model.mig.MigRoom;
import io.gpuagent.model.mig.MigView;
import java.io.IOException;

/** How the readings of MIG are written. */
final class MigJson {
    private MigJson() {}

    static void view(JsonGenerator json, MigView mig) throws IOException {
        json.writeBooleanField("enabled", mig.enabled());
        json.writeBooleanField("pending", mig.pending());
        json.writeNumberField("slices", mig.slices());
        json.writeArrayFieldStart("instances");
        for (MigInstanceView instance : mig.instances()) {
            instance(json, instance);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("room");
        for (MigRoom room : mig.room()) {
            json.writeStartObject();
            json.writeStringField("profile", room.profile());
            json.writeNumberField("profile_id", room.profileId());
            json.writeNumberField("count", room.count());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void instance(JsonGenerator json, MigInstanceView instance) throws IOException {
        json.writeStartObject();
        json.writeNumberField("id", instance.id());
        json.writeStringField("profile", instance.profile());
        json.writeNumberField("profile_id", instance.profileId());
        place(json, instance.place());
        json.writeNumberField("slices", instance.slices());
        json.writeNumberField("multiprocessors", instance.multiprocessors());
        json.writeNumberField("memory_bytes", instance.memoryBytes());
        json.writeBooleanField("incomplete", instance.isIncomplete());
        json.writeArrayFieldStart("compute_instances");
        for (MigComputeView compute : instance.computes()) {
            compute(json, compute);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void compute(JsonGenerator json, MigComputeView compute) throws IOException {
        json.writeStartObject();
        json.writeNumberField("id", compute.id());
        json.writeStringField("profile", compute.profile());
        json.writeNumberField("profile_id", compute.profileId());
        if (compute.place().isPresent()) {
            place(json, compute.place().get());
        }
        json.writeNumberField("slices", compute.slices());
        if (compute.multiprocessors().isPresent()) {
            json.writeNumberField("multiprocessors", compute.multiprocessors().getAsInt());
        }
        if (compute.device().isPresent()) {
            json.writeStringField("uuid", compute.device().get().uuid());
            json.writeNumberField("index", compute.device().get().index());
        }
        json.writeEndObject();
    }

    private static void place(JsonGenerator json, MigPlace place) throws IOException {
        json.writeNumberField("start", place.start());
        json.writeNumberField("size", place.size());
    }

    static void use(JsonGenerator json, MigDeviceUse use) throws IOException {
        device(json, use.gpuInstance(), use.computeInstance(), "memory", use.memory());
    }

    static void errors(JsonGenerator json, MigDeviceErrors errors) throws IOException {
        device(json, errors.gpuInstance(), errors.computeInstance(), "uncorrected_sram", errors.uncorrectedSram());
    }

    private static void device(JsonGenerator json, int instance, int compute, String name, Reading<?> reading)
            throws IOException {
        json.writeNumberField("gpu_instance", instance);
        json.writeNumberField("compute_instance", compute);
        json.writeObjectFieldStart(name);
        switch (reading) {
            case Reading.Present<?>(Object value, long _) -> {
                json.writeFieldName("value");
                ReadingJson.value(json, value);
            }
            case Reading.Absent<?> none -> ReadingJson.absent(json, none.why(), none.detail());
        }
        json.writeEndObject();
    }
}
