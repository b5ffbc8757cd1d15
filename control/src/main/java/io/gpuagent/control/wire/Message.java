// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.wire;

import com.fasterxml.jackson.core.JsonGenerator;
import io.gpuagent.control.Answer;
import io.gpuagent.control.Request;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;

/** One line of a conversation. */
public sealed interface Message {
    /** Version of this protocol; agent and helper are installed together, so only an upgrade under way differs. */
    int VERSION = 1;

    /**
     * Requester to helper, first: what to do.
     *
     * @param request the request
     */
    record Ask(Request request) implements Message {}

    /**
     * Requester to helper: the answer to {@link Quiesce}.
     *
     * @param quiet whether no call is under way for the GPUs
     */
    record Quiesced(boolean quiet) implements Message {}

    /**
     * Helper to requester: let go of GPUs until the end of this conversation.
     *
     * @param gpus UUIDs
     */
    record Quiesce(List<String> gpus) implements Message {
        /** Takes a copy. */
        public Quiesce {
            gpus = List.copyOf(gpus);
        }
    }

    /** Helper to requester: whether to go on with the next step. */
    record MayGoOn() implements Message {}

    /**
     * Requester to helper: the answer to {@link MayGoOn}.
     *
     * @param on false to call the change off
     */
    record GoOn(boolean on) implements Message {}

    /** Helper to requester: the change begins. Where the connection ends before this, nothing was touched. */
    record Begun() implements Message {}

    /**
     * Helper to requester: a step was made.
     *
     * @param sentence what was done
     */
    record Progress(String sentence) implements Message {}

    /**
     * Helper to requester, last: what became of the request.
     *
     * @param answer the answer
     */
    record Result(Answer answer) implements Message {}

    /**
     * The message as one line.
     *
     * @return JSON without its line end
     */
    default String line() {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = Fields.JSON.createGenerator(text)) {
            json.writeStartObject();
            switch (this) {
                case Ask ask -> {
                    json.writeNumberField("version", VERSION);
                    json.writeFieldName("request");
                    RequestJson.write(json, ask.request());
                }
                case Quiesced quiesced -> json.writeBooleanField("quiesced", quiesced.quiet());
                case Quiesce quiesce -> {
                    json.writeArrayFieldStart("quiesce");
                    for (String gpu : quiesce.gpus()) {
                        json.writeString(gpu);
                    }
                    json.writeEndArray();
                }
                case MayGoOn _ -> json.writeBooleanField("may_go_on", true);
                case GoOn goOn -> json.writeBooleanField("go_on", goOn.on());
                case Begun _ -> json.writeBooleanField("begun", true);
                case Progress progress -> json.writeStringField("progress", progress.sentence());
                case Result result -> AnswerJson.write(json, result.answer());
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new AssertionError("a string cannot be written to", e);
        }
        return text.toString();
    }

    /**
     * Reads a line.
     *
     * @param line without its line end
     * @return the message
     * @throws WireException when it is none
     */
    static Message read(String line) throws WireException {
        Fields fields = Fields.read("message", line);
        Message message;
        if (fields.has("request")) {
            long version = fields.number("version");
            if (version != VERSION) {
                throw new WireException("the request is of version " + version + " and this helper speaks version "
                        + VERSION + "; restart the agent after an upgrade");
            }
            message = new Ask(RequestJson.read(fields.object("request")));
        } else if (fields.has("quiesced")) {
            message = new Quiesced(fields.truth("quiesced"));
        } else if (fields.has("quiesce")) {
            message = new Quiesce(fields.texts("quiesce"));
        } else if (fields.has("may_go_on")) {
            fields.truth("may_go_on");
            message = new MayGoOn();
        } else if (fields.has("go_on")) {
            message = new GoOn(fields.truth("go_on"));
        } else if (fields.has("begun")) {
            fields.truth("begun");
            message = new Begun();
        } else if (fields.has("progress")) {
            message = new Progress(fields.text("progress"));
        } else {
            message = new Result(AnswerJson.read(fields));
        }
        fields.end();
        return message;
    }
}
