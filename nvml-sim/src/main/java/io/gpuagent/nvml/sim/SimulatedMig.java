// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * MIG on one simulated GPU, as whoever stands beside the caller sees and changes it: other tools, other processes, and
 * the peculiarities of board and driver. What the caller does through NVML goes on in {@link MigInstances}.
 */
public final class SimulatedMig {
    /** Which free place an instance gets when its creator names none; drivers differ. */
    public enum Placing {
        /** The one with the highest start: seen on most. */
        LAST_START,
        /** The one with the lowest start. */
        FIRST_START
    }

    /** In which order the board numbers the places of its GPU instances. */
    public enum InstanceIds {
        /** Along the axis that users see. */
        STRAIGHT,
        /** With the halves of that axis exchanged. */
        SWAPPED
    }

    private final SimulatedGpu gpu;
    private final Object lock;
    private final MigInstances instances;
    private final ChangeGate gate;
    /** By holder: the GPU, a GPU instance or a compute instance. */
    private final Map<Long, Object> held = new TreeMap<>();

    private long holders;

    private Placing placing = Placing.LAST_START;
    private InstanceIds ids = InstanceIds.STRAIGHT;
    private OptionalInt activation = OptionalInt.empty();
    private boolean keepsStaleDevices;
    private int remnants;

    SimulatedMig(SimulatedGpu gpu, ChangeGate gate, Handles handles) {
        this.gpu = gpu;
        this.gate = gate;
        this.lock = gpu;
        this.instances = new MigInstances(gpu, this, handles);
    }

    /**
     * Sets where instances go that are created without a place.
     *
     * @param policy the rule
     */
    public void setPlacing(Placing policy) {
        synchronized (lock) {
            placing = policy;
        }
    }

    /**
     * Sets how the board numbers GPU instances; for those made from now on.
     *
     * @param map the numbering
     */
    public void setInstanceIds(InstanceIds map) {
        synchronized (lock) {
            ids = map;
        }
    }

    /**
     * Makes changes of the mode stay pending, whatever else.
     *
     * @param code what the activation status says: 16 (RESET_REQUIRED) in a virtual machine; empty to end it
     */
    public void refuseActivation(OptionalInt code) {
        synchronized (lock) {
            activation = code;
        }
    }

    /**
     * Makes the library go on to list MIG devices that are gone, as long-lived libraries do, until it is initialised
     * anew.
     *
     * @param keeps whether it does
     */
    public void keepStaleDevices(boolean keeps) {
        synchronized (lock) {
            keepsStaleDevices = keeps;
        }
    }

    /**
     * Makes the next destructions of GPU instances answer SUCCESS and change nothing.
     *
     * @param times how many
     */
    public void leaveRemnants(int times) {
        synchronized (lock) {
            remnants = times;
        }
    }

    /**
     * Holds the GPU: its mode cannot be changed, and no first GPU instance be made.
     *
     * @return to let go
     */
    public MigHolder hold() {
        return hold(() -> gpu);
    }

    /**
     * Holds a GPU instance.
     *
     * @param gpuInstance its id
     * @return to let go
     */
    public MigHolder hold(int gpuInstance) {
        return hold(() -> instances.byId(gpuInstance));
    }

    /**
     * Holds a compute instance.
     *
     * @param gpuInstance id of its GPU instance
     * @param computeInstance its id
     * @return to let go
     */
    public MigHolder hold(int gpuInstance, int computeInstance) {
        return hold(() -> instances.byId(gpuInstance, computeInstance));
    }

    private MigHolder hold(Supplier<Object> what) {
        long[] number = new long[1];
        gate.change(() -> {
            synchronized (lock) {
                number[0] = ++holders;
                held.put(number[0], what.get());
            }
        });
        return new MigHolder(() -> release(number[0]));
    }

    private void release(long holder) {
        gate.change(() -> {
            synchronized (lock) {
                held.remove(holder);
            }
        });
    }

    /**
     * Pins the utilization of a compute instance. Without it an instance on which processes run has a load of its own,
     * and others are idle.
     *
     * @param gpuInstance id of its GPU instance
     * @param computeInstance its id
     * @param percent of its SMs, 0..100
     */
    public void setUtilization(int gpuInstance, int computeInstance, int percent) {
        gpu.change(() -> instances.byId(gpuInstance, computeInstance).percent(OptionalInt.of(percent)));
    }

    /**
     * Turns MIG mode on or off, as another tool would with nothing in its way; instances go.
     *
     * @param on whether it is on
     */
    public void setMode(boolean on) {
        gate.change(() -> {
            gpu.change(() -> {
                instances.clear();
                gpu.state().setMig(on, on);
                // nvml.h: on a GPU in MIG mode these are off, and cannot be changed.
                if (on) {
                    gpu.state().setComputeMode(0);
                    gpu.processes().accounting().turn(false);
                }
            });
            gpu.raise(Event.MIG_CONFIG_CHANGE);
        });
    }

