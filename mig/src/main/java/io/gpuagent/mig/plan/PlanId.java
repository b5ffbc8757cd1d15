// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import io.gpuagent.mig.MigGpu;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Names a plan by what it starts from and what it does, so that whoever carries it out can tell whether a plan that they
 * make anew is the one that somebody has seen and agreed to. Each part is the begin of a
 * SHA-256.
 *
 * @param layout of the GPU's UUID and the layout that the plan was made from: 16 hexadecimal digits
 * @param steps of the steps in words, in their order: 16 hexadecimal digits
 */
public record PlanId(String layout, String steps) {
    private static final int BYTES = 8;
    private static final Pattern PART = Pattern.compile("[0-9a-f]{16}");

    /** Refuses what is no such name. */
    public PlanId {
        if (!PART.matcher(layout).matches() || !PART.matcher(steps).matches()) {
            throw new IllegalArgumentException(
                    "a plan's id is two groups of 16 lower-case hexadecimal digits with a hyphen between");
        }
    }

    /**
     * The id of a plan.
     *
     * @param plan the plan
     * @return its id
     */
    public static PlanId of(Plan plan) {
        List<String> steps = plan.steps().stream().map(Step::words).toList();
        return new PlanId(layoutOf(plan.before()), digest(String.join("\n", steps)));
    }

    /**
     * The id's part for a layout.
     *
     * @param gpu the GPU
     * @return 16 hexadecimal digits
     */
    public static String layoutOf(MigGpu gpu) {
        return digest(gpu.identity().uuid() + "\n" + gpu.layout());
    }

    /**
     * Reads an id.
     *
     * @param text as {@link #text} writes it
     * @return the id
     * @throws IllegalArgumentException with one sentence, when it is none
     */
    public static PlanId parse(String text) {
        int hyphen = text.indexOf('-');
        return hyphen < 0 ? new PlanId(text, "") : new PlanId(text.substring(0, hyphen), text.substring(hyphen + 1));
    }

    /**
     * The id as one word.
     *
     * @return such as {@code 5f0c3a9b2d417e86-90a1b2c3d4e5f607}
     */
    public String text() {
        return layout + "-" + steps;
    }

    private static String digest(String text) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            for (int i = 0; i < text.length(); i++) {
                sha.update((byte) (text.charAt(i) >> Byte.SIZE));
                sha.update((byte) text.charAt(i));
            }
            return HexFormat.of().formatHex(sha.digest(), 0, BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
    }
}
