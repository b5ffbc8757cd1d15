// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import java.util.List;

/**
 * Which families are on a native page. A family is there when one of the patterns of {@code include} fits its name, or
 * when there is none, and when no pattern of {@code exclude} fits.
 *
 * @param include patterns of what is wanted; empty for all
 * @param exclude patterns of what is not wanted
 */
public record FamilyFilter(List<NamePattern> include, List<NamePattern> exclude) {
    /** Leaves nothing out. */
    public static final FamilyFilter ALL = new FamilyFilter(List.of(), List.of());

    /** Takes copies. */
    public FamilyFilter {
        include = List.copyOf(include);
        exclude = List.copyOf(exclude);
    }

    /**
     * Whether a family is wanted.
     *
     * @param name its name as a query spells it, with {@code _total} or {@code _info}
     * @return whether it is on the page
     */
    public boolean admits(String name) {
        return (include.isEmpty() || include.stream().anyMatch(pattern -> pattern.fits(name)))
                && exclude.stream().noneMatch(pattern -> pattern.fits(name));
    }
}
