// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.unix.PeerCredentials;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.HttpServerConnection;
import java.io.IOException;
import java.util.Optional;

/**
 * Who is at the other end of a Unix socket, as the kernel has it (SO_PEERCRED, unix(7)): as the process was when it
 * connected. Only Netty's epoll transport tells; over the JDK's own nobody is known, and then nothing is changed.
 *
 * @param uid its user
 * @param pid the process
 */
record PeerUser(long uid, long pid) {
    // A uid is a number of 32 bits without a sign, which Netty hands over in an int.
    private static final long UNSIGNED = 0xFFFF_FFFFL;

    static Optional<PeerUser> of(HttpServerRequest request) {
        if (!(request.connection() instanceof HttpServerConnection connection
                && connection.channelHandlerContext().channel() instanceof EpollDomainSocketChannel channel)) {
            return Optional.empty();
        }
        try {
            PeerCredentials peer = channel.peerCredentials();
            return Optional.of(new PeerUser(peer.uid() & UNSIGNED, peer.pid()));
        } catch (IOException gone) {
            return Optional.empty();
        }
    }
}
