// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.wire;

import com.fasterxml.jackson.core.JsonGenerator;
import io.gpuagent.control.Answer;
import io.gpuagent.control.Outcome;
import io.gpuagent.control.RefusalCode;
import io.gpuagent.host.DeviceHolder;
import io.gpuagent.host.GpuEnvironment;
import io.gpuagent.host.ProcessIdentity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** An answer as the only member of a message: {@code done}, with what came of it, or {@code refused}. */
final class AnswerJson {
    private AnswerJson() {}

    static void write(JsonGenerator json, Answer answer) throws IOException {
        switch (answer) {
            case Answer.Refused refused -> {
                json.writeObjectFieldStart("refused");
                json.writeStringField("code", refused.code().label());
                json.writeStringField("sentence", refused.sentence());
                json.writeEndObject();
            }
            case Answer.Done done -> {
                json.writeObjectFieldStart("done");
                outcome(json, done.outcome());
                json.writeEndObject();
            }
        }
    }

    private static void outcome(JsonGenerator json, Outcome outcome) throws IOException {
        switch (outcome) {
            case Outcome.Changed changed -> {
                json.writeStringField("before", changed.before());
                json.writeStringField("after", changed.after());
                json.writeArrayFieldStart("lines");
                for (String line : changed.lines()) {
                    json.writeString(line);
                }
                json.writeEndArray();
            }
            case Outcome.Mig(var state) -> MigStateJson.write(json, state);
            case Outcome.Environments environments -> {
                json.writeArrayFieldStart("environments");
                for (GpuEnvironment environment : environments.processes()) {
                    json.writeStartObject();
                    process(json, environment.process());
                    json.writeObjectFieldStart("variables");
                    for (Map.Entry<String, String> variable :
                            environment.variables().entrySet()) {
                        json.writeStringField(variable.getKey(), variable.getValue());
                    }
                    json.writeEndObject();
                    json.writeEndObject();
                }
                json.writeEndArray();
            }
            case Outcome.Holders holders -> {
                json.writeArrayFieldStart("holders");
                for (DeviceHolder holder : holders.holders()) {
                    json.writeStartObject();
                    process(json, holder.process());
                    json.writeNumberField("uid", Integer.toUnsignedLong(holder.uid()));
                    json.writeStringField("name", holder.name());
                    json.writeArrayFieldStart("nodes");
                    for (String node : holder.nodes()) {
                        json.writeString(node);
                    }
                    json.writeEndArray();
                    json.writeEndObject();
                }
                json.writeEndArray();
            }
        }
    }

    private static void process(JsonGenerator json, ProcessIdentity process) throws IOException {
        json.writeNumberField("pid", process.pid());
        json.writeNumberField("start_ticks", process.startTicks());
    }

    static Answer read(Fields message) throws WireException {
        if (message.has("refused")) {
            Fields refused = message.object("refused");
            String label = refused.text("code");
            RefusalCode code = Stream.of(RefusalCode.values())
                    .filter(each -> each.label().equals(label))
                    .findFirst()
                    .orElseThrow(() -> new WireException("the answer has an unknown code"));
            Answer answer = new Answer.Refused(code, refused.text("sentence"));
            refused.end();
            return answer;
        }
        Fields done = message.object("done");
        Outcome outcome = outcome(done);
        done.end();
        return new Answer.Done(outcome);
    }

    private static Outcome outcome(Fields done) throws WireException {
        if (done.has("mig_enabled")) {
            return new Outcome.Mig(MigStateJson.read(done));
        }
        if (done.has("environments")) {
            List<GpuEnvironment> environments = new ArrayList<>();
            for (Fields environment : done.objects("environments")) {
                environments.add(new GpuEnvironment(process(environment), environment.textMap("variables")));
                environment.end();
            }
            return new Outcome.Environments(environments);
        }
        if (done.has("holders")) {
            List<DeviceHolder> holders = new ArrayList<>();
            for (Fields holder : done.objects("holders")) {
                holders.add(new DeviceHolder(
                        process(holder), (int) holder.number("uid"), holder.text("name"), holder.texts("nodes")));
                holder.end();
            }
            return new Outcome.Holders(holders);
        }
        return new Outcome.Changed(done.text("before"), done.text("after"), done.texts("lines"));
    }

    private static ProcessIdentity process(Fields fields) throws WireException {
        return new ProcessIdentity(fields.number("pid"), fields.number("start_ticks"));
    }
}
