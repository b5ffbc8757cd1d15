// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes as people write them, in binary units: {@code 64KiB}, {@code 4MiB}, {@code 1GiB}. */
final class SizeText {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,9})([KMG])iB");

    private SizeText() {}

    static long parse(String text, long smallest, long largest) throws BadValueException {
        String range = "between " + format(smallest) + " and " + format(largest);
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new BadValueException(
                    Quoted.of(text) + " is no size",
                    "write a whole number with KiB, MiB or GiB, " + range + ", for example 4MiB");
        }
        long bytes = Long.parseLong(matcher.group(1))
                << switch (matcher.group(2)) {
                    case "K" -> 10;
                    case "M" -> 20;
                    default -> 30;
                };
        if (bytes < smallest || bytes > largest) {
            throw new BadValueException(text + " is out of range", "choose one " + range);
        }
        return bytes;
    }

    private static String format(long bytes) {
        return bytes % (1L << 30) == 0
                ? (bytes >> 30) + "GiB"
                : bytes % (1L << 20) == 0 ? (bytes >> 20) + "MiB" : (bytes >> 10) + "KiB";
    }
}
