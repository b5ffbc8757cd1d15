// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How people name the profiles of a card: the driver's own name ({@code 1g.18gb+me}), also with dots where it has a plus
 * ({@code 1g.18gb.me}) and with the driver's {@code MIG} before it; the name without its memory where only one profile
 * fits ({@code 3g}, {@code 1g+me}); or the driver's id ({@code id:9}). Never by memory: drivers round it differently.
 *
 * @param card the card
 */
public record ProfileNames(MigCard card) {
    private static final Pattern ID = Pattern.compile("id:([0-9]{1,9})");
    private static final Pattern COMPUTE = Pattern.compile("[0-9]+c\\.(.+)");
    private static final Pattern MEMORY = Pattern.compile("\\.[0-9]+gb");
    /** So many letters wrong are still a slip of the finger. */
    private static final int SLIP = 3;

    /**
     * Finds the profile of a name.
     *
     * @param text what the user wrote
     * @return the profile
     * @throws MigRequestException when the card has none of this name, or several
     */
    public GpuProfile resolve(String text) throws MigRequestException {
        String name = canonical(text);
        Matcher id = ID.matcher(name);
        if (id.matches()) {
            return card.byId(Integer.parseInt(id.group(1))).orElseThrow(() -> noSuchId(text));
        }
        Optional<GpuProfile> exact = card.profiles().stream()
                .filter(profile -> canonical(profile.name()).equals(name))
                .findFirst();
        if (exact.isPresent()) {
            return exact.get();
        }
        List<GpuProfile> fitting = card.profiles().stream()
                .filter(profile -> withoutMemory(profile.name()).equals(name))
                .toList();
        if (fitting.size() == 1) {
            return fitting.getFirst();
        }
        if (fitting.size() > 1) {
            throw new MigRequestException(UserText.quoted(text) + " can be several profiles of this GPU; write "
                    + list(fitting.stream().map(GpuProfile::name).toList(), " or "));
        }
        throw unknown(text, name);
    }

    private MigRequestException unknown(String text, String name) {
        Matcher compute = COMPUTE.matcher(name);
        if (compute.matches()) {
            Optional<GpuProfile> whole = card.profiles().stream()
                    .filter(profile -> canonical(profile.name()).equals(compute.group(1))
                            || withoutMemory(profile.name()).equals(compute.group(1)))
                    .findFirst();
            if (whole.isPresent()) {
                return new MigRequestException(UserText.quoted(text) + " is a compute instance; write {profile: "
                        + whole.get().name() + ", compute: [" + UserText.printable(text.strip()) + "]}");
            }
        }
        List<String> names = card.profiles().stream().map(GpuProfile::name).toList();
        String near = nearest(name, names)
                .map(n -> "; did you mean " + n + "? It has ")
                .orElse("; it has ");
        return new MigRequestException(
                "this GPU has no profile " + UserText.quoted(text) + near + list(names, " and "));
    }

    private MigRequestException noSuchId(String text) {
        List<String> ids = card.profiles().stream()
                .map(profile -> profile.id() + " (" + profile.name() + ")")
                .toList();
        return new MigRequestException(
                "this GPU has no profile with " + UserText.quoted(text) + "; its ids are " + list(ids, " and "));
    }

    /**
     * The form in which names are compared.
     *
     * @param text a name
     * @return lower case, without blanks around, without {@code MIG}, with dots for plus signs
     */
    public static String canonical(String text) {
        String lower = text.strip().toLowerCase(Locale.ROOT).replace('+', '.');
        return lower.startsWith("mig ") ? lower.substring(4).strip() : lower;
    }

    /**
     * The canonical name without its memory.
     *
     * @param name a profile's name
     * @return such as {@code 1g.me}
     */
    public static String withoutMemory(String name) {
        return MEMORY.matcher(canonical(name)).replaceFirst("");
    }

    /**
     * The name that was probably meant.
     *
     * @param text what the user wrote
     * @param names the names there are, the best first
     * @return one that differs in a few letters only
     */
    public static Optional<String> nearest(String text, List<String> names) {
        String wrong = canonical(text);
        return names.stream()
                .filter(name -> distance(wrong, canonical(name)) <= SLIP)
                .min(Comparator.comparingInt(name -> distance(wrong, canonical(name))));
    }

    /**
     * What the user wrote, fit for a message.
     *
     * @param text the text
     * @return it in quotes, without control characters, cut where it is long
     */
    public static String quoted(String text) {
        return UserText.quoted(text);
    }

    private static int distance(String one, String other) {
        // Levenshtein's; a text that is longer than any name by more than a slip needs no table.
        if (Math.abs(one.length() - other.length()) > SLIP) {
            return SLIP + 1;
        }
        int[] above = new int[other.length() + 1];
        for (int j = 0; j <= other.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int[] row = new int[other.length() + 1];
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int change = one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1;
                row[j] = Math.min(above[j - 1] + change, Math.min(above[j], row[j - 1]) + 1);
            }
            above = row;
        }
        return above[other.length()];
    }

    static String list(List<String> items, String last) {
        List<String> head = new ArrayList<>(items);
        String tail = head.removeLast();
        return head.isEmpty() ? tail : String.join(", ", head) + last + tail;
    }
}