    /**
     * Makes a GPU instance, as another tool would.
     *
     * @param profile name of its profile, such as {@code 3g.71gb}
     * @param start its first memory slice
     * @param computes names of the profiles of its compute instances, each at the last free place
     * @return its id
     */
    public int create(String profile, int start, String... computes) {
        return gate.change(() -> createAll(profile, start, computes));
    }

    private int createAll(String profile, int start, String... computes) {
        synchronized (lock) {
            MigProfile wanted = instances.card().byName(profile).orElseThrow(() -> unknown(profile));
            MigGpuInstance made = instances.create(wanted, new Placement(start, wanted.size()));
            for (String name : computes) {
                ComputeProfile compute = made.computeProfiles().stream()
                        .filter(offered -> offered.name().equals(name))
                        .findFirst()
                        .orElseThrow(() -> unknown(name));
                Placement place = made.place(compute, Placing.LAST_START)
                        .orElseThrow(() -> new IllegalStateException(name + " does not fit"));
                instances.create(made, compute, place);
            }
            return made.id();
        }
    }

    private static IllegalArgumentException unknown(String profile) {
        return new IllegalArgumentException("this card has no profile " + profile);
    }

    /**
     * Destroys a GPU instance and its compute instances, as another tool would.
     *
     * @param gpuInstance its id
     */
    public void destroy(int gpuInstance) {
        gate.change(() -> {
            synchronized (lock) {
                MigGpuInstance gone = instances.byId(gpuInstance);
                List.copyOf(gone.computes().values()).forEach(instances::destroy);
                instances.destroy(gone);
            }
        });
    }

    /**
     * Resets the GPU: instances go, a pending mode comes.
     *
     * @throws IllegalStateException when something holds it or runs on it
     */
    public void reset() {
        gate.change(() -> {
            synchronized (lock) {
                if (isGpuInUse()) {
                    throw new IllegalStateException("GPU " + gpu.index() + " is in use and cannot be reset");
                }
                boolean pending = gpu.state().migPending() == 1;
                setMode(pending);
            }
        });
    }

    /** What a reboot, or loading the driver anew, leaves: no instances, and the mode only where the card stores it. */
    void reboot() {
        gpu.change(() -> {
            held.clear();
            boolean isOn = instances.isCapable()
                    && instances.card().storesMode()
                    && gpu.state().migPending() == 1;
            instances.clear();
            gpu.state().setMig(isOn, isOn);
        });
    }

    /** Guarded by the lock of the GPU, as are those who hold. */
    MigDocument document() {
        return new MigDocument(this);
    }

    /** By their numbers: those who hold something, and what. */
    Map<Long, Object> held() {
        return held;
    }

    /** How many have ever held something. */
    long holders() {
        return holders;
    }

    void holders(long count) {
        holders = count;
    }

    SimulatedGpu gpu() {
        return gpu;
    }

    /**
     * What there is, for tests to compare with.
     *
     * @return one text for each GPU instance, by place: {@code 3g.71gb@4} where one compute instance takes all of it;
     *     else with its compute instances and their places, such as {@code 3g.71gb@4{1c.3g.71gb@2}}
     */
    public List<String> layout() {
        gate.refresh();
        synchronized (lock) {
            return instances.all().stream()
                    .sorted(Comparator.comparingInt(
                            instance -> instance.placement().start()))
                    .map(SimulatedMig::describe)
                    .toList();
        }
    }

    private static String describe(MigGpuInstance instance) {
        String place = instance.profile().name() + "@" + instance.placement().start();
        List<String> computes = new ArrayList<>();
        for (MigComputeInstance compute : instance.computes().values()) {
            computes.add(compute.profile().name() + "@" + compute.placement().start());
        }
        boolean isWhole = computes.equals(List.of(instance.profile().name() + "@0"));
        return isWhole ? place : place + "{" + String.join(",", computes) + "}";
    }

    MigInstances instances() {
        return instances;
    }

    Placing placing() {
        return placing;
    }

    boolean isSwapped() {
        return ids == InstanceIds.SWAPPED;
    }

    OptionalInt refusedActivation() {
        return activation;
    }

    boolean keepsStaleDevices() {
        return keepsStaleDevices;
    }

    /** Whether this destruction is to be a lie; counts it. */
    boolean takeRemnant() {
        return remnants > 0 && remnants-- > 0;
    }

    boolean isHeld(@Nullable Object what) {
        return held.containsValue(what);
    }

    boolean isGpuInUse() {
        return !held.isEmpty() || !gpu.sensors().processes().isEmpty();
    }
}
