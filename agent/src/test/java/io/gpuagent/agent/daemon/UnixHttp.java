// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The plainest client of a Unix socket, which shares no code with the agent's own. */
record UnixHttp(Path socket) {
    /** The body that a path answers with. */
    String get(String path) throws IOException {
        String answer = exchange("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        return answer.substring(answer.indexOf("\r\n\r\n") + 4);
    }

    /** All that comes back until the server closes. */
    String exchange(String request) throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
            StringBuilder text = new StringBuilder();
            ByteBuffer buffer = ByteBuffer.allocate(64 * 1024);
            while (channel.read(buffer.clear()) >= 0) {
                text.append(StandardCharsets.UTF_8.decode(buffer.flip()));
            }
            return text.toString();
        }
    }
}
