// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.fake;

import io.gpuagent.mps.sim.AnswerScript;
import io.gpuagent.mps.sim.SimulatedDaemon;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;

/** What a test has asked of the fake programs: a file beside them, read anew for each command. */
final class FakeSettings {
    /** The system property that names the folder of the programs. */
    static final String FOLDER = "fake.folder";

    static final String FILE = "fake.properties";

    private final Properties values;

    private FakeSettings(Properties values) {
        this.values = values;
    }

    static Path folder() {
        return Path.of(System.getProperty(FOLDER));
    }

    static FakeSettings load() {
        Properties values = new Properties();
        try (Reader reader = Files.newBufferedReader(folder().resolve(FILE))) {
            values.load(reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new FakeSettings(values);
    }

    int version() {
        return Integer.parseInt(values.getProperty("version", "13000"));
    }

    Duration millis(String key) {
        return Duration.ofMillis(Long.parseLong(values.getProperty(key, "0")));
    }

    /** Servers outlive their daemon. */
    boolean orphans() {
        return Boolean.parseBoolean(values.getProperty("orphans", "false"));
    }

    void applyTo(SimulatedDaemon daemon) {
        AnswerScript script = daemon.script();
        script.clear();
        if (values.containsKey("hang")) {
            script.hang(values.getProperty("hang"));
        }
        if (values.containsKey("late")) {
            script.delay(values.getProperty("late"), millis("late.millis"));
        }
        if (values.containsKey("instead")) {
            script.instead(
                    values.getProperty("instead"),
                    values.getProperty("instead.text", ""),
                    Integer.parseInt(values.getProperty("instead.status", "0")));
        }
        // As servers do that were started without a PATH.
        String status = System.getenv("PATH") == null ? "1" : "0";
        daemon.everyServerExitsWith(
                Integer.parseInt(values.getProperty("server.exit", status)), values.getProperty("server.failure", ""));
        if (values.containsKey("fault")) {
            daemon.fault(Integer.parseInt(values.getProperty("fault")));
        }
    }
}
