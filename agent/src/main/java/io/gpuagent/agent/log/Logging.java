// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.log;

import io.gpuagent.agent.config.LogConfig;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Sets the one handler and the level of java.util.logging, to which System.Logger, Vert.x and Netty write. */
public final class Logging {
    // Held here: java.util.logging keeps loggers by weak references and would forget the level.
    private static final Logger ROOT = Logger.getLogger("");
    private static final Logger VERTX = Logger.getLogger("io.vertx");
    private static final Logger NETTY = Logger.getLogger("io.netty");

    private Logging() {}

    /**
     * Logs to standard error from now on; nobody who logs waits for whoever reads.
     *
     * @param config the level of the agent's own lines
     * @param environment tells whether standard error is the journal
     */
    public static void configure(LogConfig config, Map<String, String> environment) {
        for (Handler handler : ROOT.getHandlers()) {
            ROOT.removeHandler(handler);
            handler.close();
        }
        QueuedHandler handler = new QueuedHandler(new PrintStream(new FileOutputStream(FileDescriptor.err)));
        handler.setLevel(Level.ALL);
        handler.setFormatter(new LogLine(environment.containsKey("JOURNAL_STREAM")));
        ROOT.addHandler(handler);
        ROOT.setLevel(level(config.level()));
        // Libraries tell at INFO what only their own developers want to know.
        VERTX.setLevel(Level.WARNING);
        NETTY.setLevel(Level.WARNING);
    }

    /** Waits a moment for the lines logged so far to be written. */
    public static void flush() {
        for (Handler handler : ROOT.getHandlers()) {
            handler.flush();
        }
    }

    private static Level level(LogConfig.Level level) {
        return switch (level) {
            case ERROR -> Level.SEVERE;
            case WARN -> Level.WARNING;
            case INFO -> Level.INFO;
            case DEBUG -> Level.FINE;
        };
    }
}
