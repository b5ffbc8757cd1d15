// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/**
 * A request of the command line.
 *
 * @param method GET or POST
 * @param target path and query, percent-encoded
 * @param body JSON; empty for GET
 * @param deadline how long the whole answer may take
 */
record HttpAsk(String method, String target, Optional<String> body, Duration deadline) {
    static HttpAsk get(String target) {
        return new HttpAsk("GET", target, Optional.empty(), SocketClient.DEADLINE);
    }

    static HttpAsk post(String target, String json, Duration deadline) {
        return new HttpAsk("POST", target, Optional.of(json), deadline);
    }

    byte[] bytes() {
        byte[] content = body.orElse("").getBytes(StandardCharsets.UTF_8);
        String length =
                body.isPresent() ? "Content-Type: application/json\r\nContent-Length: " + content.length + "\r\n" : "";
        byte[] head = (method + " " + target + " HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n" + length
                        + "Connection: close\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        byte[] all = new byte[head.length + content.length];
        System.arraycopy(head, 0, all, 0, head.length);
        System.arraycopy(content, 0, all, head.length, content.length);
        return all;
    }
}
