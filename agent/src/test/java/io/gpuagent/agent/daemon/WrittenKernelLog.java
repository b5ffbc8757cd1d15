// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import io.gpuagent.host.kernel.KernelLogDevice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A log of the kernel that a test writes. As the real one, it is read from its oldest record whenever it is opened. */
final class WrittenKernelLog implements KernelLogDevice {
    /** Later than any start of the log's reader, so that a record is as new as when it is read. */
    private static final long MICROS = 900_000_000_000_000L;

    private final List<String> lines = new ArrayList<>();
    private Pipe.SinkChannel reader;

    @Override
    public synchronized ReadableByteChannel open() throws IOException {
        Pipe pipe = Pipe.open();
        reader = pipe.sink();
        for (String line : lines) {
            send(line);
        }
        return pipe.source();
    }

    /** A record of the kernel itself: facility 0, severity 4. */
    void kernel(String text) throws IOException {
        write(4, text);
    }

    /** A record that a program wrote, which the kernel gives the facility 1 at least. */
    void program(String text) throws IOException {
        write(12, text);
    }

    private synchronized void write(int priority, String text) throws IOException {
        String line = priority + "," + (100 + lines.size()) + "," + MICROS + ",-;" + text + "\n";
        lines.add(line);
        if (reader != null) {
            send(line);
        }
    }

    private void send(String line) throws IOException {
        reader.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8)));
    }
}
