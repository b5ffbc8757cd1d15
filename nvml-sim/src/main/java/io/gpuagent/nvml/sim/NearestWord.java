// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** What somebody may have meant who wrote a word that does not exist. */
final class NearestWord {
    /** Nobody mistypes a name of NVML into this; it bounds the work for a hostile file. */
    private static final int LONGEST = 80;

    private NearestWord() {}

    /** The end of a sentence: a question with the nearest word, or nothing where none is near. */
    static String advice(String written, Collection<String> known) {
        if (written.length() > LONGEST) {
            return "";
        }
        // One typing error in a short word, two in a longer one; the names of functions are longer still.
        int furthest = written.length() <= 4 ? 1 : Math.max(2, written.length() / 8);
        return known.stream()
                .filter(word -> distance(written, word) <= furthest)
                .min(Comparator.comparingInt((String word) -> distance(written, word))
                        .thenComparing(word -> word))
                .map(word -> "; did you mean " + word + "?")
                .orElse("");
    }

    /** Letters to add, drop, replace or swap with the next one (optimal string alignment), in whatever case. */
    private static int distance(String one, String other) {
        String a = one.toLowerCase(Locale.ROOT);
        String b = other.toLowerCase(Locale.ROOT);
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                cost[i][j] = i == 0 || j == 0 ? i + j : cheapest(cost, a, i, b, j);
            }
        }
        return cost[a.length()][b.length()];
    }

    private static int cheapest(int[][] cost, String a, int i, String b, int j) {
        int replaced = cost[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int least = Math.min(replaced, Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
        boolean isSwapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return isSwapped ? Math.min(least, cost[i - 2][j - 2] + 1) : least;
    }
}
