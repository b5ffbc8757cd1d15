// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of the agent that runs. */
public final class AgentVersion {
    // Maven puts this file into the jar; classes that run from a folder have none.
    private static final String FILE = "/META-INF/maven/io.gpuagent/agent/pom.properties";
    private static final String CURRENT = read();

    private AgentVersion() {}

    /**
     * The version.
     *
     * @return for example {@code 0.1.0}; {@code development} outside a jar
     */
    public static String current() {
        return CURRENT;
    }

    private static String read() {
        try (InputStream file = AgentVersion.class.getResourceAsStream(FILE)) {
            if (file == null) {
                return "development";
            }
            Properties properties = new Properties();
            properties.load(file);
            return properties.getProperty("version", "development");
        } catch (IOException e) {
            throw new UncheckedIOException("the agent's jar is damaged", e);
        }
    }
}
