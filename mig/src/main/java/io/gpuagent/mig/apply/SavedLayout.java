// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import io.gpuagent.mig.ComputeInstance;
import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.MigGpu;
import io.gpuagent.mig.Placement;
import io.gpuagent.mig.plan.Plan;
import io.gpuagent.mig.plan.PlannedCompute;
import io.gpuagent.mig.plan.PlannedInstance;
import io.gpuagent.mig.plan.Wanted;
import io.gpuagent.mig.plan.WantedCompute;
import io.gpuagent.mig.plan.WantedInstance;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A layout as it is kept in a file: what lies where, not by which ids.
 *
 * @param instances the GPU instances, by place
 */
public record SavedLayout(List<SavedInstance> instances) {
    private static final String UNKNOWN = "?";

    /** Takes a copy. */
    public SavedLayout {
        instances = List.copyOf(instances);
    }

    /**
     * A GPU instance.
     *
     * @param profile NVML's id of its profile
     * @param placement where it lies
     * @param computes its compute instances, in the order in which they are to be made: by id
     */
    public record SavedInstance(int profile, Placement placement, List<WantedCompute> computes) {
        /** Takes a copy. */
        public SavedInstance {
            computes = List.copyOf(computes);
        }

        Piece piece() {
            return Piece.of(profile, placement);
        }
    }

    /**
     * The layout of a GPU.
     *
     * @param gpu the GPU
     * @return what is on it
     */
    public static SavedLayout of(MigGpu gpu) {
        return new SavedLayout(gpu.instances().stream()
                .map(instance -> new SavedInstance(
                        instance.profile().id(),
                        instance.placement(),
                        instance.computes().stream()
                                .map(compute -> of(instance, compute))
                                .toList()))
                .toList());
    }

    static SavedLayout after(Plan plan) {
        return new SavedLayout(plan.after().stream().map(SavedLayout::of).toList());
    }

    Optional<SavedInstance> at(Piece piece) {
        return instances.stream()
                .filter(instance -> instance.piece().equals(piece))
                .findFirst();
    }

    boolean has(Piece piece) {
        return at(piece).isPresent();
    }

    private static SavedInstance of(PlannedInstance planned) {
        List<WantedCompute> computes = new ArrayList<>();
        for (PlannedCompute compute : planned.computes()) {
            planned.existing().ifPresent(live -> compute.existing().ifPresent(kept -> computes.add(of(live, kept))));
            compute.wanted().ifPresent(computes::add);
        }
        return new SavedInstance(planned.profile().id(), planned.placement(), computes);
    }

    private static WantedCompute of(GpuInstance of, ComputeInstance compute) {
        OptionalInt start =
                compute.placement().map(at -> OptionalInt.of(at.start())).orElse(OptionalInt.empty());
        return new WantedCompute(
                compute.name(),
                compute.slices(),
                compute.name().equals(of.profile().name()),
                OptionalInt.of(compute.profileId()),
                start);
    }

    /**
     * The layout as something to plan for: every instance at its place.
     *
     * @param gpu a GPU with the same card
     * @return what is wanted
     */
    public Wanted wanted(MigGpu gpu) {
        List<WantedInstance> wanted = new ArrayList<>();
        for (SavedInstance instance : instances) {
            gpu.card()
                    .byId(instance.profile())
                    .ifPresent(profile -> wanted.add(new WantedInstance(
                            profile, OptionalInt.of(instance.placement().start()), Optional.of(instance.computes()))));
        }
        return new Wanted(wanted);
    }

    /**
     * The layout as one line.
     *
     * @return such as {@code 9@4+4[1c.3g.71gb/1/p/0/2;2c.3g.71gb/2/p/1/0] 15@0+2[1g.35gb/1/f/?/?]}; {@code -} for nothing
     */
    public String text() {
        if (instances.isEmpty()) {
            return "-";
        }
        List<String> texts = new ArrayList<>();
        for (SavedInstance instance : instances) {
            List<String> computes =
                    instance.computes().stream().map(SavedLayout::text).toList();
            texts.add(instance.piece().text() + "[" + String.join(";", computes) + "]");
        }
        return String.join(" ", texts);
    }

    private static String text(WantedCompute compute) {
        // A name with one of our own marks in it was never seen; it must not break the file all the same.
        String name = compute.name().replaceAll("[^A-Za-z0-9.+:_-]", "_");
        return String.join(
                "/",
                name,
                String.valueOf(compute.slices()),
                compute.full() ? "f" : "p",
                number(compute.profileId()),
                number(compute.start()));
    }

    private static String number(OptionalInt number) {
        return number.isPresent() ? String.valueOf(number.getAsInt()) : UNKNOWN;
    }

    /**
     * Reads what {@link #text} wrote.
     *
     * @param text the line
     * @return the layout
     * @throws IllegalArgumentException or an IndexOutOfBoundsException, when it is none
     */
    public static SavedLayout parse(String text) {
        List<SavedInstance> instances = new ArrayList<>();
        for (String each : text.equals("-") ? new String[0] : text.split(" ", -1)) {
            int open = each.indexOf('[');
            Piece piece = Piece.parse(each.substring(0, open));
            String inside = each.substring(open + 1, each.length() - 1);
            List<WantedCompute> computes = new ArrayList<>();
            for (String compute : inside.isEmpty() ? new String[0] : inside.split(";", -1)) {
                computes.add(parseCompute(compute.split("/", -1)));
            }
            instances.add(new SavedInstance(piece.profile(), piece.place(), computes));
        }
        return new SavedLayout(instances);
    }

    private static WantedCompute parseCompute(String[] fields) {
        return new WantedCompute(
                fields[0],
                Integer.parseInt(fields[1]),
                fields[2].equals("f"),
                parseNumber(fields[3]),
                parseNumber(fields[4]));
    }

    private static OptionalInt parseNumber(String text) {
        return text.equals(UNKNOWN) ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(text));
    }
}
