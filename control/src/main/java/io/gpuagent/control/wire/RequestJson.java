// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.wire;

import com.fasterxml.jackson.core.JsonGenerator;
import io.gpuagent.control.MigRequest;
import io.gpuagent.control.Request;
import io.gpuagent.control.Request.ListHolders;
import io.gpuagent.control.Request.MpsCallOffDrain;
import io.gpuagent.control.Request.MpsResume;
import io.gpuagent.control.Request.MpsSet;
import io.gpuagent.control.Request.MpsStart;
import io.gpuagent.control.Request.MpsStop;
import io.gpuagent.control.Request.MpsTerminateClient;
import io.gpuagent.control.Request.ReadEnvironments;
import io.gpuagent.control.Request.SetComputeMode;
import io.gpuagent.model.ClientPriority;
import io.gpuagent.model.PinnedMemoryLimit;
import io.gpuagent.model.Share;
import io.gpuagent.model.ThreadPercentage;
import io.gpuagent.mps.supervise.ComputeModes;
import io.gpuagent.mps.supervise.DaemonWish;
import io.gpuagent.mps.supervise.StopMode;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** A request as a JSON object: its verb and its arguments by their names. */
public final class RequestJson {
    private RequestJson() {}

    /**
     * Writes a request as an object.
     *
     * @param request the request
     * @return JSON without line ends
     */
    public static String text(Request request) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = Fields.JSON.createGenerator(text)) {
            write(json, request);
        } catch (IOException e) {
            throw new AssertionError("a string cannot be written to", e);
        }
        return text.toString();
    }

    static void write(JsonGenerator json, Request request) throws IOException {
        json.writeStartObject();
        json.writeStringField("verb", request.verb());
        switch (request) {
            case MpsStart(var wish) -> {
                json.writeStringField("id", wish.id());
                strings(json, "devices", wish.devices());
                share(json, wish.share());
                json.writeBooleanField("multi_user", wish.multiUser());
                json.writeBooleanField("exclusive_process", wish.exclusiveProcess());
            }
            case MpsStop stop -> {
                json.writeStringField("id", stop.id());
                json.writeStringField("mode", label(stop.mode()));
                json.writeNumberField("grace_seconds", stop.grace().toSeconds());
            }
            case MpsSet set -> {
                json.writeStringField("id", set.id());
                share(json, set.share());
            }
            case MpsTerminateClient terminate -> {
                json.writeStringField("id", terminate.id());
                json.writeNumberField("pid", terminate.pid());
            }
            case MpsResume resume -> json.writeStringField("id", resume.id());
            case MpsCallOffDrain drain -> json.writeStringField("id", drain.id());
            case ReadEnvironments read -> {
                json.writeArrayFieldStart("pids");
                for (long pid : read.pids()) {
                    json.writeNumber(pid);
                }
                json.writeEndArray();
            }
            case ListHolders list -> strings(json, "nodes", list.nodes());
            case SetComputeMode set -> {
                json.writeStringField("gpu", set.gpu());
                json.writeStringField("mode", label(set.mode()));
            }
            case MigRequest mig -> MigRequestJson.write(json, mig);
        }
        json.writeEndObject();
    }

    private static void strings(JsonGenerator json, String name, Iterable<String> texts) throws IOException {
        json.writeArrayFieldStart(name);
        for (String text : texts) {
            json.writeString(text);
        }
        json.writeEndArray();
    }

    private static void share(JsonGenerator json, Share share) throws IOException {
        json.writeObjectFieldStart("share");
        if (share.threads().isPresent()) {
            json.writeStringField("threads", share.threads().get().commandForm());
        }
        if (share.memory().isPresent()) {
            json.writeStringField("memory", memory(share.memory().get()));
        }
        if (share.priority().isPresent()) {
            json.writeStringField("priority", share.priority().get().label());
        }
        json.writeEndObject();
    }

    private static String memory(PinnedMemoryLimit limit) {
        return limit.isNone() ? limit.toString() : limit.commandForm();
    }

    /** Reads a request; all its arguments are checked. */
    static Request read(Fields fields) throws WireException {
        try {
            String verb = fields.text("verb");
            Request request = switch (verb) {
                case "mps-start" ->
                    new MpsStart(new DaemonWish(
                            fields.text("id"),
                            fields.texts("devices"),
                            share(fields.object("share")),
                            fields.truth("multi_user"),
                            fields.truth("exclusive_process")));
                case "mps-stop" ->
                    new MpsStop(
                            fields.text("id"),
                            one(fields, "mode", StopMode.values()),
                            Duration.ofSeconds(fields.number("grace_seconds")));
                case "mps-set" -> new MpsSet(fields.text("id"), share(fields.object("share")));
                case "mps-terminate-client" -> new MpsTerminateClient(fields.text("id"), fields.number("pid"));
                case "mps-resume" -> new MpsResume(fields.text("id"));
                case "mps-call-off-drain" -> new MpsCallOffDrain(fields.text("id"));
                case "read-environments" -> new ReadEnvironments(fields.numbers("pids"));
                case "list-holders" -> new ListHolders(fields.texts("nodes"));
                case "set-compute-mode" ->
                    new SetComputeMode(fields.text("gpu"), one(fields, "mode", ComputeModes.Mode.values()));
                default -> {
                    if (!MigRequestJson.has(verb)) {
                        throw unknown();
                    }
                    yield MigRequestJson.read(verb, fields);
                }
            };
            fields.end();
            return request;
        } catch (IllegalArgumentException e) {
            throw new WireException(String.valueOf(e.getMessage()), e);
        }
    }

    static WireException unknown() {
        return new WireException("the verb of the request is unknown; this version does not do it, or agent and helper"
                + " are of different versions");
    }

    private static Share share(Fields fields) throws WireException {
        Optional<String> threads = fields.optionalText("threads");
        Optional<String> memory = fields.optionalText("memory");
        Optional<String> priority = fields.optionalText("priority");
        fields.end();
        return new Share(
                threads.map(ThreadPercentage::parse),
                memory.map(PinnedMemoryLimit::parse),
                priority.map(ClientPriority::parse));
    }

    static <T extends Enum<T>> T one(Fields fields, String name, T[] all) throws WireException {
        String text = fields.text(name);
        return Stream.of(all)
                .filter(each -> label(each).equals(text))
                .findFirst()
                .orElseThrow(() -> new WireException("member \"" + name + "\" of the request is none of "
                        + String.join(
                                ", ", Stream.of(all).map(RequestJson::label).toList())));
    }

    /**
     * A constant as requests, outcomes and the audit log spell it.
     *
     * @param constant such as EXCLUSIVE_PROCESS
     * @return such as {@code exclusive-process}
     */
    public static String label(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
