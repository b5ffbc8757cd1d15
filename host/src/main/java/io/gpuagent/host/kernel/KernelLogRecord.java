// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host.kernel;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * One record of the kernel's log as {@code /dev/kmsg} gives it: {@code priority,sequence,microseconds,flags;text}, see
 * the kernel's Documentation/ABI/testing/dev-kmsg.
 *
 * @param facility 0 for the kernel itself; whatever a program writes to /dev/kmsg gets another one, whatever it claims
 * @param severity 0 (emergency) to 7 (debug)
 * @param sequence counts up by one for each record of a boot
 * @param micros microseconds since boot, without the time that the machine slept
 * @param text the message, with the escapes of the kernel undone; at most {@value #MAX_TEXT} characters of it
 */
public record KernelLogRecord(int facility, int severity, long sequence, long micros, String text) {
    /** The driver's longest message has 512 characters; what follows behind four times as many is of no use. */
    public static final int MAX_TEXT = 2048;

    private static final int KERNEL = 0;
    private static final int SEVERITIES = 8;

    /**
     * Whether the kernel wrote it, not a program.
     *
     * @return true for facility 0
     */
    public boolean isFromKernel() {
        return facility == KERNEL;
    }

    /**
     * Reads a record's first line. Never throws, and never looks at a byte twice.
     *
     * @param bytes where it lies
     * @param start its first byte
     * @param end behind its last byte
     * @return the record; empty where this is none
     */
    public static Optional<KernelLogRecord> parse(byte[] bytes, int start, int end) {
        long priority = 0;
        long sequence = 0;
        long micros = 0;
        int field = 0;
        int digits = 0;
        for (int i = start; i < end; i++) {
            byte b = bytes[i];
            if (b == ';') {
                // The time may be the last field in old kernels; the flags are of no interest.
                boolean isWhole = field > 2 || (field == 2 && digits > 0);
                return isWhole
                        ? Optional.of(new KernelLogRecord(
                                (int) (priority / SEVERITIES),
                                (int) (priority % SEVERITIES),
                                sequence,
                                micros,
                                text(bytes, i + 1, end)))
                        : Optional.empty();
            }
            if (b == '\n') {
                return Optional.empty();
            }
            if (field > 2) {
                continue;
            }
            if (b == ',') {
                if (digits == 0) {
                    return Optional.empty();
                }
                field++;
                digits = 0;
                continue;
            }
            // 18 digits are within a long; a syslog priority has far fewer, but a longer one is no reason to fail.
            if (b < '0' || b > '9' || ++digits > 18) {
                return Optional.empty();
            }
            int digit = b - '0';
            switch (field) {
                case 0 -> priority = Math.min(priority * 10 + digit, Integer.MAX_VALUE);
                case 1 -> sequence = sequence * 10 + digit;
                default -> micros = micros * 10 + digit;
            }
        }
        return Optional.empty();
    }

    /** The kernel writes bytes below 32 and above 126, and the backslash, as {@code \xNN}. */
    private static String text(byte[] bytes, int start, int end) {
        int limit = Math.min(end, start + 4 * MAX_TEXT);
        ByteArrayOutputStream text = new ByteArrayOutputStream(Math.min(limit - start, MAX_TEXT));
        int i = start;
        while (i < limit && text.size() < MAX_TEXT) {
            byte b = bytes[i];
            if (b == '\n') {
                break;
            }
            if (b == '\\' && i + 3 < limit && bytes[i + 1] == 'x') {
                int high = Character.digit(bytes[i + 2], 16);
                int low = Character.digit(bytes[i + 3], 16);
                if (high >= 0 && low >= 0) {
                    text.write(high * 16 + low);
                    i += 4;
                    continue;
                }
            }
            text.write(b);
            i++;
        }
        return text.toString(StandardCharsets.UTF_8);
    }
}
