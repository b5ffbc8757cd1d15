// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a process asks of the GPUs by its environment. Only variables whose names begin with {@code CUDA_} or
 * {@code NVIDIA_} are kept: the others are none of our business, and secrets stand among them.
 *
 * @param process the process
 * @param variables names and values as they were when the program started
 */
public record GpuEnvironment(ProcessIdentity process, Map<String, String> variables) {
    // execve(2) allows far more; a process whose environment is longer is read as far as this.
    private static final int LONGEST = 256 * 1024;
    private static final int LONGEST_VALUE = 4096;

    /** Takes a copy. */
    public GpuEnvironment {
        variables = Map.copyOf(variables);
    }

    /**
     * Reads a process's environment.
     *
     * @param host the machine
     * @param pid the process
     * @return empty where it has ended, or may not be read by this user
     */
    public static Optional<GpuEnvironment> read(HostView host, long pid) {
        Optional<ProcessIdentity> before = ProcessIdentity.of(host, pid);
        if (before.isEmpty()) {
            return Optional.empty();
        }
        Map<String, String> variables;
        try (InputStream in = Files.newInputStream(host.path("/proc/" + pid + "/environ"))) {
            variables = parse(in.readNBytes(LONGEST));
        } catch (IOException gone) {
            return Optional.empty();
        }
        // The pid may have been given to another process in between.
        return before.equals(ProcessIdentity.of(host, pid))
                ? before.map(process -> new GpuEnvironment(process, variables))
                : Optional.empty();
    }

    /** Entries end with a zero byte; of a name that stands there twice, getenv(3) finds the first. */
    private static Map<String, String> parse(byte[] environ) {
        Map<String, String> variables = new TreeMap<>();
        for (String entry : new String(environ, StandardCharsets.UTF_8).split("\0", -1)) {
            int end = entry.indexOf('=');
            if (end > 0 && (entry.startsWith("CUDA_") || entry.startsWith("NVIDIA_"))) {
                String value = entry.substring(end + 1);
                variables.putIfAbsent(
                        entry.substring(0, end),
                        value.length() > LONGEST_VALUE ? value.substring(0, LONGEST_VALUE) : value);
            }
        }
        return variables;
    }
}
