// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.binding;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * What this process holds. The JVM must track its native memory (-XX:NativeMemoryTracking=summary).
 *
 * @param arenas bytes of native memory that Java code allocated, by arenas and direct buffers: NMT's category "Other"
 * @param total bytes of native memory of the whole JVM, its heap and compiled code included
 * @param threads live threads
 * @param descriptors open file descriptors
 */
record Held(long arenas, long total, int threads, long descriptors) {
    private static final Pattern OTHER = Pattern.compile("Other \\(reserved=\\d+, committed=(\\d+)\\)");
    private static final Pattern TOTAL = Pattern.compile("Total: reserved=\\d+, committed=(\\d+)");
    /** Arenas that nobody refers to are freed by a thread of the JVM's, some time after a collection. */
    private static final int COLLECTIONS = 10;

    static Held now() throws IOException, JMException {
        Held least = look();
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            Held next = look();
            least = next.arenas < least.arenas ? next : least;
        }
        return least;
    }

    static Held parse(String line) {
        String[] words = line.split(" ", -1);
        return new Held(
                Long.parseLong(words[1]),
                Long.parseLong(words[2]),
                Integer.parseInt(words[3]),
                Long.parseLong(words[4]));
    }

    @Override
    public String toString() {
        return arenas + " " + total + " " + threads + " " + descriptors;
    }

    private static Held look() throws IOException, JMException {
        String summary = (String) ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "vmNativeMemory",
                        new Object[] {new String[] {"summary", "scale=b"}},
                        new String[] {String[].class.getName()});
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return new Held(
                    number(OTHER, summary),
                    number(TOTAL, summary),
                    ManagementFactory.getThreadMXBean().getThreadCount(),
                    descriptors.count());
        }
    }

    private static long number(Pattern pattern, String summary) {
        Matcher found = pattern.matcher(summary);
        if (!found.find()) {
            throw new IllegalStateException("no " + pattern + " in:\n" + summary);
        }
        return Long.parseLong(found.group(1));
    }
}
