// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.read;

import io.gpuagent.mig.Claim;
import io.gpuagent.mig.ComputeInstance;
import io.gpuagent.mig.ComputeProfile;
import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.GpuProfile;
import io.gpuagent.mig.MigException;
import io.gpuagent.mig.MigGpu;
import io.gpuagent.mig.Placement;
import io.gpuagent.model.GpuIdentity;
import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.ComputeInstanceInfo;
import io.gpuagent.nvml.Gpu;
import io.gpuagent.nvml.GpuInstanceInfo;
import io.gpuagent.nvml.MigDevice;
import io.gpuagent.nvml.Mode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Reads a GPU. What exists is what NVML lists as GPU instances: handles of MIG devices can outlive theirs in a library
 * that has been loaded for long, so a device of an instance that is not listed is left out. Takes about 20 ms on an H200;
 * not to be used by two threads at a time.
 */
public final class MigReader {
    /** An instance can go between being listed and being asked. */
    private static final int ATTEMPTS = 3;

    private final HostClaims host;
    /** By UUID of the GPU. */
    private final Map<String, CardProfiles> cards = new HashMap<>();

    /**
     * A reader.
     *
     * @param host what is known of those who use instances
     */
    public MigReader(HostClaims host) {
        this.host = host;
    }

    /** Forgets the profiles, as after another driver was loaded. */
    public void forget() {
        cards.clear();
    }

