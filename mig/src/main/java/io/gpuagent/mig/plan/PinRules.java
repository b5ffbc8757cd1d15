// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import io.gpuagent.mig.Claim;
import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.MigGpu;
import io.gpuagent.mig.MigRequestException;
import io.gpuagent.mig.Ownership;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/**
 * What must stay. Busy, held and foreign instances always do.
 *
 * @param includeReserved whether reserved instances may go all the same
 * @param includeUnknown whether those may go of which it cannot be seen who uses them; the driver still refuses where
 *     somebody does
 * @param idleGrace how long an instance stays reserved after something ran on it (configuration: mig.idle-grace)
 * @param keep ids of GPU instances that the user wants left as they are
 */
public record PinRules(boolean includeReserved, boolean includeUnknown, Duration idleGrace, Set<Integer> keep) {
    /** How long an instance stays reserved after something ran on it, where the configuration says nothing. */
    public static final Duration IDLE_GRACE = Duration.ofMinutes(10);

    /** Nothing but what is idle may go. */
    public static final PinRules STANDARD = new PinRules(false, false, IDLE_GRACE, Set.of());

    /** Takes a copy of the set. */
    public PinRules {
        keep = Set.copyOf(keep);
    }

    /**
     * These rules, with other instances kept.
     *
     * @param ids ids of GPU instances
     * @return the rules
     */
    public PinRules keeping(Set<Integer> ids) {
        return new PinRules(includeReserved, includeUnknown, idleGrace, ids);
    }

    /**
     * These rules, under which reserved instances may go.
     *
     * @return the rules
     */
    public PinRules includingReserved() {
        return new PinRules(true, includeUnknown, idleGrace, keep);
    }

    /**
     * These rules, under which instances may go of which it cannot be seen who uses them.
     *
     * @return the rules
     */
    public PinRules includingUnknown() {
        return new PinRules(includeReserved, true, idleGrace, keep);
    }

    /**
     * Checks that the instances to be kept exist.
     *
     * @param gpu the GPU
     * @throws MigRequestException when one of them does not
     */
    public void check(MigGpu gpu) throws MigRequestException {
        List<Integer> ids = gpu.instances().stream().map(GpuInstance::id).toList();
        for (int id : new TreeSet<>(keep)) {
            if (!ids.contains(id)) {
                throw new MigRequestException("there is no GPU instance " + id + " to keep on GPU "
                        + gpu.identity().index() + "; "
                        + (ids.isEmpty()
                                ? "it has none"
                                : "it has " + ids.toString().replaceAll("[\\[\\]]", "")));
            }
        }
    }

    /**
     * Why an instance must stay.
     *
     * @param instance the instance
     * @return the reasons, in the order of the claims; none where it may go
     */
    public List<Pin> pins(GpuInstance instance) {
        List<Pin> pins = new ArrayList<>();
        if (keep.contains(instance.id())) {
            pins.add(new Pin(instance, PinKind.KEEP, OptionalInt.empty(), "you want it left as it is"));
        }
        if (instance.ownership() == Ownership.FOREIGN) {
            pins.add(
                    new Pin(instance, PinKind.FOREIGN, OptionalInt.empty(), "it was not made or adopted by gpu-agent"));
        }
        for (Claim claim : instance.claims()) {
            kind(claim).ifPresent(kind -> pins.add(new Pin(instance, kind, claim.computeInstance(), claim.words())));
        }
        return List.copyOf(pins);
    }

    private Optional<PinKind> kind(Claim claim) {
        Optional<PinKind> reserved = includeReserved ? Optional.empty() : Optional.of(PinKind.RESERVED);
        return switch (claim) {
            case Claim.Runs _ -> Optional.of(PinKind.BUSY);
            case Claim.HoldsNode _ -> Optional.of(PinKind.HELD);
            case Claim.NamesDevice _, Claim.InContainer _ -> reserved;
            case Claim.RanLately lately -> isOver(lately) ? Optional.empty() : reserved;
            case Claim.MpsDaemon daemon -> daemon.clients() == 0 ? Optional.empty() : reserved;
            case Claim.NotVisible _ -> includeUnknown ? Optional.empty() : Optional.of(PinKind.UNKNOWN);
        };
    }

    /** Whether something ran there so long ago that it no longer counts. */
    boolean isOver(Claim claim) {
        return claim instanceof Claim.RanLately lately && lately.ago().compareTo(idleGrace) >= 0;
    }
}
