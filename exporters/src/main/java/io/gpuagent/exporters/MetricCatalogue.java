// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Every family the native page can have, in the order of the documentation. */
public final class MetricCatalogue {
    /** The families. */
    public static final List<MetricFamily> ALL = Stream.of(
                    IdentityFamilies.ALL,
                    LoadFamilies.ALL,
                    ConditionFamilies.ALL,
                    ReliabilityFamilies.ALL,
                    HealthFamilies.ALL,
                    MigFamilies.ALL,
                    MpsFamilies.ALL,
                    AgentFamilies.ALL)
            .flatMap(List::stream)
            .toList();

    private static final Map<String, MetricFamily> BY_NAME =
            ALL.stream().collect(Collectors.toUnmodifiableMap(MetricFamily::name, Function.identity()));

    private MetricCatalogue() {}

    static MetricFamily family(String name) {
        MetricFamily family = BY_NAME.get(name);
        if (family == null) {
            throw new IllegalArgumentException("there is no family " + name);
        }
        return family;
    }
}
