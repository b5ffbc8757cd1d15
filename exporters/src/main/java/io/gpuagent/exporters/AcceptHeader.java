// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The media ranges of an {@code Accept} header (RFC 9110, 12.5.1); what cannot be read of it is passed over. */
final class AcceptHeader {
    private final List<MediaRange> ranges;

    private AcceptHeader(List<MediaRange> ranges) {
        this.ranges = ranges;
    }

    static AcceptHeader parse(String value) {
        List<MediaRange> ranges = new ArrayList<>();
        for (String part : value.toLowerCase(Locale.ROOT).split(",", -1)) {
            MediaRange range = MediaRange.parse(part);
            if (range != null) {
                ranges.add(range);
            }
        }
        return new AcceptHeader(List.copyOf(ranges));
    }

    /** How much a type is wanted, 0 (not at all) to 1, by the most exact range that fits it. */
    double quality(String type, String subtype, String version) {
        int exactness = -1;
        double quality = 0;
        for (MediaRange range : ranges) {
            int fits = range.exactnessFor(type, subtype, version);
            if (fits > exactness || (fits == exactness && fits >= 0 && range.quality > quality)) {
                exactness = fits;
                quality = range.quality;
            }
        }
        return quality;
    }

    private record MediaRange(
            String type, String subtype, @Nullable String version, double quality) {
        static @Nullable MediaRange parse(String text) {
            String[] pieces = text.split(";", -1);
            String[] names = pieces[0].trim().split("/", -1);
            if (names.length != 2) {
                return null;
            }
            String version = null;
            double quality = 1;
            for (int i = 1; i < pieces.length; i++) {
                String[] pair = pieces[i].trim().split("=", 2);
                if (pair.length == 2 && pair[0].equals("version")) {
                    version = pair[1].replace("\"", "");
                } else if (pair.length == 2 && pair[0].equals("q")) {
                    quality = number(pair[1]);
                }
            }
            return new MediaRange(names[0], names[1], version, quality);
        }

        private static double number(String text) {
            try {
                double number = Double.parseDouble(text);
                return number >= 0 && number <= 1 ? number : 0;
            } catch (NumberFormatException e) {
                return 0;
            }
        }

        /** 3 for the very version, 2 for the type without a version, 1 and 0 for wildcards, -1 for no fit. */
        int exactnessFor(String wantedType, String wantedSubtype, String wantedVersion) {
            if (type.equals("*") && subtype.equals("*")) {
                return 0;
            }
            if (!type.equals(wantedType)) {
                return -1;
            }
            if (subtype.equals("*")) {
                return 1;
            }
            if (!subtype.equals(wantedSubtype)) {
                return -1;
            }
            if (version == null) {
                return 2;
            }
            return version.equals(wantedVersion) ? 3 : -1;
        }
    }
}
