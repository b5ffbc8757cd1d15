// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.mps.MpsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The environment of a daemon, in systemd's syntax (systemd.exec(5), {@code EnvironmentFile=}). The unit and the detached
 * launcher both read it, so that a daemon that starts, whoever starts it, has the newest share from its first moment on.
 *
 * @param path the file
 */
public record EnvironmentFile(Path path) {
    /** Options for the unit's command line: {@code ExecStart=... -f $GPU_AGENT_MPS_OPTIONS}. Not for the daemon. */
    public static final String OPTIONS = "GPU_AGENT_MPS_OPTIONS";

    /** The id of the daemon, which tells a daemon that this agent started from one that somebody put into its folder. */
    public static final String MARK = "GPU_AGENT_MPS_ID";

    private static final Pattern LINE =
            Pattern.compile("([A-Za-z_][A-Za-z0-9_]*)=(?:\"((?:[^\"\\\\]|\\\\.)*)\"|(\\S*))");
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./,:=@%+-]+");

    /**
     * Writes it anew, as a whole or not at all.
     *
     * @param variables all variables
     * @throws MpsException when it cannot be written, or a value has a control character
     */
    public void write(Map<String, String> variables) {
        StringBuilder text = new StringBuilder();
        variables.forEach((name, value) ->
                text.append(name).append('=').append(quoted(name, value)).append('\n'));
        new AtomicFile(path).write(text.toString());
    }

    private static String quoted(String name, String value) {
        if (value.chars().anyMatch(c -> c < ' ')) {
            throw new MpsException("the variable " + name + " has a control character: remove it");
        }
        return PLAIN.matcher(value).matches() ? value : "\"" + value.replaceAll("[\"\\\\$`]", "\\\\$0") + "\"";
    }

    /**
     * Reads it.
     *
     * @return all variables
     * @throws MpsException when it cannot be read, or holds what {@link #write} does not write
     */
    public Map<String, String> read() {
        Map<String, String> variables = new LinkedHashMap<>();
        try {
            for (String line : Files.readAllLines(path)) {
                Matcher matcher = LINE.matcher(line);
                if (!matcher.matches()) {
                    throw new MpsException("the line \"" + line + "\" of " + path + " is no NAME=VALUE: remove it");
                }
                String bare = matcher.group(3);
                variables.put(matcher.group(1), bare == null ? matcher.group(2).replaceAll("\\\\(.)", "$1") : bare);
            }
        } catch (IOException e) {
            throw new MpsException("cannot read the environment of an MPS daemon in " + path + ": " + e, e);
        }
        return variables;
    }
}
