// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which simulated GPUs a node has: {@code h200}, {@code h200x8}, {@code h200@535x2} (the card under an older driver), or
 * the path of a JSON description, also with {@code xN}, or of a capture, which has the GPUs that it was taken from.
 */
public final class SimProfile {
    /** The cards that this build describes. */
    private static final List<String> CARDS =
            List.of("h200", "h100-80gb", "a100-40gb", "a100-80gb", "a30", "rtx-pro-6000");

    /** The captures that this build holds. */
    private static final List<String> CAPTURES = List.of("h200-580.159.04");

    private static final List<String> DRIVERS = List.of("470", "535.43", "535.98", "535");
    private static final int MOST_GPUS = 64;
    private static final int MOST_MEBIBYTES = 16;

    private static final Pattern SPEC = Pattern.compile("(.+?)(?:@([0-9.]+))?(?:x(-?[0-9]+))?");

    private final Description card;
    private final String driver;
    private final Description description;
    private final int gpus;

    private SimProfile(Description card, String driver, int gpus) {
        this.card = card;
        this.driver = driver;
        this.description = driver.isEmpty() ? card : under(driver, card);
        this.gpus = gpus;
    }

    /**
     * Reads a profile.
     *
     * @param spec its name or path, with or without a number of GPUs
     * @return the profile
     * @throws UnknownProfileException when there is no such profile, or its number of GPUs or its file is not valid
     */
    public static SimProfile parse(String spec) {
        Matcher parts = SPEC.matcher(spec);
        if (isFile(spec) || !parts.matches()) {
            Description description = describe(spec);
            return new SimProfile(description, DriverLife.ORIGINAL, gpus(description));
        }
        Description description = describe(parts.group(1));
        if (description.isReplay()) {
            throw new UnknownProfileException(parts.group(1) + " is a capture and is replayed with the driver and the "
                    + gpus(description) + " GPUs that it has; leave away what follows its name");
        }
        String driver = parts.group(2) == null ? DriverLife.ORIGINAL : parts.group(2);
        return new SimProfile(description, driver, parts.group(3) == null ? 1 : count(parts.group(3)));
    }

    /** The names of the drivers that this build knows beside the cards' own. */
    static List<String> drivers() {
        return DRIVERS;
    }

    static boolean isDriver(String version) {
        return DRIVERS.contains(version) || version.equals("original");
    }

    private static int gpus(Description description) {
        @Nullable Recording recording = description.recording();
        return recording != null && description.isReplay() ? recording.gpus() : 1;
    }

    private static int count(String number) {
        if (number.length() > 4 || Integer.parseInt(number) < 1 || Integer.parseInt(number) > MOST_GPUS) {
            throw new UnknownProfileException(
                    "a simulated node has 1 to " + MOST_GPUS + " GPUs, so x" + number + " is not possible");
        }
        return Integer.parseInt(number);
    }

    private static Description describe(String name) {
        if (CARDS.contains(name)) {
            return Description.parse(whole(resource(name + ".json")));
        }
        if (!isThere(name)) {
            throw new UnknownProfileException("there is no simulated GPU \"" + name + "\" and no file of that name;"
                    + " known are " + String.join(", ", CARDS) + ", each with @" + String.join(" or @", DRIVERS)
                    + " for an older driver and xN for several GPUs");
        }
        try {
            byte[] json = new InputFile(Path.of(name), MOST_MEBIBYTES).bytes();
            return Description.parse(whole(JsonTree.read(name, new ByteArrayInputStream(json))));
        } catch (IOException | IllegalArgumentException | ArithmeticException e) {
            throw new UnknownProfileException("the description of a GPU cannot be read: " + e.getMessage());
        }
    }

    /**
     * A description may say only in what its card differs from one of the known cards, and a card of this build may have
     * a capture that answers what it does not say itself.
     */
    private static JsonTree whole(JsonTree card) {
        if (card.has("capture")) {
            return captured(card);
        }
        if (!card.has("based-on")) {
            return card;
        }
        String base = card.text("based-on");
        if (!CARDS.contains(base)) {
            throw new IllegalArgumentException(
                    card.place() + "based-on is " + base + ", which is none of " + String.join(", ", CARDS));
        }
        JsonTree known = whole(resource(base + ".json"));
        JsonTree whole = card.with("answers", known.object("answers").overlaid(card.object("answers")))
                .with(
                        "fields",
                        JsonTree.joined(known.has("fields") ? known.list("fields") : List.of(), card.list("fields")));
        return known.has("objects") ? whole.with("objects", known.object("objects")) : whole;
    }

    private static JsonTree captured(JsonTree card) {
        String name = card.text("capture");
        if (!CAPTURES.contains(name)) {
            throw new IllegalArgumentException(
                    card.place() + "capture is " + name + ", which is none of " + String.join(", ", CAPTURES));
        }
        JsonTree capture = resource(name + ".json");
        return card.with("objects", capture.object("objects"))
                .with("driver", capture.object("driver"))
                .with("missing", capture.list("missing"));
    }

    private static boolean isFile(String name) {
        try {
            return Files.isRegularFile(Path.of(name));
        } catch (InvalidPathException e) {
            return false;
        }
    }

    private static boolean isThere(String name) {
        try {
            return !name.isEmpty() && Files.exists(Path.of(name));
        } catch (InvalidPathException e) {
            return false;
        }
    }

    private static Description under(String driver, Description card) {
        if (!DRIVERS.contains(driver)) {
            throw new UnknownProfileException("there is no simulated driver " + driver + "; known are "
                    + String.join(", ", DRIVERS) + ", and without @ the one that the card was captured with");
        }
        JsonTree older = resource("driver-" + driver + ".json");
        return older.has("based-on") ? under(older.text("based-on"), card).under(older) : card.under(older);
    }

    private static JsonTree resource(String name) {
        try (InputStream in = SimProfile.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("this build lacks " + name);
            }
            return JsonTree.read(name, in);
        } catch (IOException e) {
            throw new IllegalStateException("this build holds a damaged " + name, e);
        }
    }

    /**
     * Its name, without the number of GPUs.
     *
     * @return for example {@code h200}
     */
    public String name() {
        return description.name();
    }

    /**
     * How many GPUs the node has.
     *
     * @return 1 to 64; also 0 for the capture of a node that had none
     */
    public int gpus() {
        return gpus;
    }

    Description description() {
        return description;
    }

    /** What follows the @ of its name; empty for the driver that the card was described with. */
    String driver() {
        return driver;
    }

    /** The same card under another driver. */
    Description under(String other) {
        if (other.equals(driver)) {
            return description;
        }
        if (card.isReplay()) {
            throw new UnknownProfileException(
                    card.name() + " is a capture and is replayed with the driver that it has");
        }
        return other.isEmpty() ? card : under(other, card);
    }

    @Override
    public String toString() {
        return name() + "x" + gpus;
    }
}
