// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import io.gpuagent.mig.ComputeInstance;
import io.gpuagent.mig.ComputeProfile;
import io.gpuagent.mig.GpuProfile;
import io.gpuagent.mig.MigRequestException;
import io.gpuagent.mig.ProfileNames;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A compute instance that is to be.
 *
 * <p>NVML tells the compute profiles of a kind of GPU instance only where such an instance exists. Until then a plan
 * knows the name alone, and whoever carries it out looks up the id: by name, or for a full one as
 * {@link GpuProfile#fullCompute()} does.
 *
 * @param name the profile's name, such as {@code 1c.3g.71gb}; that of the GPU instance for a full one
 * @param slices compute slices
 * @param full whether it takes all of its GPU instance
 * @param profileId NVML's id; empty where it is not known yet
 * @param start its first compute slice; empty where the driver is to choose
 */
public record WantedCompute(String name, int slices, boolean full, OptionalInt profileId, OptionalInt start) {
    /** Largest first, those with a place before those without. */
    static final Comparator<WantedCompute> ORDER = Comparator.comparingInt(WantedCompute::slices)
            .reversed()
            .thenComparing(WantedCompute::name)
            .thenComparingInt(compute -> compute.start.orElse(Integer.MAX_VALUE));

    private static final Pattern PART = Pattern.compile("([1-9][0-9]?)c(?:\\.(.+))?");

    /**
     * The compute instance that takes all of a GPU instance.
     *
     * @param of the kind of GPU instance
     * @return it
     */
    public static WantedCompute full(GpuProfile of) {
        OptionalInt id =
                of.fullCompute().map(known -> OptionalInt.of(known.id())).orElse(OptionalInt.empty());
        return new WantedCompute(of.name(), of.slices(), true, id, OptionalInt.empty());
    }

    /**
     * Finds the profile of a name.
     *
     * @param of the kind of GPU instance
     * @param request what was asked for
     * @return the compute instance
     * @throws MigRequestException when the GPU instance offers no such one
     */
    public static WantedCompute resolve(GpuProfile of, ComputeRequest request) throws MigRequestException {
        WantedCompute found = find(of, request.profile()).orElseThrow(() -> unknown(of, request.profile()));
        if (request.start().isEmpty()) {
            return found;
        }
        int start = request.start().getAsInt();
        List<ComputeProfile> known = found.known(of).stream().toList();
        boolean isPlace = start >= 0
                && start + found.slices <= of.slices()
                && known.stream()
                        .allMatch(profile -> profile.placements().isEmpty()
                                || profile.placements().stream().anyMatch(at -> at.start() == start));
        if (!isPlace) {
            throw new MigRequestException(found.name + " cannot start at compute slice " + start + " of the "
                    + of.slices() + " of " + of.name());
        }
        return found.at(start);
    }

    private static Optional<WantedCompute> find(GpuProfile of, String text) {
        String name = ProfileNames.canonical(text);
        String whole = ProfileNames.canonical(of.name());
        if (name.equals(whole) || name.equals("full") || name.equals(ProfileNames.withoutMemory(of.name()))) {
            return Optional.of(full(of));
        }
        Matcher part = PART.matcher(name);
        if (!part.matches()) {
            return Optional.empty();
        }
        String rest = part.group(2);
        if (rest != null && !rest.equals(whole) && !rest.equals(ProfileNames.withoutMemory(of.name()))) {
            return Optional.empty();
        }
        int slices = Integer.parseInt(part.group(1));
        String driversName = slices + "c." + of.name();
        for (ComputeProfile profile : of.computes()) {
            if (profile.name().equals(driversName)) {
                boolean isFull = of.fullCompute().filter(profile::equals).isPresent();
                return Optional.of(new WantedCompute(
                        isFull ? of.name() : driversName,
                        slices,
                        isFull,
                        OptionalInt.of(profile.id()),
                        OptionalInt.empty()));
            }
        }
        if (slices == of.slices()) {
            return Optional.of(full(of));
        }
        return slices < of.slices() && of.computes().isEmpty()
                ? Optional.of(new WantedCompute(driversName, slices, false, OptionalInt.empty(), OptionalInt.empty()))
                : Optional.empty();
    }

    private static MigRequestException unknown(GpuProfile of, String text) {
        String offered = of.computes().isEmpty()
                ? (of.slices() == 1
                        ? of.name()
                        : "1c." + of.name() + " and the like, up to " + of.slices() + " slices, and " + of.name()
                                + " for all of it")
                : String.join(
                        ", ", of.computes().stream().map(ComputeProfile::name).toList());
        return new MigRequestException("a GPU instance " + of.name() + " has no compute instance "
                + ProfileNames.quoted(text) + "; it has " + offered);
    }

    /** Its profile, where the compute profiles of the GPU instance are known. */
    Optional<ComputeProfile> known(GpuProfile of) {
        return of.computes().stream()
                .filter(profile -> profileId.isPresent() && profile.id() == profileId.getAsInt())
                .findFirst();
    }

    WantedCompute at(int slice) {
        return new WantedCompute(name, slices, full, profileId, OptionalInt.of(slice));
    }

    /**
     * Whether an instance that exists is as wanted.
     *
     * @param live a compute instance of the same GPU instance
     * @return whether it is of this kind, and at this place where that is said
     */
    public boolean isMetBy(ComputeInstance live) {
        boolean isSame = profileId.isPresent() ? profileId.getAsInt() == live.profileId() : name.equals(live.name());
        return isSame
                && (start.isEmpty()
                        || live.placement()
                                .filter(at -> at.start() == start.getAsInt())
                                .isPresent());
    }
}
