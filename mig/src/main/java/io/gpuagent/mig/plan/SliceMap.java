// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import io.gpuagent.mig.ComputeInstance;
import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.MigCard;
import io.gpuagent.mig.MigGpu;
import io.gpuagent.mig.Placement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;

/**
 * A GPU's memory slices and what lies on them, for people and for JSON.
 *
 * @param width how many slices
 * @param cells from the left, without gaps; a free slice is a cell of its own
 */
public record SliceMap(int width, List<SliceCell> cells) {
    private static final char FREE = '.';
    private static final char UNUSABLE = 'x';
    private static final char INCOMPLETE = '!';
    private static final char GOES = '-';
    private static final char NEW = '+';
    private static final char STAYS = 'k';
    private static final char CHANGES = 'c';
    /** What the driver would refuse comes first. */
    private static final List<PinKind> MOST_IMPORTANT_FIRST =
            List.of(PinKind.BUSY, PinKind.HELD, PinKind.UNKNOWN, PinKind.RESERVED, PinKind.FOREIGN, PinKind.KEEP);

    /** Takes a copy of the list. */
    public SliceMap {
        cells = List.copyOf(cells);
    }

    /**
     * What a sign means.
     *
     * @param sign a character of {@link SliceCell#signs()}
     * @return a few words
     */
    public static String meaning(char sign) {
        return switch (sign) {
            case FREE -> "free";
            case UNUSABLE -> "free, but nothing fits there";
            case INCOMPLETE -> "no compute instance";
            case GOES -> "goes";
            case NEW -> "new";
            case STAYS -> "stays";
            case CHANGES -> "stays, its compute instances change";
            default ->
                MOST_IMPORTANT_FIRST.stream()
                        .filter(kind -> kind.symbol() == sign)
                        .map(PinKind::word)
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException("no sign: " + sign));
        };
    }

    /**
     * A GPU as it is.
     *
     * @param gpu the GPU
     * @param rules what counts as a reason to stay
     * @return its map
     */
    public static SliceMap of(MigGpu gpu, PinRules rules) {
        List<Pin> pins = gpu.instances().stream()
                .flatMap(instance -> rules.pins(instance).stream())
                .toList();
        return now(gpu, pins, List.of());
    }

    /**
     * The GPU as it is before a plan.
     *
     * @param outcome a plan, or why there is none
     * @return the map
     */
    public static SliceMap before(PlanOutcome outcome) {
        List<GpuInstance> going = switch (outcome) {
            case Plan plan -> plan.destroyed();
            case Impossible _ -> List.of();
        };
        return now(outcome.before(), outcome.pins(), going);
    }

    /**
     * The GPU as it is after a plan.
     *
     * @param plan the plan
     * @return the map
     */
    public static SliceMap after(Plan plan) {
        List<SliceCell> cells = new ArrayList<>();
        for (PlannedInstance instance : plan.after()) {
            boolean changes = instance.computes().stream()
                            .anyMatch(compute -> compute.existing().isEmpty())
                    || instance.existing()
                            .filter(live ->
                                    live.computes().size() > instance.computes().size())
                            .isPresent();
            char sign = instance.existing().isEmpty() ? NEW : changes ? CHANGES : STAYS;
            String signs = instance.computes().isEmpty() ? "" + sign + INCOMPLETE : "" + sign;
            OptionalInt id =
                    instance.existing().map(live -> OptionalInt.of(live.id())).orElse(OptionalInt.empty());
            List<String> computes =
                    instance.computes().stream().map(PlannedCompute::name).toList();
            cells.add(new SliceCell(instance.placement(), instance.profile().name(), id, computes, signs));
        }
        return filled(plan.before().card(), cells);
    }

    private static SliceMap now(MigGpu gpu, List<Pin> pins, List<GpuInstance> going) {
        List<SliceCell> cells = new ArrayList<>();
        for (GpuInstance instance : gpu.instances()) {
            StringBuilder signs = new StringBuilder();
            if (going.contains(instance)) {
                signs.append(GOES);
            }
            for (PinKind kind : MOST_IMPORTANT_FIRST) {
                if (pins.stream()
                        .anyMatch(pin -> pin.kind() == kind && pin.instance().equals(instance))) {
                    signs.append(kind.symbol());
                }
            }
            if (instance.computes().isEmpty()) {
                signs.append(INCOMPLETE);
            }
            cells.add(new SliceCell(
                    instance.placement(),
                    instance.profile().name(),
                    OptionalInt.of(instance.id()),
                    instance.computes().stream().map(ComputeInstance::name).toList(),
                    signs.toString()));
        }
        return filled(gpu.card(), cells);
    }

    private static SliceMap filled(MigCard card, List<SliceCell> instances) {
        List<SliceCell> cells = new ArrayList<>(instances);
        int width = card.width();
        long taken = 0;
        for (SliceCell cell : instances) {
            taken |= cell.placement().mask();
            width = Math.max(width, cell.placement().end());
        }
        long usable = 0;
        for (Placement place :
                card.profiles().stream().flatMap(p -> p.placements().stream()).toList()) {
            usable |= (place.mask() & taken) == 0 ? place.mask() : 0;
        }
        for (int slice = 0; slice < width; slice++) {
            if ((taken & 1L << slice) == 0) {
                char sign = (usable & 1L << slice) == 0 ? UNUSABLE : FREE;
                cells.add(new SliceCell(
                        new Placement(slice, 1), "", OptionalInt.empty(), List.of(), String.valueOf(sign)));
            }
        }
        cells.sort(Comparator.comparingInt(cell -> cell.placement().start()));
        return new SliceMap(width, cells);
    }
}
