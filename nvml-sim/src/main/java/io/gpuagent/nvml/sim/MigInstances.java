// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The instances of one GPU and the rules by which they come and go. Every method holds the lock of the GPU; what a rule
 * forbids ends with the code that the driver answers.
 */
final class MigInstances {
    private final SimulatedGpu gpu;
    private final SimulatedMig mig;
    private final Handles handles;
    private final @Nullable MigDescription card;
    /** By id. */
    private final TreeMap<Integer, MigGpuInstance> live = new TreeMap<>();

    private long made;

    /** By MIG device index; null where a device has gone and no other has come. */
    private final List<@Nullable MigDevice> devices = new ArrayList<>();

    MigInstances(SimulatedGpu gpu, SimulatedMig mig, Handles handles) {
        this.gpu = gpu;
        this.mig = mig;
        this.handles = handles;
        this.card = gpu.card().mig();
    }

    boolean isCapable() {
        return card != null;
    }

    MigDescription card() {
        if (card == null) {
            throw new Refusal(Code.NOT_SUPPORTED);
        }
        return card;
    }

    void requireMode() {
        if (card == null || gpu.state().migCurrent() == 0) {
            throw new Refusal(Code.NOT_SUPPORTED);
        }
    }

    Collection<MigGpuInstance> all() {
        return live.values();
    }

    boolean exist() {
        synchronized (gpu) {
            return !live.isEmpty();
        }
    }

    MigPlacing placing() {
        return new MigPlacing(card(), live.values());
    }

    MigGpuInstance byId(int id) {
        @Nullable MigGpuInstance found = live.get(id);
        if (found == null) {
            throw new NoSuchElementException("GPU " + gpu.index() + " has no GPU instance " + id);
        }
        return found;
    }

    MigComputeInstance byId(int id, int computeId) {
        @Nullable MigComputeInstance found = byId(id).computes().get(computeId);
        if (found == null) {
            throw new NoSuchElementException("GPU instance " + id + " has no compute instance " + computeId);
        }
        return found;
    }

    /** What the instances use while nothing runs on them. */
    long idleBytes() {
        return card == null
                ? 0
                : live.values().stream().mapToLong(this::idleBytes).sum();
    }

    long idleBytes(MigGpuInstance instance) {
        return instance.placement().size() * card().idleSlice();
    }

    /** What is in use of the memory of a GPU instance, which its compute instances share. */
    long usedBytes(MigGpuInstance instance) {
        long used = gpu.sensors().processes().stream()
                .filter(process -> process.gpuInstance() == instance.id())
                .mapToLong(SimulatedProcess::memory)
                .sum();
        return Math.min(instance.profile().bytes(), idleBytes(instance) + used);
    }

    Optional<MigGpuInstance> find(int id) {
        synchronized (gpu) {
            return Optional.ofNullable(live.get(id));
        }
    }

    /**
     * Changes the mode.
     *
     * @return the activation status: SUCCESS, or why the change stays pending
     */
    int setMode(boolean wanted) {
        synchronized (gpu) {
            boolean isOn = gpu.state().migCurrent() == 1;
            card();
            gpu.state().setMig(isOn, wanted);
            if (wanted == isOn) {
                return Code.SUCCESS;
            }
            if (mig.refusedActivation().isPresent()) {
                return mig.refusedActivation().getAsInt();
            }
            if (mig.isGpuInUse() || !live.isEmpty()) {
                return Code.IN_USE;
            }
            mig.setMode(wanted);
            return Code.SUCCESS;
        }
    }

    MigGpuInstance create(MigProfile profile, @Nullable Placement wanted) {
        MigGpuInstance instance;
        synchronized (gpu) {
            requireMode();
            // The driver takes the first instance as a change of the whole GPU; those after it need no idle GPU.
            if (live.isEmpty() && mig.isGpuInUse()) {
                throw new Refusal(Code.IN_USE);
            }
            MigPlacing placing = placing();
            Placement place = wanted == null
                    ? placing.place(profile, mig.placing()).orElseThrow(() -> new Refusal(Code.INSUFFICIENT_RESOURCES))
                    : wanted;
            if (!profile.placements().contains(place)) {
                throw new Refusal(Code.INVALID_ARGUMENT);
            }
            if (!placing.fits(profile, place)) {
                throw new Refusal(Code.INSUFFICIENT_RESOURCES);
            }
            int id = card().instanceId(place, mig.isSwapped());
            gpu.settle();
            instance = add(++made, id, profile, place);
            gpu.changed();
        }
        gpu.raise(Event.MIG_CONFIG_CHANGE);
        return instance;
    }

