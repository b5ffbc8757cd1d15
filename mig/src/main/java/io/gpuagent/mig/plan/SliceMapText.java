// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Slice maps drawn below each other in at most 80 columns, in ASCII. Each is two lines: profiles, and below them ids and signs. */
final class SliceMapText {
    static final int WIDTH = 80;

    private static final int LABEL = 6;
    private static final int WIDEST_SLICE = 12;

    private final int pitch;
    private final StringBuilder text = new StringBuilder();
    private final Set<Character> signs = new TreeSet<>();

    SliceMapText(int width) {
        pitch = Math.min(WIDEST_SLICE, (WIDTH - LABEL - 1) / Math.max(1, width));
        StringBuilder line = new StringBuilder(fit("slice", LABEL + 1));
        for (int slice = 0; slice < width; slice++) {
            line.append(fit(String.valueOf(slice), pitch));
        }
        text.append(line.toString().stripTrailing()).append('\n');
    }

    SliceMapText row(String label, SliceMap map) {
        StringBuilder profiles = new StringBuilder(fit(label, LABEL)).append('|');
        StringBuilder ids = new StringBuilder(fit("", LABEL)).append('|');
        for (SliceCell cell : map.cells()) {
            int room = pitch * cell.placement().size() - 1;
            if (cell.isFree()) {
                profiles.append(fit(cell.signs(), room)).append('|');
                ids.append(fit("", room)).append('|');
            } else {
                profiles.append(name(cell.profile(), room)).append('|');
                ids.append(inside(cell, room)).append('|');
            }
            cell.signs().chars().forEach(sign -> signs.add((char) sign));
        }
        text.append(profiles).append('\n').append(ids).append('\n');
        return this;
    }

    /** What the signs mean that were drawn. */
    List<String> legend() {
        List<String> meanings = new ArrayList<>();
        signs.forEach(sign -> meanings.add(sign + " " + SliceMap.meaning(sign)));
        return meanings;
    }

    String text() {
        return text.toString();
    }

    /** The memory tells the least of a name: the width of the cell shows as much. */
    private static String name(String profile, int room) {
        return fit(profile.length() > room ? profile.replaceFirst("\\.[0-9]+gb", "") : profile, room);
    }

    /** Id and compute instances, and the signs at the right; where they are too long, the first sign at least. */
    private static String inside(SliceCell cell, int room) {
        String id = cell.gpuInstance().isPresent() ? "GI " + cell.gpuInstance().getAsInt() : "new";
        List<String> parts = cell.computes().stream()
                .filter(compute -> !compute.equals(cell.profile()))
                .map(compute -> compute.replaceFirst("c\\..*", "c"))
                .toList();
        String text = parts.isEmpty() ? id : id + ": " + String.join(" ", parts);
        boolean isTight = text.length() + 1 + cell.signs().length() > room;
        String signs = isTight && !cell.signs().isEmpty() ? cell.signs().substring(0, 1) : cell.signs();
        return fit(text, Math.max(0, room - signs.length())) + signs;
    }

    private static String fit(String text, int room) {
        return text.length() > room ? text.substring(0, room) : text + " ".repeat(room - text.length());
    }
}
