// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import io.vertx.core.http.HttpConnection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Bounds the open connections of a server. A newcomer takes the place of the connection that has been without a request
 * longest: clients that hold connections open cannot lock Prometheus out.
 */
final class ConnectionCap {
    private final int most;
    // In the order of the last request, the longest silent first. One event loop only touches it, but closing is told
    // on
    // the connection's own context.
    private final Set<HttpConnection> open = new LinkedHashSet<>();

    ConnectionCap(int most) {
        this.most = most;
    }

    synchronized void admit(HttpConnection connection) {
        connection.closeHandler(closed -> forget(connection));
        if (open.size() >= most) {
            Iterator<HttpConnection> silent = open.iterator();
            HttpConnection longest = silent.next();
            silent.remove();
            longest.close();
        }
        open.add(connection);
    }

    synchronized void heardFrom(HttpConnection connection) {
        if (open.remove(connection)) {
            open.add(connection);
        }
    }

    private synchronized void forget(HttpConnection connection) {
        open.remove(connection);
    }
}
