// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.CRC32C;

/** A line with a checksum before it, so that one which was written in part is known as such. */
final class Checksummed {
    private static final int DIGITS = 8;

    private Checksummed() {}

    static String line(String text) {
        return sum(text) + " " + text + "\n";
    }

    /** The text of a line without its end; empty where the checksum is another one. */
    static Optional<String> text(String line) {
        if (line.length() <= DIGITS || line.charAt(DIGITS) != ' ') {
            return Optional.empty();
        }
        String text = line.substring(DIGITS + 1);
        return line.startsWith(sum(text)) ? Optional.of(text) : Optional.empty();
    }

    private static String sum(String text) {
        CRC32C crc = new CRC32C();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return String.format(Locale.ROOT, "%08x", crc.getValue());
    }
}