    MigComputeInstance create(MigGpuInstance owner, ComputeProfile profile, @Nullable Placement wanted) {
        MigComputeInstance compute;
        synchronized (gpu) {
            requireLive(owner);
            Placement place = wanted == null
                    ? owner.place(profile, mig.placing()).orElseThrow(() -> new Refusal(Code.INSUFFICIENT_RESOURCES))
                    : wanted;
            if (!profile.placements().contains(place)) {
                throw new Refusal(Code.INVALID_ARGUMENT);
            }
            if (!owner.hasRoom(place)) {
                throw new Refusal(Code.INSUFFICIENT_RESOURCES);
            }
            compute = add(owner, ++made, owner.nextComputeId(), profile, place);
            gpu.changed();
        }
        gpu.raise(Event.MIG_CONFIG_CHANGE);
        return compute;
    }

    MigGpuInstance add(long number, int id, MigProfile profile, Placement place) {
        MigGpuInstance instance =
                new MigGpuInstance(gpu, number, id, profile, place, ComputeProfile.of(profile, card()));
        instance.handle(handles.add(instance));
        live.put(id, instance);
        return instance;
    }

    MigComputeInstance add(MigGpuInstance owner, long number, int id, ComputeProfile profile, Placement place) {
        MigComputeInstance compute = new MigComputeInstance(owner, number, id, profile, place);
        compute.handle(handles.add(compute));
        owner.computes().put(id, compute);
        addDevice(compute);
        return compute;
    }

    void destroy(MigComputeInstance compute) {
        synchronized (gpu) {
            requireLive(compute);
            if (mig.isHeld(compute) || runsOn(compute.owner().id(), compute.id())) {
                throw new Refusal(Code.IN_USE);
            }
            gpu.settle();
            remove(compute);
            gpu.changed();
        }
        gpu.raise(Event.MIG_CONFIG_CHANGE);
    }

    void destroy(MigGpuInstance instance) {
        synchronized (gpu) {
            requireLive(instance);
            if (mig.isHeld(instance) || !instance.computes().isEmpty() || runsOn(instance.id(), -1)) {
                throw new Refusal(Code.IN_USE);
            }
            if (mig.takeRemnant()) {
                return;
            }
            gpu.settle();
            remove(instance);
            gpu.changed();
        }
        gpu.raise(Event.MIG_CONFIG_CHANGE);
    }

    /** Whether a process runs on a GPU instance, or on one compute instance of it. */
    private boolean runsOn(int id, int computeId) {
        return gpu.sensors().processes().stream()
                .anyMatch(process ->
                        process.gpuInstance() == id && (computeId < 0 || process.computeInstance() == computeId));
    }

    /** Everything goes, whoever holds it. */
    void clear() {
        for (MigGpuInstance instance : List.copyOf(live.values())) {
            List.copyOf(instance.computes().values()).forEach(this::remove);
            remove(instance);
        }
        forgetStaleDevices();
    }

    /** How many instances of either kind were ever made. */
    long made() {
        return made;
    }

    void made(long count) {
        made = count;
    }

    void remove(MigGpuInstance instance) {
        live.remove(instance.id());
        handles.remove(instance.handle());
    }

    void remove(MigComputeInstance compute) {
        compute.owner().computes().remove(compute.id());
        handles.remove(compute.handle());
        if (!mig.keepsStaleDevices()) {
            handles.remove(compute.device().handle());
            devices.set(compute.device().index(), null);
        }
    }

    private void addDevice(MigComputeInstance compute) {
        int index = devices.indexOf(null);
        if (index < 0) {
            index = devices.size();
            devices.add(null);
        }
        long handle = handles.add(compute);
        setDevice(index, new MigDevice(compute, handle, index));
    }

    private void setDevice(int index, MigDevice device) {
        handles.replace(device.handle(), device);
        device.compute().device(device);
        devices.set(index, device);
    }

    /** What a fresh initialisation does: dead devices go, and the others are numbered by their ids. */
    void forgetStaleDevices() {
        synchronized (gpu) {
            for (MigDevice device : devices) {
                if (device != null && !isLive(device.compute())) {
                    handles.remove(device.handle());
                }
            }
            devices.clear();
            for (MigGpuInstance instance : live.values()) {
                for (MigComputeInstance compute : instance.computes().values()) {
                    devices.add(null);
                    int index = devices.size() - 1;
                    setDevice(index, new MigDevice(compute, compute.device().handle(), index));
                }
            }
        }
    }

    Optional<MigDevice> device(int index) {
        synchronized (gpu) {
            return index < devices.size() ? Optional.ofNullable(devices.get(index)) : Optional.empty();
        }
    }

    List<MigDevice> devices() {
        synchronized (gpu) {
            List<MigDevice> known = new ArrayList<>();
            for (MigDevice device : devices) {
                if (device != null) {
                    known.add(device);
                }
            }
            return known;
        }
    }

    void requireLive(MigGpuInstance instance) {
        if (live.get(instance.id()) != instance) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
    }

    private void requireLive(MigComputeInstance compute) {
        if (!isLive(compute)) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
    }

    private boolean isLive(MigComputeInstance compute) {
        MigGpuInstance owner = compute.owner();
        return live.get(owner.id()) == owner && owner.computes().get(compute.id()) == compute;
    }
}
