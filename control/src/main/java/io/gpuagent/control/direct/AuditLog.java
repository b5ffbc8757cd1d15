// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.direct;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.gpuagent.control.Answer;
import io.gpuagent.control.Outcome;
import io.gpuagent.control.Request;
import io.gpuagent.control.wire.RequestJson;
import io.gpuagent.model.time.Clock;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.zip.CRC32C;

/**
 * What was changed, by whom: a line of JSON before each change ({@code begun}), one after it ({@code ended}), and one in
 * between where its deadline has passed ({@code late}). A {@code begun} without its {@code ended} is a change that a
 * crash cut off. Each line ends with {@code crc32c}, the CRC-32C of all bytes before {@code ,"crc32c"}.
 */
final class AuditLog {
    private static final JsonFactory JSON = new JsonFactory();

    private final AuditFile file;
    private final Requester requester;
    private final Clock clock;

    /**
     * A log.
     *
     * @param file where lines go
     * @param requester who asks
     * @param clock the time
     */
    AuditLog(AuditFile file, Requester requester, Clock clock) {
        this.file = file;
        this.requester = requester;
        this.clock = clock;
    }

    /**
     * A change is about to be made.
     *
     * @param change its number, the same in all its lines
     * @param request the change
     * @throws IOException when it cannot be written; then the change must not be made
     */
    void begun(String change, Request request) throws IOException {
        write(change, request, "begun", json -> {});
    }

    /**
     * The deadline of a change has passed, and it has not come back.
     *
     * @param change its number
     * @param request the change
     * @throws IOException when it cannot be written
     */
    void late(String change, Request request) throws IOException {
        write(
                change,
                request,
                "late",
                json -> json.writeNumberField("deadline_ms", request.deadline().toMillis()));
    }

    /**
     * A change is over.
     *
     * @param change its number
     * @param request the change
     * @param answer what became of it
     * @param took how long it took
     * @throws IOException when it cannot be written
     */
    void ended(String change, Request request, Answer answer, Duration took) throws IOException {
        write(change, request, "ended", json -> {
            json.writeNumberField("took_ms", took.toMillis());
            switch (answer) {
                case Answer.Refused refused -> {
                    json.writeStringField("result", "refused");
                    json.writeStringField("code", refused.code().label());
                    json.writeStringField("sentence", refused.sentence());
                }
                case Answer.Done done -> {
                    json.writeStringField("result", "done");
                    if (done.outcome() instanceof Outcome.Changed changed) {
                        json.writeStringField("before", changed.before());
                        json.writeStringField("after", changed.after());
                    }
                }
            }
        });
    }

    private void write(String change, Request request, String phase, Members members) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("time", clock.now().toString());
            json.writeStringField("change", change);
            json.writeStringField("phase", phase);
            json.writeStringField("user", requester.user());
            if (requester.uid().isPresent()) {
                json.writeNumberField("uid", requester.uid().get());
            }
            if (requester.pid().isPresent()) {
                json.writeNumberField("pid", requester.pid().get());
            }
            json.writeFieldName("request");
            json.writeRawValue(RequestJson.text(request));
            members.write(json);
            json.writeEndObject();
        }
        String whole = text.toString();
        String unsigned = whole.substring(0, whole.length() - 1);
        CRC32C sum = new CRC32C();
        sum.update(unsigned.getBytes(StandardCharsets.UTF_8));
        file.append(unsigned + String.format(Locale.ROOT, ",\"crc32c\":\"%08x\"}\n", sum.getValue()));
    }

    @FunctionalInterface
    private interface Members {
        void write(JsonGenerator json) throws IOException;
    }
}
