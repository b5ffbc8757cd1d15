// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.bench;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The control API of an agent, one request a connection.
 *
 * @param path the socket
 */
record ControlSocket(Path path) {
    /** Posts JSON; fails unless the answer is 200. */
    String post(String target, String json) throws IOException {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        return exchange("POST " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: "
                + body.length + "\r\n\r\n" + json);
    }

    /** Gets JSON; fails unless the answer is 200. */
    String get(String target) throws IOException {
        return exchange("GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    }

    private String exchange(String request) throws IOException {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(path));
                InputStream in = Channels.newInputStream(channel)) {
            channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.UTF_8)));
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            in.transferTo(all);
            String answer = all.toString(StandardCharsets.UTF_8);
            // Early hints of a change's progress may come before.
            if (!answer.contains("HTTP/1.1 200 ")) {
                throw new IOException("the agent answered:\n" + answer);
            }
            return answer;
        }
    }
}
