// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim.capture;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What a capture asks, by whom it asks.
 *
 * @param entries in the order of asking
 */
record CaptureList(Map<CapturedObject.Kind, List<CaptureEntry>> entries) {
    /** Read once; the same for every capture. */
    private static final class Loaded {
        static final CaptureList LIST = load();
    }

    static CaptureList get() {
        return Loaded.LIST;
    }

    List<CaptureEntry> of(CapturedObject.Kind kind) {
        return entries.getOrDefault(kind, List.of());
    }

    private static CaptureList load() {
        try (InputStream in = CaptureList.class.getResourceAsStream("capture-list.txt")) {
            if (in == null) {
                throw new IllegalStateException("this build lacks its capture-list.txt");
            }
            return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static CaptureList parse(String text) {
        Map<CapturedObject.Kind, List<CaptureEntry>> entries = new EnumMap<>(CapturedObject.Kind.class);
        List<CaptureEntry> section = new ArrayList<>();
        for (String line : text.lines().map(String::strip).toList()) {
            if (line.startsWith("[")) {
                section = new ArrayList<>();
                entries.put(CapturedObject.Kind.of(line.substring(1, line.length() - 1)), section);
            } else if (!line.isEmpty() && !line.startsWith("#")) {
                section.add(CaptureEntry.parse(line));
            }
        }
        return new CaptureList(entries);
    }
}
