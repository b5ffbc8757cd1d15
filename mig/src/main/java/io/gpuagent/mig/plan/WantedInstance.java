// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import io.gpuagent.mig.GpuProfile;
import io.gpuagent.mig.MigCard;
import io.gpuagent.mig.MigRequestException;
import io.gpuagent.mig.Placement;
import io.gpuagent.mig.ProfileNames;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A GPU instance that is to be.
 *
 * @param profile its kind
 * @param start its first memory slice; empty where it does not matter
 * @param computes its compute instances, largest first; empty: those that are there, or one that takes all of it
 */
public record WantedInstance(GpuProfile profile, OptionalInt start, Optional<List<WantedCompute>> computes) {
    /** Sorts the compute instances. */
    public WantedInstance {
        computes =
                computes.map(list -> list.stream().sorted(WantedCompute.ORDER).toList());
    }

    /**
     * An instance wherever it fits.
     *
     * @param profile its kind
     * @return it
     */
    public static WantedInstance of(GpuProfile profile) {
        return new WantedInstance(profile, OptionalInt.empty(), Optional.empty());
    }

    /**
     * An instance at a place.
     *
     * @param profile its kind
     * @param start its first memory slice
     * @return it
     */
    public static WantedInstance at(GpuProfile profile, int start) {
        return new WantedInstance(profile, OptionalInt.of(start), Optional.empty());
    }

    /**
     * Finds what a request means on a card.
     *
     * @param card the card
     * @param request the request
     * @return as many equal ones as it counts
     * @throws MigRequestException when it can mean nothing there
     */
    public static List<WantedInstance> resolve(MigCard card, InstanceRequest request) throws MigRequestException {
        GpuProfile profile = new ProfileNames(card).resolve(request.profile());
        if (request.count() < 1) {
            throw new MigRequestException("count " + request.count() + " of " + profile.name()
                    + " is not possible; write 1 or more, or leave the entry out");
        }
        if (request.count() > profile.limit()) {
            throw new MigRequestException(
                    "this GPU has room for " + profile.limit() + " " + profile.name() + ", not for " + request.count());
        }
        if (request.start().isPresent()) {
            checkStart(profile, request.start().getAsInt(), request.count());
        }
        Optional<List<WantedCompute>> computes = Optional.empty();
        if (request.computes().isPresent()) {
            computes = Optional.of(resolve(profile, request.computes().get()));
        }
        return Collections.nCopies(request.count(), new WantedInstance(profile, request.start(), computes));
    }

    private static void checkStart(GpuProfile profile, int start, int count) throws MigRequestException {
        if (profile.placementAt(start).isEmpty()) {
            String starts = String.join(
                    ", ",
                    profile.placements().stream()
                            .map(Placement::start)
                            .map(String::valueOf)
                            .toList());
            throw new MigRequestException(
                    profile.name() + " cannot start at memory slice " + start + "; it can at " + starts);
        }
        if (count > 1) {
            throw new MigRequestException(count + " " + profile.name() + " cannot all start at memory slice " + start
                    + "; write an entry for each start");
        }
    }

    private static List<WantedCompute> resolve(GpuProfile profile, List<ComputeRequest> requests)
            throws MigRequestException {
        List<WantedCompute> computes = new ArrayList<>();
        for (ComputeRequest request : requests) {
            computes.add(WantedCompute.resolve(profile, request));
        }
        int slices = computes.stream().mapToInt(WantedCompute::slices).sum();
        String names =
                String.join(" + ", computes.stream().map(WantedCompute::name).toList());
        if (slices > profile.slices()) {
            throw new MigRequestException(
                    names + " need " + slices + " of the " + profile.slices() + " compute slices of " + profile.name());
        }
        computes.sort(WantedCompute.ORDER);
        if (new ComputeFit(profile).place(computes, List.of()).isEmpty()) {
            throw new MigRequestException(
                    names + " do not fit into " + profile.name() + " at the places they can have");
        }
        return computes;
    }

    /** Such as {@code 3g.71gb at 4 [1c.3g.71gb, 2c.3g.71gb]}. */
    String words() {
        String place = start.isPresent() ? " at " + start.getAsInt() : "";
        String inside = computes.map(list -> " ["
                        + String.join(
                                ", ", list.stream().map(WantedCompute::name).toList()) + "]")
                .orElse("");
        return profile.name() + place + inside;
    }
}
