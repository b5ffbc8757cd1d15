// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which part of a GPU's multiprocessors an MPS client may use at most: CUDA's active thread percentage. It is a ceiling
 * and no reservation. Kept in tenths of a percent, since the control daemon reads back one decimal ("captured on an
 * H200, driver 580.159.04": {@code 60.0}, {@code 0.5}); what it makes of more digits was never seen, so more are
 * refused.
 *
 * @param tenths tenths of a percent, 1..1000
 */
public record ThreadPercentage(int tenths) implements Comparable<ThreadPercentage> {
    /** The whole GPU, which is what a control daemon starts with. */
    public static final ThreadPercentage ALL = new ThreadPercentage(1000);

    private static final int MOST = 1000;
    private static final Pattern FORM = Pattern.compile("(\\d{1,9})(?:\\.(\\d{1,9}))?\\s*%?");

    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException outside of 1..1000
     */
    public ThreadPercentage {
        if (tenths < 1 || tenths > MOST) {
            throw new IllegalArgumentException("a thread percentage of " + tenths
                    + " tenths is out of range: it must be above 0 and at most 100 percent");
        }
    }

    /**
     * Reads what a person or a control daemon writes.
     *
     * @param text such as {@code 25%}, {@code 25}, {@code 12.5} or {@code 60.0}
     * @return the percentage
     * @throws IllegalArgumentException with one sentence for the user
     */
    public static ThreadPercentage parse(String text) {
        Matcher form = FORM.matcher(text.strip());
        if (!form.matches()) {
            throw refused(text, "is no percentage");
        }
        String fraction = form.group(2) == null ? "" : form.group(2);
        if (fraction.length() > 1 && !fraction.substring(1).chars().allMatch(digit -> digit == '0')) {
            throw refused(text, "has more than one decimal, which the control daemon does not read back");
        }
        // At most nine digits and one more: fits a long with room.
        long tenths = Long.parseLong(form.group(1)) * 10 + (fraction.isEmpty() ? 0 : fraction.charAt(0) - '0');
        if (tenths < 1 || tenths > MOST) {
            throw refused(text, "is out of range");
        }
        return new ThreadPercentage((int) tenths);
    }

    /**
     * Reads what a control daemon or a server's log says is in force, rounded to a tenth: others may have set more
     * digits.
     *
     * @param text such as {@code 60.0} or {@code 33.000000}
     * @return the percentage
     * @throws IllegalArgumentException when this is no percentage
     */
    public static ThreadPercentage fromDaemon(String text) {
        Matcher form = FORM.matcher(text.strip());
        if (!form.matches()) {
            throw new IllegalArgumentException(UserText.quoted(text.strip()) + " is no percentage of a control daemon");
        }
        BigDecimal percent =
                new BigDecimal(form.group(2) == null ? form.group(1) : form.group(1) + "." + form.group(2));
        BigDecimal tenths = percent.movePointRight(1).setScale(0, RoundingMode.HALF_UP);
        return new ThreadPercentage(tenths.min(BigDecimal.valueOf(MOST + 1L)).intValueExact());
    }

    private static IllegalArgumentException refused(String text, String why) {
        return new IllegalArgumentException("the thread percentage " + UserText.quoted(text) + " " + why
                + ": write a number above 0 and at most 100, such as 25% or 12.5");
    }

    /**
     * How many multiprocessors a client gets: the driver rounds down to an even count. Captured on an H200: 60 % of 132
     * are 78, 25 % are 32, 10 % are 12. Below one pair the result is 0, which was never seen on hardware.
     *
     * @param ofGpu how many the GPU has
     * @return {@code 2 * floor(ofGpu * percentage / 200)}
     */
    public int multiprocessors(int ofGpu) {
        return Math.toIntExact(2L * ((long) ofGpu * tenths / 2000));
    }

    /**
     * The share as a ratio.
     *
     * @return above 0 and at most 1
     */
    public double ratio() {
        return tenths / 1000.0;
    }

    /**
     * As a control command or an environment variable takes it.
     *
     * @return for example {@code 25} or {@code 12.5}
     */
    public String commandForm() {
        return tenths % 10 == 0 ? Integer.toString(tenths / 10) : tenths / 10 + "." + tenths % 10;
    }

    @Override
    public int compareTo(ThreadPercentage other) {
        return Integer.compare(tenths, other.tenths);
    }

    @Override
    public String toString() {
        return commandForm() + "%";
    }
}
