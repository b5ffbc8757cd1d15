// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.read;

import io.gpuagent.mig.ComputeProfile;
import io.gpuagent.mig.Engines;
import io.gpuagent.mig.GpuProfile;
import io.gpuagent.mig.MigCard;
import io.gpuagent.mig.MigException;
import io.gpuagent.mig.Placement;
import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.ComputeInstanceProfile;
import io.gpuagent.nvml.GpuInstance;
import io.gpuagent.nvml.GpuInstanceProfile;
import io.gpuagent.nvml.Mig;
import io.gpuagent.nvml.NvmlReturn;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The profiles of one card. They take NVML about a millisecond each and do not change while the driver is loaded, so they
 * are read once. What compute instances a kind of GPU instance offers NVML tells only of one that exists; that is learned
 * when one is met, and kept.
 */
final class CardProfiles {
    private final int gpu;
    private final List<GpuProfile> profiles;
    /** By profile id of the GPU instance. */
    private final Map<Integer, List<ComputeProfile>> computes = new LinkedHashMap<>();

    private CardProfiles(int gpu, List<GpuProfile> profiles) {
        this.gpu = gpu;
        this.profiles = profiles;
    }

    static CardProfiles read(Mig mig, int gpu) throws MigException {
        List<GpuProfile> read = new ArrayList<>();
        for (GpuInstanceProfile profile : Asked.value(mig.profiles(), gpu)) {
            boolean isKnown = read.stream().anyMatch(known -> known.id() == profile.id());
            if (!isKnown) {
                read.add(profile(profile, places(Asked.value(mig.placements(profile.id()), gpu))));
            }
        }
        if (read.isEmpty()) {
            throw new MigException(
                    MigException.Cause.REFUSED,
                    NvmlReturn.NOT_SUPPORTED.code(),
                    "GPU " + gpu + " has no MIG profiles: it cannot be cut up");
        }
        return new CardProfiles(gpu, List.copyOf(read));
    }

    private static GpuProfile profile(GpuInstanceProfile read, List<Placement> places) {
        return new GpuProfile(
                read.id(),
                // The first version of the struct has no name; people can still write the id.
                read.name().orElse("id:" + read.id()),
                read.slices(),
                read.maxInstances(),
                read.multiprocessors(),
                new Engines(
                        read.copyEngines(), read.decoders(), read.encoders(), read.jpegEngines(), read.ofaEngines()),
                read.memoryMiB(),
                places,
                List.of());
    }

    static List<Placement> places(List<io.gpuagent.nvml.Placement> read) {
        return read.stream().map(CardProfiles::place).toList();
    }

    static Placement place(io.gpuagent.nvml.Placement read) {
        return new Placement(read.start(), read.size());
    }

    /** The card with all that has been learned. */
    MigCard card() {
        return new MigCard(profiles.stream().map(this::learned).toList());
    }

    Optional<GpuProfile> byId(int id) {
        return profiles.stream()
                .filter(profile -> profile.id() == id)
                .map(this::learned)
                .findFirst();
    }

    private GpuProfile learned(GpuProfile profile) {
        return new GpuProfile(
                profile.id(),
                profile.name(),
                profile.slices(),
                profile.most(),
                profile.multiprocessors(),
                profile.engines(),
                profile.memoryMebibytes(),
                profile.placements(),
                computes.getOrDefault(profile.id(), List.of()));
    }

    /** What compute instances a GPU instance offers; asked of the first one of its kind. */
    List<ComputeProfile> computes(GpuInstance instance, int profileId) throws MigException {
        List<ComputeProfile> known = computes.get(profileId);
        if (known != null) {
            return known;
        }
        GpuProfile whole = byId(profileId)
                .orElseThrow(() -> new MigException(
                        MigException.Cause.UNVERIFIED,
                        "GPU " + gpu + " has an instance of profile " + profileId + ", which NVML does not list"));
        List<ComputeProfile> read = new ArrayList<>();
        for (ComputeInstanceProfile profile : Asked.value(instance.profiles(), gpu)) {
            boolean isKnown = read.stream().anyMatch(other -> other.id() == profile.id());
            if (!isKnown) {
                read.add(compute(instance, profile, whole));
            }
        }
        computes.put(profileId, List.copyOf(read));
        return read;
    }

    private ComputeProfile compute(GpuInstance instance, ComputeInstanceProfile read, GpuProfile whole)
            throws MigException {
        Answer<List<io.gpuagent.nvml.Placement>> places = instance.placements(read.id());
        boolean isUntold = places instanceof Answer.Refused<?> refused
                && (refused.code().equals(NvmlReturn.FUNCTION_NOT_FOUND)
                        || refused.code().equals(NvmlReturn.NOT_SUPPORTED));
        return new ComputeProfile(
                read.id(),
                read.name()
                        .filter(name -> !name.isEmpty())
                        .orElse(read.slices() == whole.slices() ? whole.name() : read.slices() + "c." + whole.name()),
                read.slices(),
                read.multiprocessors(),
                isUntold ? List.of() : places(Asked.value(places, gpu)));
    }
}
