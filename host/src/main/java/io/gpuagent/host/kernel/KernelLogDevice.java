// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host.kernel;

import io.gpuagent.host.HostView;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Opens the kernel's log at its oldest record. */
@FunctionalInterface
public interface KernelLogDevice {
    /**
     * Opens it.
     *
     * @return the log; closing it from another thread ends a read that waits
     * @throws IOException when it cannot be opened
     */
    ReadableByteChannel open() throws IOException;

    /**
     * The machine's device, {@code /dev/kmsg}.
     *
     * @param host the machine
     * @return the device
     */
    static KernelLogDevice of(HostView host) {
        Path path = host.path("/dev/kmsg");
        return () -> FileChannel.open(path, StandardOpenOption.READ);
    }
}