    /**
     * Reads a GPU.
     *
     * @param gpu the GPU
     * @param owned whose instances are
     * @return how it is
     * @throws MigException when NVML refuses: NOT_SUPPORTED by a card without MIG, NO_PERMISSION without access to
     *     {@code mig/monitor}, GPU_IS_LOST
     */
    public MigFacts read(Gpu gpu, OwnedInstances owned) throws MigException {
        for (int attempt = 1; ; attempt++) {
            try {
                return readOnce(gpu, owned);
            } catch (MigException e) {
                boolean isPassing = Asked.isGone(e.code()) || e.reason() == MigException.Cause.CHANGED;
                if (!isPassing || attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private MigFacts readOnce(Gpu gpu, OwnedInstances owned) throws MigException {
        int index = gpu.index();
        GpuIdentity identity = new GpuIdentity(index, Asked.value(gpu.identity().uuid(), index));
        Mode mode = Asked.value(gpu.modes().mig(), index);
        CardProfiles card = card(gpu, identity);
        List<Found> found = mode.current() ? instances(gpu, card) : List.of();
        List<MigDeviceFacts> devices = new ArrayList<>();
        boolean sawStale = !found.isEmpty() && devices(gpu, found, devices);
        HostClaims now = found.isEmpty() ? HostClaims.NONE : host.look(sight(gpu, identity));
        Map<Integer, List<Claim>> running = running(gpu, found, now);
        List<GpuInstance> instances = new ArrayList<>();
        for (Found each : found) {
            int id = each.info().id();
            List<Claim> claims = new ArrayList<>(running.getOrDefault(id, List.of()));
            claims.addAll(now.of(
                    identity,
                    id,
                    devices.stream()
                            .filter(device -> device.gpuInstance() == id)
                            .toList()));
            instances.add(new GpuInstance(
                    id,
                    each.profile(),
                    each.place(),
                    each.computes(),
                    owned.of(identity.uuid(), each.profile().id(), each.place()),
                    withoutPast(claims)));
        }
        String model = gpu.identity().name().value().orElse("GPU");
        return new MigFacts(mode.current(), mode.pending(), gpu(identity, model, card, instances), devices, sawStale);
    }

    private static MigGpu gpu(GpuIdentity identity, String model, CardProfiles card, List<GpuInstance> instances)
            throws MigException {
        try {
            return new MigGpu(identity, model, card.card(), instances);
        } catch (IllegalArgumentException torn) {
            throw new MigException(
                    MigException.Cause.CHANGED,
                    "the instances of GPU " + identity.index() + " changed while they were read: " + torn.getMessage());
        }
    }

    private CardProfiles card(Gpu gpu, GpuIdentity identity) throws MigException {
        CardProfiles known = cards.get(identity.uuid());
        if (known == null) {
            known = CardProfiles.read(gpu.mig(), gpu.index());
            cards.put(identity.uuid(), known);
        }
        return known;
    }

    private record Found(GpuInstanceInfo info, GpuProfile profile, Placement place, List<ComputeInstance> computes) {}

    private static List<Found> instances(Gpu gpu, CardProfiles card) throws MigException {
        List<Found> found = new ArrayList<>();
        for (GpuProfile profile : card.card().profiles()) {
            for (io.gpuagent.nvml.GpuInstance instance : Asked.value(gpu.mig().instances(profile.id()), gpu.index())) {
                GpuInstanceInfo info = Asked.value(instance.info(), gpu.index());
                List<ComputeInstance> computes = computes(gpu, card, instance, info);
                GpuProfile learned = card.byId(info.profileId()).orElse(profile);
                found.add(new Found(info, learned, CardProfiles.place(info.placement()), computes));
            }
        }
        return found;
    }

    private static List<ComputeInstance> computes(
            Gpu gpu, CardProfiles card, io.gpuagent.nvml.GpuInstance instance, GpuInstanceInfo of) throws MigException {
        List<ComputeInstance> computes = new ArrayList<>();
        for (ComputeProfile profile : card.computes(instance, of.profileId())) {
            for (io.gpuagent.nvml.ComputeInstance compute :
                    Asked.value(instance.computeInstances(profile.id()), gpu.index())) {
                ComputeInstanceInfo info = Asked.value(compute.info(), gpu.index());
                computes.add(new ComputeInstance(
                        info.id(),
                        info.profileId(),
                        profile.name(),
                        profile.slices(),
                        Optional.of(CardProfiles.place(info.placement()))));
            }
        }
        return computes;
    }

    /** Gathers the devices of what was found; whether there were others, which are stale. */
    private static boolean devices(Gpu gpu, List<Found> found, List<MigDeviceFacts> devices) throws MigException {
        boolean sawStale = false;
        for (MigDevice device : Asked.value(gpu.mig().devices(), gpu.index())) {
            Answer<Integer> instance = device.gpuInstanceId();
            Answer<Integer> compute = device.computeInstanceId();
            Answer<String> uuid = device.uuid();
            boolean isLive = instance instanceof Answer.Value<Integer>(Integer id)
                    && compute instanceof Answer.Value<Integer>(Integer computeId)
                    && exists(found, id, computeId)
                    && uuid instanceof Answer.Value<String>;
            if (isLive) {
                devices.add(new MigDeviceFacts(instance.orThrow(), compute.orThrow(), uuid.orThrow()));
            } else {
                sawStale = true;
            }
        }
        return sawStale;
    }

    /** Where something runs, that something ran lately says nothing more. */
    private static List<Claim> withoutPast(List<Claim> claims) {
        return claims.stream()
                .filter(claim -> !(claim instanceof Claim.RanLately)
                        || claims.stream()
                                .noneMatch(now -> now instanceof Claim.Runs
                                        && now.computeInstance().equals(claim.computeInstance())))
                .toList();
    }

    private static boolean exists(List<Found> found, int instance, int compute) {
        return found.stream()
                .filter(each -> each.info().id() == instance)
                .anyMatch(each -> each.computes().stream().anyMatch(known -> known.id() == compute));
    }

    private static HostClaims.Sight sight(Gpu gpu, GpuIdentity identity) {
        List<HostClaims.MpsClient> clients = new ArrayList<>();
        // An old driver has no such list, and who is in it is in that of all processes, too.
        for (io.gpuagent.nvml.ProcessInfo process :
                gpu.processes().mps().value().orElse(List.of())) {
            if (process.gpuInstanceId().isPresent()) {
                clients.add(new HostClaims.MpsClient(
                        Integer.toUnsignedLong(process.pid()),
                        process.gpuInstanceId().getAsInt(),
                        process.computeInstanceId()));
            }
        }
        OptionalInt minor =
                gpu.identity().minorNumber().value().map(OptionalInt::of).orElse(OptionalInt.empty());
        return new HostClaims.Sight(identity, minor, clients);
    }

    /** Who runs where; by id of the GPU instance. */
    private static Map<Integer, List<Claim>> running(Gpu gpu, List<Found> found, HostClaims host) {
        Map<Integer, List<Claim>> claims = new HashMap<>();
        if (found.isEmpty()) {
            return claims;
        }
        Answer<List<io.gpuagent.nvml.ProcessInfo>> compute = gpu.processes().compute();
        if (compute instanceof Answer.Refused<?> refused) {
            Claim unknown = new Claim.NotVisible("NVML answers " + refused.code() + " when asked for processes");
            found.forEach(each -> claims.put(each.info().id(), List.of(unknown)));
            return claims;
        }
        List<io.gpuagent.nvml.ProcessInfo> processes = new ArrayList<>(compute.orThrow());
        // Many cards have none of these, and say so by refusing.
        processes.addAll(gpu.processes().graphics().value().orElse(List.of()));
        for (io.gpuagent.nvml.ProcessInfo process : processes) {
            long pid = Integer.toUnsignedLong(process.pid());
            if (process.gpuInstanceId().isPresent() && !host.isMpsServer(pid)) {
                claims.computeIfAbsent(process.gpuInstanceId().getAsInt(), id -> new ArrayList<>())
                        .add(new Claim.Runs(host.holder(pid), process.computeInstanceId()));
            }
        }
        return claims;
    }
}
