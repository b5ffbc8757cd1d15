// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.log;

import java.util.logging.LogManager;

/**
 * Keeps the handlers until the process ends. The JDK's own manager takes them away as soon as the JVM begins to shut
 * down, and with them the lines that tell how the agent stopped. Named in {@code jvm.options}.
 */
public final class LastingLogManager extends LogManager {
    /** For java.util.logging, which makes it. */
    public LastingLogManager() {}

    @Override
    public void reset() {
        // Nothing: only the JVM's shutdown asks for it.
    }
}
