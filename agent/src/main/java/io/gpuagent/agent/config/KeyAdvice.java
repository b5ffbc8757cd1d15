// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What to say about a key that does not exist: the nearest one of the same section, or the section in which it does.
 *
 * @param paths every key of the file, with its sections, as in {@code metrics.listen}
 */
public record KeyAdvice(List<String> paths) {
    // Nobody mistypes a key into this; it bounds the work for a hostile file.
    private static final int LONGEST = 64;

    String forUnknown(String name, String section, Collection<String> known) {
        Optional<String> near = nearest(name, known);
        if (near.isPresent()) {
            return "did you mean " + near.get() + "?";
        }
        for (String path : paths) {
            int dot = path.lastIndexOf('.');
            if (path.substring(dot + 1).equals(name)
                    && !path.substring(0, Math.max(dot, 0)).equals(section)) {
                return "did you mean " + path + "?";
            }
        }
        return "the keys here are " + String.join(", ", known);
    }

    /**
     * The word that was probably meant.
     *
     * @param name what was written
     * @param known the words there are
     * @return one that differs in a letter or two
     */
    public static Optional<String> nearest(String name, Collection<String> known) {
        if (name.length() > LONGEST) {
            return Optional.empty();
        }
        // One typing error in a short word, two in a longer one; more is another word.
        int furthest = name.length() <= 4 ? 1 : 2;
        return known.stream()
                .filter(word -> distance(name, word) <= furthest)
                .min(Comparator.comparingInt((String word) -> distance(name, word))
                        .thenComparing(word -> word));
    }

    /** Letters to add, drop, replace or swap with the next one (optimal string alignment). */
    static int distance(String a, String b) {
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    cost[i][j] = i + j;
                    continue;
                }
                int replaced = cost[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                cost[i][j] = Math.min(replaced, Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
                }
            }
        }
        return cost[a.length()][b.length()];
    }
}
