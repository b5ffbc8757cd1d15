// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.fold;

import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Counters of a GPU as they were read last, for what they grow by. A counter that goes back has started again, with the
 * driver or by a reset: then there is no growth to tell, and the fold knows of a reset.
 */
record Counters(Map<String, Sample> samples) {
    static final Counters NONE = new Counters(Map.of());
    private static final double NANOS_PER_SECOND = 1e9;

    record Sample(long value, long nanos, boolean isFirst, long growth, double perSecond) {}

    Counters with(String name, OptionalLong value, Moment at) {
        if (value.isEmpty()) {
            return this;
        }
        Sample before = samples.get(name);
        long now = value.getAsLong();
        boolean isFirst = before == null || now < before.value();
        long growth = before == null || now < before.value() ? 0 : now - before.value();
        double seconds = before == null ? 0 : (at.nanos() - before.nanos()) / NANOS_PER_SECOND;
        // A second poll at the same time says nothing of a rate.
        double rate = seconds > 0 ? growth / seconds : 0;
        Map<String, Sample> more = new TreeMap<>(samples);
        more.put(name, new Sample(now, at.nanos(), isFirst, growth, rate));
        return new Counters(more);
    }

    /** How much it has grown since the reading before; empty where it was not read just now, or for the first time. */
    OptionalLong growth(String name, Moment at) {
        Sample sample = samples.get(name);
        return sample == null || sample.isFirst() || sample.nanos() != at.nanos()
                ? OptionalLong.empty()
                : OptionalLong.of(sample.growth());
    }

    OptionalDouble perSecond(String name, Moment at) {
        Sample sample = samples.get(name);
        return growth(name, at).isEmpty() || sample == null
                ? OptionalDouble.empty()
                : OptionalDouble.of(sample.perSecond());
    }

    /** Whether a counter stood higher before: the driver has started to count again. */
    boolean hasRestarted(String name, OptionalLong value) {
        Sample sample = samples.get(name);
        return sample != null && value.isPresent() && value.getAsLong() < sample.value();
    }
}
