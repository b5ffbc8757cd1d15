// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a client sends after its header. One that sends more than a body may have is told so, once. */
final class RequestBody {
    /** Bytes that a body may have. */
    static final int MOST = 256 * 1024;

    // How much of the rest is thrown away, and for how long, before the connection is closed over it.
    private static final long MOST_THROWN_AWAY = 8L << 20;
    private static final Duration LONGEST = Duration.ofSeconds(5);

    // From when on it is waited for; one that sends a byte now and then must not hold anything.
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Vertx vertx;
    private final HttpServerRequest request;
    private final Promise<Buffer> whole = Promise.promise();
    private final Buffer parts = Buffer.buffer();
    private final boolean waitsForGo;
    private long received;
    private boolean ended;
    private @Nullable LastAnswer refusal;

    RequestBody(Vertx vertx, HttpServerRequest request) {
        this.vertx = vertx;
        this.request = request;
        String expected = request.getHeader(HttpHeaders.EXPECT);
        this.waitsForGo = expected != null && expected.strip().equalsIgnoreCase("100-continue");
        request.handler(this::receive).endHandler(all -> end()).exceptionHandler(broken -> fail());
        if (declared() > MOST) {
            refuse(Problem.tooLarge(MOST));
        }
    }

    /** What the header says; 0 where it says nothing. A length that is none has been refused before. */
    private long declared() {
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        return length == null || !length.matches("[0-9]{1,18}") ? 0 : Long.parseLong(length);
    }

    private void receive(Buffer part) {
        received += part.length();
        if (refusal != null) {
            if (received > MOST_THROWN_AWAY) {
                refusal.close();
            }
        } else if (received > MOST) {
            refuse(Problem.tooLarge(MOST));
        } else {
            parts.appendBuffer(part);
        }
    }

    private void refuse(Problem problem) {
        refusal = new LastAnswer(vertx, request, problem, LONGEST);
        whole.tryFail(new ProblemException(problem));
    }

    /** It broke off, or a chunk of it is none. */
    private void fail() {
        if (refusal == null) {
            refuse(Problem.malformed());
        }
    }

    private void end() {
        ended = true;
        if (refusal != null) {
            refusal.close();
        } else {
            whole.tryComplete(parts);
        }
    }

    boolean isRefused() {
        return refusal != null;
    }

    /** All of it, when it is there; a client that waits for a word to send it gets that word. */
    Future<Buffer> whole() {
        if (!ended && refusal == null) {
            if (waitsForGo) {
                request.response().writeContinue();
            }
            long timer = vertx.setTimer(PATIENCE.toMillis(), late -> {
                if (!ended && refusal == null) {
                    refuse(Problem.tooSlow(PATIENCE));
                }
            });
            whole.future().onComplete(over -> vertx.cancelTimer(timer));
        }
        return whole.future();
    }

    /**
     * Does something once the client has sent all: an answer in the middle would end the connection of a client that wants
     * it closed after the answer.
     */
    void afterwards(Runnable answer) {
        // One that waits for a word before it sends anything has sent all it will.
        if (ended || waitsForGo) {
            answer.run();
        } else {
            whole.future().onSuccess(all -> answer.run());
        }
    }
}
