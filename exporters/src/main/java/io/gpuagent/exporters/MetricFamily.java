// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import io.gpuagent.model.ReadingKey;
import io.gpuagent.model.Tier;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One metric family: what it is called, what it means and how its samples come out of a snapshot.
 *
 * @param name the name as a query spells it, with {@code _total} or {@code _info}
 * @param type the type
 * @param group where the documentation lists it
 * @param help one sentence with the unit, without a full stop
 * @param labels its labels, in the order in which the collector gives their values
 * @param source the NVML calls behind it, or a word on where else it comes from
 * @param readings the readings it is made of; empty for the agent's own figures
 * @param range what a value can be at all
 * @param collector gives the samples
 */
public record MetricFamily(
        String name,
        Type type,
        Group group,
        String help,
        List<FamilyLabel> labels,
        String source,
        Set<ReadingKey<?>> readings,
        Range range,
        Collector collector) {

    /** Takes copies and checks that name and type agree. */
    public MetricFamily {
        labels = List.copyOf(labels);
        readings = Set.copyOf(readings);
        if (name.endsWith("_total") != (type == Type.COUNTER) || name.endsWith("_info") != (type == Type.INFO)) {
            throw new IllegalArgumentException(name + " is no name for the type " + type);
        }
    }

    /**
     * The name without the suffix that its type brings along; two families of one page must not share it.
     *
     * @return for example {@code gpu_energy_joules} for {@code gpu_energy_joules_total}
     */
    public String baseName() {
        return baseName(name);
    }

    static String baseName(String name) {
        for (String suffix : List.of("_total", "_info")) {
            if (name.endsWith(suffix)) {
                return name.substring(0, name.length() - suffix.length());
            }
        }
        return name;
    }

    /**
     * The tiers its readings are read in.
     *
     * @return in the order fast, slow, static; empty for the agent's own figures
     */
    public List<Tier> tiers() {
        return readings.stream().map(ReadingKey::tier).distinct().sorted().collect(Collectors.toUnmodifiableList());
    }

    /** The types. */
    public enum Type {
        /** A value that goes up and down. */
        GAUGE,
        /** A total that only grows, until whatever counts it starts again. */
        COUNTER,
        /** Always 1; the labels are what it tells. */
        INFO
    }

    /** The chapters of the documentation. */
    public enum Group {
        /** Which GPU, which driver, does it answer. */
        IDENTITY("Identity and state"),
        /** Busy time. */
        UTILIZATION("Utilization"),
        /** Memory. */
        MEMORY("Memory"),
        /** Power and energy. */
        POWER("Power and energy"),
        /** Temperatures. */
        TEMPERATURE("Temperature"),
        /** Clocks and what limits them. */
        CLOCKS("Clocks"),
        /** Memory errors and what the GPU did about them. */
        ERRORS("Memory errors and recovery"),
        /** The PCI Express link. */
        PCIE("PCI Express"),
        /** Modes and who uses the GPU. */
        USE("Modes and processes"),
        /** GPUs that are cut up. */
        MIG("MIG instances"),
        /** Control daemons, servers and clients of CUDA MPS. */
        MPS("CUDA MPS"),
        /** The agent itself. */
        AGENT("The agent itself");

        private final String title;

        Group(String title) {
            this.title = title;
        }

        /**
         * The chapter's heading.
         *
         * @return the heading
         */
        public String title() {
            return title;
        }
    }

    /**
     * What a value can be at all; a sample outside is left out, since a driver's sentinel must not become a spike.
     *
     * @param min lowest
     * @param max highest
     */
    public record Range(double min, double max) {
        /** Whatever is not negative. */
        public static final Range NOT_NEGATIVE = new Range(0, Double.MAX_VALUE);
        /** A share or a truth value. */
        public static final Range ZERO_TO_ONE = new Range(0, 1);

        /**
         * Whether a value lies inside.
         *
         * @param value the value
         * @return false for NaN, too
         */
        public boolean contains(double value) {
            return value >= min && value <= max;
        }
    }

    /** Gives a family's samples. */
    @FunctionalInterface
    public interface Collector {
        /**
         * Hands over the samples of one page; what is absent there is not handed over.
         *
         * @param page what the page is made of
         * @param samples takes them
         */
        void collect(PageSource page, Samples samples);
    }

    /** Takes a family's samples. */
    @FunctionalInterface
    public interface Samples {
        /**
         * Takes one.
         *
         * @param value its value in the family's unit
         * @param labelValues the values of the family's labels, in their order
         */
        void add(double value, String... labelValues);
    }
}
