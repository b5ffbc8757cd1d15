// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much device memory one MPS client process may allocate at most: CUDA's pinned device memory limit. It holds for a
 * process and not for a container, and is a guard against accidents, not a security boundary: a client can drop it
 * (captured on an H200, driver 580.159.04).
 *
 * <p>All units are binary. The control daemon takes whole megabytes, and takes a unit it does not know for them: it
 * accepted {@code 1T} as {@code 1M}. So everything is read here and only {@link #commandForm()} is ever sent.
 *
 * @param mebibytes MiB, at least 1; 0 in {@link #NONE} alone
 */
public record PinnedMemoryLimit(long mebibytes) implements Comparable<PinnedMemoryLimit> {
    /**
     * The wish that a limit be taken off. It stands where something is asked for; what is in force without a limit is
     * absent ({@link Share#over}). The 0 is the control daemon's own word for it: {@code
     * set_default_device_pinned_mem_limit 0 0M} takes a limit off (captured on an H200, driver 580.159.04).
     */
    public static final PinnedMemoryLimit NONE = new PinnedMemoryLimit(0);

    private static final String NONE_FORM = "none";
    private static final long GIB = 1024;
    private static final long MIB = 1L << 20;
    private static final long MOST = Long.MAX_VALUE / MIB;
    private static final Pattern FORM = Pattern.compile("(\\d{1,19}(?:\\.\\d{1,19})?)\\s*([A-Za-z]*)");
    private static final Map<String, Long> UNITS = Map.ofEntries(
            Map.entry("b", 1L),
            Map.entry("k", 1L << 10),
            Map.entry("kib", 1L << 10),
            Map.entry("m", MIB),
            Map.entry("mib", MIB),
            Map.entry("g", 1L << 30),
            Map.entry("gib", 1L << 30),
            Map.entry("t", 1L << 40),
            Map.entry("tib", 1L << 40));
    private static final Pattern READ_BACK = Pattern.compile("(\\d{1,19})([GgMm])");

    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException below 0 or beyond 8 EiB
     */
    public PinnedMemoryLimit {
        if (mebibytes < 0 || mebibytes > MOST) {
            throw new IllegalArgumentException(
                    "a memory limit of " + mebibytes + " MiB is out of range: it must be 1 MiB or more, below 8 EiB");
        }
    }

    /**
     * Reads what a person writes. A number without a unit is refused: the control daemon takes it for megabytes, many
     * tools for bytes. So are {@code MB} and {@code GB}, which mean powers of ten in some tools and of two in others.
     *
     * @param text such as {@code 8GiB}, {@code 16G}, {@code 512m}, {@code 1T}, {@code 1.5GiB} or {@code 1048576B}; or
     *     {@code none}
     * @return the limit, or {@link #NONE}
     * @throws IllegalArgumentException with one sentence for the user
     */
    public static PinnedMemoryLimit parse(String text) {
        if (text.strip().toLowerCase(Locale.ROOT).equals(NONE_FORM)) {
            return NONE;
        }
        Matcher form = FORM.matcher(text.strip());
        if (!form.matches()) {
            throw refused(text, "is no amount of memory");
        }
        String unit = form.group(2).toLowerCase(Locale.ROOT);
        if (unit.isEmpty()) {
            throw refused(text, "has no unit");
        }
        Long unitBytes = UNITS.get(unit);
        if (unitBytes == null) {
            throw refused(
                    text,
                    unit.matches("[kmgt]b")
                            ? "has the unit " + form.group(2) + ", which is a power of ten to some and of two to others"
                            : "has the unknown unit " + UserText.shortened(form.group(2)));
        }
        BigDecimal bytes = new BigDecimal(form.group(1)).multiply(BigDecimal.valueOf(unitBytes));
        BigDecimal[] whole = bytes.divideAndRemainder(BigDecimal.valueOf(MIB));
        if (whole[0].compareTo(BigDecimal.valueOf(MOST)) > 0) {
            throw refused(text, "is too large");
        }
        if (whole[1].signum() != 0 || whole[0].signum() == 0) {
            throw refused(text, "is not a whole number of MiB, 1 or more");
        }
        return new PinnedMemoryLimit(whole[0].longValueExact());
    }

    private static IllegalArgumentException refused(String text, String why) {
        return new IllegalArgumentException("the memory limit " + UserText.quoted(text) + " " + why
                + ": write a number and a binary unit, such as 8GiB or 512M");
    }

    /**
     * Reads what a control daemon answers when it is asked for a limit in force.
     *
     * @param text such as {@code 20G}, {@code 512M} or nothing
     * @return the limit; empty where none is set
     * @throws IllegalArgumentException when this is no limit
     */
    public static Optional<PinnedMemoryLimit> fromDaemon(String text) {
        String stripped = text.strip();
        if (stripped.isEmpty()) {
            return Optional.empty();
        }
        Matcher form = READ_BACK.matcher(stripped);
        if (!form.matches()) {
            throw new IllegalArgumentException(UserText.quoted(stripped) + " is no memory limit of a control daemon");
        }
        return Optional.of(parse(stripped));
    }

    /**
     * A limit in bytes, such as the server's log tells it.
     *
     * @param bytes bytes
     * @return the limit
     * @throws IllegalArgumentException when this is no whole number of MiB, 1 or more
     */
    public static PinnedMemoryLimit ofBytes(long bytes) {
        return parse(bytes + "B");
    }

    /**
     * The limit in bytes.
     *
     * @return bytes
     */
    public long bytes() {
        return mebibytes * MIB;
    }

    /**
     * As a control command or an environment variable takes it: always in whole megabytes, the smallest unit that every
     * generation of the daemon knows.
     *
     * @return for example {@code 8192M}; {@code 0M} takes a limit off
     */
    public String commandForm() {
        return mebibytes + "M";
    }

    /**
     * Whether this asks for a limit to be taken off.
     *
     * @return true for {@link #NONE} alone
     */
    public boolean isNone() {
        return mebibytes == 0;
    }

    /**
     * The limit as a control daemon tells it when it is asked: from 1 GiB on in whole GiB, rounded down, though the limit
     * in force is exact. It was set to 12800M, told as {@code 12G}, and held as 0x320000000 bytes (captured on an H200,
     * driver 580.159.04).
     *
     * @return what it is read back as
     */
    public PinnedMemoryLimit asToldByDaemon() {
        return mebibytes < GIB ? this : new PinnedMemoryLimit(mebibytes / GIB * GIB);
    }

    @Override
    public int compareTo(PinnedMemoryLimit other) {
        return Long.compare(mebibytes, other.mebibytes);
    }

    @Override
    public String toString() {
        if (isNone()) {
            return NONE_FORM;
        }
        return mebibytes % GIB == 0 ? mebibytes / GIB + "GiB" : mebibytes + "MiB";
    }
}
