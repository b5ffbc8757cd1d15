// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import io.gpuagent.mig.GpuProfile;
import io.gpuagent.mig.MigCard;
import io.gpuagent.mig.MigRequestException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The whole set of GPU instances that one GPU is to have. Their order does not matter.
 *
 * @param instances the instances; none empties the GPU
 */
public record Wanted(List<WantedInstance> instances) {
    private static final Comparator<WantedInstance> ORDER = Comparator.comparing(
                    WantedInstance::profile, GpuProfile.LARGEST_FIRST)
            .thenComparingInt(instance -> instance.start().orElse(Integer.MAX_VALUE))
            .thenComparing(instance -> instance.computes().map(Wanted::text).orElse("~"));

    /** Sorts the instances, so that nothing depends on the order of the request. */
    public Wanted {
        instances = instances.stream().sorted(ORDER).toList();
    }

    private static String text(List<WantedCompute> computes) {
        StringBuilder text = new StringBuilder();
        for (WantedCompute compute : computes) {
            text.append(compute.name())
                    .append('@')
                    .append(compute.start().orElse(-1))
                    .append(' ');
        }
        return text.toString();
    }

    /**
     * Finds what requests mean on a card.
     *
     * @param card the card
     * @param requests the requests
     * @return what is wanted
     * @throws MigRequestException about the first of them that can mean nothing there
     */
    public static Wanted resolve(MigCard card, List<InstanceRequest> requests) throws MigRequestException {
        List<WantedInstance> instances = new ArrayList<>();
        for (InstanceRequest request : requests) {
            instances.addAll(WantedInstance.resolve(card, request));
        }
        return new Wanted(instances);
    }

    /**
     * Says it in words.
     *
     * @return such as {@code 3g.71gb and 3 x 1g.18gb}
     */
    public String words() {
        Map<String, Integer> counts = new LinkedHashMap<>();
        instances.forEach(instance -> counts.merge(instance.words(), 1, Integer::sum));
        List<String> parts = new ArrayList<>();
        counts.forEach((words, count) -> parts.add(count == 1 ? words : count + " x " + words));
        if (parts.isEmpty()) {
            return "nothing";
        }
        String last = parts.removeLast();
        return parts.isEmpty() ? last : String.join(", ", parts) + " and " + last;
    }
}
