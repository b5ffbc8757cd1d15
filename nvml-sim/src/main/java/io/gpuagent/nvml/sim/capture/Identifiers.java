// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim.capture;

import io.gpuagent.nvml.sim.SimulatedProcess;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Replaces what names a board, a machine or a process by numbers in the order in which they were met. The same name gets
 * the same number everywhere, so that what belongs together still does. PCI addresses stay: faults depend on them.
 */
final class Identifiers {
    private static final Pattern UUID =
            Pattern.compile("\\p{XDigit}{8}-\\p{XDigit}{4}-\\p{XDigit}{4}-\\p{XDigit}{4}-\\p{XDigit}{12}");

    /** Last names of parameters and fields whose text or bytes are an identifier. */
    private static final Set<String> NAMES =
            Set.of("serial", "uuid", "mdevUuid", "vmId", "clusterUuid", "ibGuid", "chassisSerialNumber", "licenseInfo");

    /** The same where the last name alone says too little. */
    private static final Set<String> PATHS = Set.of("hostname.value", "pdi.value");

    private static final Set<String> PIDS = Set.of("pid", "pids");

    private final boolean isKept;
    private final Map<Object, Integer> numbers = new HashMap<>();
    private final Map<Long, Long> pids = new HashMap<>();
    private final Map<Long, Long> realPids = new HashMap<>();

    /**
     * Starts with none met.
     *
     * @param isKept whether nothing is replaced
     */
    Identifiers(boolean isKept) {
        this.isKept = isKept;
    }

    /**
     * What may be told instead of a text.
     *
     * @param path parameter and field, such as {@code hostname.value}
     * @param text the text
     * @return the text where it names nobody
     */
    synchronized String text(String path, String text) {
        if (isKept || text.isEmpty()) {
            return text;
        }
        if (UUID.matcher(text).find()) {
            return UUID.matcher(text)
                    .replaceAll(found ->
                            String.format(Locale.ROOT, "%08x-0000-4000-8000-000000000000", number(found.group())));
        }
        // As long as before: who reads it may count on its length.
        return isIdentifier(path) ? String.format(Locale.ROOT, "%0" + text.length() + "d", number(text)) : text;
    }

    /**
     * What may be told instead of a number.
     *
     * @param path parameter and field
     * @param value the number
     * @return the number where it names nobody
     */
    synchronized long number(String path, long value) {
        if (isKept || value == 0) {
            return value;
        }
        if (PIDS.contains(last(path))) {
            long told = pids.computeIfAbsent(value, pid -> SimulatedProcess.FIRST_PID + pids.size() + 1L);
            realPids.put(told, value);
            return told;
        }
        return isIdentifier(path) ? number(value) : value;
    }

    /**
     * What a number was before it was replaced, to ask NVML about it.
     *
     * @param path parameter and field
     * @param told what {@link #number} gave
     * @return the number
     */
    synchronized long original(String path, long told) {
        return PIDS.contains(last(path)) ? realPids.getOrDefault(told, told) : told;
    }

    /**
     * What may be told instead of bytes that are an identifier; all zeros say that there is none.
     *
     * @param path parameter and field
     * @param bytes the bytes
     * @return the bytes where they name nobody
     */
    synchronized byte[] bytes(String path, byte[] bytes) {
        boolean isEmpty = true;
        StringBuilder name = new StringBuilder();
        for (byte value : bytes) {
            isEmpty &= value == 0;
            name.append(value).append(' ');
        }
        if (isKept || isEmpty || !isIdentifier(path)) {
            return bytes;
        }
        byte[] replaced = new byte[bytes.length];
        replaced[0] = (byte) number(name.toString());
        return replaced;
    }

    private int number(Object identifier) {
        return numbers.computeIfAbsent(identifier, key -> numbers.size() + 1);
    }

    private static boolean isIdentifier(String path) {
        return NAMES.contains(last(path)) || PATHS.contains(path);
    }

    private static String last(String path) {
        return path.substring(path.lastIndexOf('.') + 1);
    }
}
