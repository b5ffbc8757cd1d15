// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.sim;

import io.gpuagent.mps.control.MpsEnvironment;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Limits as the daemon keeps them: defaults, or those of a server. It takes what the real one takes, mistakes too. */
final class LimitTable {
    private static final Pattern MEMORY = Pattern.compile("(\\d{1,12})(\\S*)");

    private double threads = 100;
    private int priority;
    // By what the device was called: an ordinal and a UUID of the same device are two entries.
    private final Map<String, Long> memory = new LinkedHashMap<>();

    LimitTable(Map<String, String> environment) {
        setThreads(environment.getOrDefault(MpsEnvironment.THREADS, ""));
        // The daemon's own variable of memory does nothing: tried on an H200 in seven spellings.
        if (environment.getOrDefault(MpsEnvironment.PRIORITY, "0").equals("1")) {
            priority = 1;
        }
    }

    /** What a new server starts with. */
    LimitTable(LimitTable defaults) {
        threads = defaults.threads;
        priority = defaults.priority;
        memory.putAll(defaults.memory);
    }

    double threads() {
        return threads;
    }

    int priority() {
        return priority;
    }

    /** How the daemon prints it; more than one decimal was never seen. */
    String threadsText() {
        return String.format(Locale.ROOT, "%.1f", threads);
    }

    /** A value that is refused leaves the old one in force. */
    void setThreads(String text) {
        // No Double.parseDouble alone: it takes NaN, hexadecimal numbers and 1d.
        if (text.matches("\\d{1,9}(\\.\\d{1,9})?")) {
            double value = Double.parseDouble(text);
            if (value > 0 && value <= 100) {
                threads = value;
            }
        }
    }

    boolean setPriority(String text) {
        if (!text.equals("0") && !text.equals("1")) {
            return false;
        }
        priority = text.equals("1") ? 1 : 0;
        return true;
    }

    /** How the daemon tells it: in whole G from one on, rounded down. */
    String memory(String device) {
        long mega = memory.getOrDefault(device, 0L) >> 20;
        if (mega == 0) {
            return "";
        }
        return mega < 1024 ? mega + "M" : mega / 1024 + "G";
    }

    /** 0 for no limit, as the server writes it into its log. */
    long limitBytes(String device) {
        return memory.getOrDefault(device, 0L);
    }

    /**
     * G is G; every other unit, or none, is M: {@code 1T} is accepted as {@code 1M}. 0 takes the limit off, as does a word
     * that is no number; nothing at all changes nothing. No device is too many.
     */
    void setMemory(String device, String text) {
        if (text.isEmpty()) {
            return;
        }
        long bytes = bytes(text);
        if (bytes == 0) {
            memory.remove(device);
        } else {
            memory.put(device, bytes);
        }
    }

    /** What is in force for devices there are: by ordinal alone, as on drivers that ignore UUIDs. */
    Map<Integer, Long> memoryBytes(int devices) {
        Map<Integer, Long> bytes = new HashMap<>();
        for (int device = 0; device < devices; device++) {
            int ordinal = device;
            Optional.ofNullable(memory.get(Integer.toString(device))).ifPresent(limit -> bytes.put(ordinal, limit));
        }
        return bytes;
    }

    static long bytes(String text) {
        Matcher matcher = MEMORY.matcher(text);
        if (!matcher.matches()) {
            return 0;
        }
        boolean giga = matcher.group(2).toUpperCase(Locale.ROOT).startsWith("G");
        return Long.parseLong(matcher.group(1)) << (giga ? 30 : 20);
    }

    /** A list such as {@code 0=1G,1=512MB}. */
    static Map<String, String> entries(String list) {
        Map<String, String> entries = new LinkedHashMap<>();
        for (String entry : list.split(",", -1)) {
            int equals = entry.indexOf('=');
            if (equals > 0) {
                entries.put(
                        entry.substring(0, equals).strip(),
                        entry.substring(equals + 1).strip());
            }
        }
        return entries;
    }
}
