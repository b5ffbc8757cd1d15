// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import io.vertx.core.Context;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;

/**
 * Tells a client that waits for its answer what is being done: interim answers (RFC 9110, 15.2; here 103) with a header
 * {@code Progress}. They also keep the connection from being taken for an idle one. Clients that do not know them pass
 * over them.
 */
final class ProgressHints {
    private static final String HEADER = "Progress";
    private static final long EVERY_MILLIS = 5000;
    private static final int LONGEST = 1000;

    private final Vertx vertx;
    private final Context context;
    private final HttpServerResponse response;
    private final long timer;
    private volatile String last = "working on it";
    private volatile boolean ended;

    /** Begins; called on the event loop of the request. */
    ProgressHints(Vertx vertx, HttpServerResponse response) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.response = response;
        this.timer = vertx.setPeriodic(EVERY_MILLIS, tick -> send(last));
    }

    /** A step was made; any thread. */
    void progress(String sentence) {
        String plain = sentence.replaceAll("[^ -~]", "?");
        String step = plain.length() > LONGEST ? plain.substring(0, LONGEST) + "..." : plain;
        last = step;
        context.runOnContext(now -> send(step));
    }

    private void send(String step) {
        if (!ended && !response.ended() && !response.closed()) {
            response.writeEarlyHints(MultiMap.caseInsensitiveMultiMap().add(HEADER, step));
        }
    }

    void end() {
        ended = true;
        vertx.cancelTimer(timer);
    }
}
