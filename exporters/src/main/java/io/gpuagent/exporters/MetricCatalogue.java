// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import java.util.List;
import java.util.stream.Stream;

/** Every family the native page can have, in the order of the documentation. */
public final class MetricCatalogue {
    /** The families. */
    public static final List<MetricFamily> ALL = Stream.of(
                    IdentityFamilies.ALL,
                    LoadFamilies.ALL,
                    ConditionFamilies.ALL,
                    HealthFamilies.ALL,
                    MigFamilies.ALL,
                    MpsFamilies.ALL,
                    AgentFamilies.ALL)
            .flatMap(List::stream)
            .toList();

    private MetricCatalogue() {}
}
