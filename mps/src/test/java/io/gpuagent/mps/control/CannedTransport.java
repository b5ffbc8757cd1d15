// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.control;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Gives the next text as the answer, whatever is asked. */
final class CannedTransport implements ControlTransport {
    private final Deque<Exchange> answers = new ArrayDeque<>();
    final List<String> sent = new ArrayList<>();
    private final String version;

    CannedTransport(String version) {
        this.version = version;
    }

    static CannedTransport answering(String... texts) {
        CannedTransport transport = new CannedTransport("CUDA MPS Control for Linux/Unix/QNX. Binary version: 13010\n");
        for (String text : texts) {
            transport.answers.add(completed(text, "", 0));
        }
        return transport;
    }

    CannedTransport then(Exchange exchange) {
        answers.add(exchange);
        return this;
    }

    static Exchange completed(String output, String errors, int exitStatus) {
        return new Exchange.Completed(output, errors, exitStatus, false, Duration.ofMillis(75));
    }

    @Override
    public Exchange send(String command, Duration deadline) {
        sent.add(command);
        return answers.remove();
    }

    @Override
    public Exchange version(Duration deadline) {
        return completed(version, "", 0);
    }
}
