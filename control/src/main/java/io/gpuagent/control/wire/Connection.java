// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.wire;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** Lines to and from the other side; used by one thread at a time. */
public interface Connection {
    /** The longest line, in bytes. The environments of 1024 processes are the longest answer that there is. */
    int LONGEST_LINE = 4 * 1024 * 1024;
    /** The longest line that the helper takes, in bytes: a request with the most device nodes needs a tenth of it. */
    int LONGEST_REQUEST = 64 * 1024;

    /**
     * The next line.
     *
     * @param longest how many bytes it may have
     * @param within how long to wait for its end
     * @return the line without its end; empty where the other side has ended
     * @throws WireException when it is too long, no UTF-8 or came too late
     * @throws IOException when the connection broke
     */
    Optional<String> read(int longest, Duration within) throws WireException, IOException;

    /**
     * Sends a line.
     *
     * @param line without its end
     * @param within how long the other side may take to read it
     * @throws WireException when the other side does not read
     * @throws IOException when the connection broke
     */
    void write(String line, Duration within) throws WireException, IOException;
}
