// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * How a JVM is started.
 *
 * @param name what the report calls it
 * @param flags its flags
 * @param environment variables added to this process's own
 */
record JvmSetup(String name, List<String> flags, Map<String, String> environment) {
    /** As ./gpu-agent sets it; glibc otherwise keeps an arena of memory per thread. */
    private static final Map<String, String> FEW_ARENAS = Map.of("MALLOC_ARENA_MAX", "2");

    /** Without it, the JVM warns on standard error. */
    private static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

    /** The JVM as it comes. */
    static final JvmSetup DEFAULTS = new JvmSetup("JVM defaults", List.of(NATIVE_ACCESS), Map.of());

    /** The flags of the agent. */
    static JvmSetup ours(Path options) throws IOException {
        return new JvmSetup("our flags", read(options), FEW_ARENAS);
    }

    /** The flags of the agent but for some. */
    JvmSetup without(String what, Predicate<String> dropped) {
        List<String> kept = flags.stream().filter(dropped.negate()).toList();
        if (kept.size() == flags.size()) {
            throw new IllegalStateException("jvm.options has no flag about " + what + " any more");
        }
        return new JvmSetup(name + " without " + what, kept, environment);
    }

    /** The flags of the agent without the environment. */
    JvmSetup withoutEnvironment(String what) {
        return new JvmSetup(name + " without " + what, flags, Map.of());
    }

    /** The same with one more variable. */
    JvmSetup with(String variable, String value) {
        Map<String, String> more = new HashMap<>(environment);
        more.put(variable, value);
        return new JvmSetup(name, flags, Map.copyOf(more));
    }

    private static List<String> read(Path options) throws IOException {
        return Files.readAllLines(options).stream()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .toList();
    }
}
