// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import io.gpuagent.host.kernel.KernelLogDevice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.ReadableByteChannel;

/** The kernel's log of a simulation: it can be read, and nothing is written to it. This machine's own is about others. */
final class QuietKernelLog implements KernelLogDevice {
    @Override
    public ReadableByteChannel open() throws IOException {
        Pipe pipe = Pipe.open();
        Pipe.SourceChannel source = pipe.source();
        Pipe.SinkChannel sink = pipe.sink();
        return new ReadableByteChannel() {
            @Override
            public int read(ByteBuffer into) throws IOException {
                return source.read(into);
            }

            @Override
            public boolean isOpen() {
                return source.isOpen();
            }

            @Override
            public void close() throws IOException {
                source.close();
                sink.close();
            }
        };
    }
}
