// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import io.gpuagent.mig.Engines;
import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.GpuProfile;
import io.gpuagent.mig.MigGpu;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds out why a layout cannot be reached. Sets of pinned instances are tried without their pins, smaller ones first;
 * a card holds eight instances at the most today, which makes 255 sets.
 */
record Obstacle(MigGpu gpu, Wanted wanted, Pins pins, LayoutSearch search) {
    /** A set of instances, as bits, without whose pins there is a plan. */
    private record Eviction(long set, PinKind hardestPin, FoundLayout found) {
        boolean isBetterThan(Eviction other) {
            int order = hardestPin.compareTo(other.hardestPin);
            order = order != 0 ? order : found.compareTo(other.found);
            return order < 0;
        }
    }

    Impossible outcome() {
        if (search.search(0) == null) {
            return new Impossible(gpu, wanted, pins.all(), List.of(), neverFits());
        }
        List<GpuInstance> evict = new ArrayList<>();
        long set = smallestEviction();
        for (int i = 0; i < gpu.instances().size(); i++) {
            if ((set & 1L << i) != 0) {
                evict.add(gpu.instances().get(i));
            }
        }
        return new Impossible(gpu, wanted, pins.all(), evict, sentence(evict));
    }

    private long smallestEviction() {
        long pinned = pins.pinned();
        for (int size = 1; size <= Long.bitCount(pinned); size++) {
            Eviction best = null;
            // Each subset of the pinned ones, from the highest instances down.
            for (long set = pinned; set != 0; set = (set - 1) & pinned) {
                if (Long.bitCount(set) != size) {
                    continue;
                }
                FoundLayout found = search.search(pinned & ~set);
                if (found != null) {
                    Eviction eviction = new Eviction(set, hardestPin(set), found);
                    best = best == null || eviction.isBetterThan(best) ? eviction : best;
                }
            }
            if (best != null) {
                return best.set;
            }
        }
        return pinned;
    }

    private PinKind hardestPin(long set) {
        PinKind hardest = PinKind.RESERVED;
        for (int i = 0; i < gpu.instances().size(); i++) {
            if ((set & 1L << i) != 0) {
                for (Pin pin : pins.of(i)) {
                    hardest = pin.kind().compareTo(hardest) > 0 ? pin.kind() : hardest;
                }
            }
        }
        return hardest;
    }

    private String sentence(List<GpuInstance> evict) {
        List<Pin> reasons = pins.all().stream()
                .filter(pin -> evict.contains(pin.instance()))
                .toList();
        boolean isOne = evict.size() == 1;
        String names = join(evict.stream().map(GpuInstance::label).toList());
        // Of several the list of pins tells why; in a sentence it would be a paragraph.
        String why =
                isOne ? ": " + String.join("; ", reasons.stream().map(Pin::why).toList()) : "";
        String help = "";
        if (reasons.stream().allMatch(pin -> pin.kind() == PinKind.RESERVED)) {
            help = "; --include-reserved moves " + (isOne ? "it" : "them") + " all the same";
        } else if (reasons.stream().allMatch(pin -> pin.kind() == PinKind.FOREIGN)) {
            help = "; adopt " + (isOne ? "it to have it" : "them to have them") + " moved";
        }
        return wanted.words() + " cannot be reached on GPU " + gpu.identity().index() + " unless " + names
                + (isOne ? " goes" : " go") + why + help;
    }

    private String neverFits() {
        String start = wanted.words() + " never " + (wanted.instances().size() == 1 ? "fits" : "fit") + " on an empty "
                + gpu.model() + ": ";
        int slices = wanted.instances().stream()
                .mapToInt(instance -> instance.profile().size())
                .sum();
        int width = gpu.card().width();
        if (slices > width) {
            return start + "together " + slices + " of " + width + " memory slices";
        }
        Map<GpuProfile, Integer> counts = new LinkedHashMap<>();
        Engines engines = Engines.NONE;
        for (WantedInstance instance : wanted.instances()) {
            counts.merge(instance.profile(), 1, Integer::sum);
            engines = engines.plus(instance.profile().engines());
        }
        GpuProfile tooMany = tooMany(counts);
        if (tooMany != null) {
            return start + "there is room for " + tooMany.limit() + " " + tooMany.name();
        }
        String shortage = engines.shortage(gpu.card().engines());
        return start + (shortage.isEmpty() ? "the places they can have overlap" : "together " + shortage);
    }

    private static @Nullable GpuProfile tooMany(Map<GpuProfile, Integer> counts) {
        for (Map.Entry<GpuProfile, Integer> count : counts.entrySet()) {
            if (count.getValue() > count.getKey().limit()) {
                return count.getKey();
            }
        }
        return null;
    }

    private static String join(List<String> names) {
        List<String> head = new ArrayList<>(names);
        String last = head.removeLast();
        return head.isEmpty() ? last : String.join(", ", head) + " and " + last;
    }
}
