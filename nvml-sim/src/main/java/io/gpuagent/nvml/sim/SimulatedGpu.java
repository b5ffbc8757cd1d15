// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * One simulated GPU. Its readings move with the load of its seed until a setter pins one of them; readings that depend
 * on a pinned one follow it (power and temperature follow utilization) unless they are pinned too.
 */
public final class SimulatedGpu {
    private final int index;
    private final Description card;
    private final GpuIdentity identity;
    private final Consumer<Event> events;
    private final Faults faults = new Faults();
    private final GpuState state = new GpuState(this::raise);
    private final Pins pins = new Pins();
    private final Readings readings;
    private final SimulatedMig mig;

    SimulatedGpu(
            int index,
            Description card,
            GpuIdentity identity,
            Load load,
            LongSupplier second,
            Handles handles,
            Consumer<Event> events) {
        this.index = index;
        this.card = card;
        this.identity = identity;
        this.events = events;
        this.readings = new Readings(this, load, second, pins);
        this.mig = new SimulatedMig(this, handles);
    }

    /**
     * Its place among the GPUs.
     *
     * @return its NVML index
     */
    public int index() {
        return index;
    }

    /**
     * Its UUID.
     *
     * @return such as {@code GPU-6e2a…}
     */
    public String uuid() {
        return identity.uuid();
    }

    /**
     * Its PCI bus id.
     *
     * @return such as {@code 00000000:1A:00.0}
     */
    public String busId() {
        return identity.busId();
    }

    /**
     * The counters and modes that stay as they are until somebody changes them.
     *
     * @return to be read and changed at any time
     */
    public GpuState state() {
        return state;
    }

    /**
     * MIG on this GPU.
     *
     * @return to be read and changed at any time
     */
    public SimulatedMig mig() {
        return mig;
    }

    /**
     * Raises the event of an Xid error.
     *
     * @param xid its number
     */
    public void raiseXid(int xid) {
        raiseXid(xid, Event.NO_INSTANCE, Event.NO_INSTANCE);
    }

    /**
     * Raises the event of an Xid error on a MIG instance.
     *
     * @param xid its number
     * @param gpuInstance id of the GPU instance; all ones where none is to blame
     * @param computeInstance id of the compute instance, likewise
     */
    public void raiseXid(int xid, int gpuInstance, int computeInstance) {
        events.accept(new Event(this, Event.XID, xid, gpuInstance, computeInstance));
    }

    /**
     * Raises an event.
     *
     * @param type one bit of nvmlEventType*
     */
    public void raise(long type) {
        events.accept(new Event(this, type, 0, Event.NO_INSTANCE, Event.NO_INSTANCE));
    }

    /** Stops the load: from now on the GPU reads as it was captured, idle and without processes. */
    public synchronized void freeze() {
        settle();
        pins.isFrozen = true;
        changed();
    }

    /**
     * Pins utilization.
     *
     * @param gpu of the SMs, 0..100; more, or less than 0, is what a mistaken driver answers
     * @param memory of the memory controller, likewise
     */
    public synchronized void setUtilization(int gpu, int memory) {
        settle();
        pins.gpuPercent = OptionalInt.of(gpu);
        pins.memoryPercent = OptionalInt.of(memory);
        changed();
    }

    /**
     * Pins the memory in use.
     *
     * @param bytes without what the driver keeps for itself
     */
    public synchronized void setMemoryUsed(long bytes) {
        if (bytes < 0 || bytes > card.hardware().memoryUsable()) {
            throw new IllegalArgumentException(bytes + " bytes are not within what the card can hand out");
        }
        pins.memoryUsed = OptionalLong.of(bytes);
        changed();
    }

    /**
     * Pins the temperature of the die.
     *
     * @param celsius degrees
     */
    public synchronized void setTemperature(int celsius) {
        pins.temperature = OptionalInt.of(celsius);
        changed();
    }

    /**
     * Pins the temperature of the memory.
     *
     * @param celsius degrees
     */
    public synchronized void setMemoryTemperature(int celsius) {
        pins.memoryTemperature = OptionalInt.of(celsius);
        changed();
    }

    /**
     * Pins the power drawn.
     *
     * @param milliwatts draw
     */
    public synchronized void setPower(int milliwatts) {
        settle();
        pins.power = OptionalInt.of(within(milliwatts, 0, Integer.MAX_VALUE, "power"));
        changed();
    }

    /**
     * Pins why the clocks are lower than they could be.
     *
     * @param mask of nvmlClocksEventReason*
     */
    public synchronized void setClockReasons(long mask) {
        settle();
        pins.reasons = OptionalLong.of(mask);
        changed();
    }

    /**
     * Pins what runs.
     *
     * @param running the processes; an empty list for none
     */
    public synchronized void setProcesses(List<SimulatedProcess> running) {
        settle();
        pins.processes = List.copyOf(running);
        changed();
    }

    /** Forgets everything that was pinned; the load moves on. */
    public synchronized void unpin() {
        settle();
        pins.gpuPercent = OptionalInt.empty();
        pins.memoryPercent = OptionalInt.empty();
        pins.memoryUsed = OptionalLong.empty();
        pins.power = OptionalInt.empty();
        pins.temperature = OptionalInt.empty();
        pins.memoryTemperature = OptionalInt.empty();
        pins.reasons = OptionalLong.empty();
        pins.processes = null;
        pins.isFrozen = false;
        changed();
    }

    /**
     * Makes a function answer a code from now on.
     *
     * @param function C name, or {@code *} for all that ask this GPU
     * @param code an {@code nvmlReturn_t}
     */
    public void answer(String function, int code) {
        faults.answer(function, code);
    }

    /**
     * Makes the next calls of a function answer a code.
     *
     * @param function C name, or {@code *}
     * @param code an {@code nvmlReturn_t}
     * @param times how many calls
     */
    public void answerTimes(String function, int code, int times) {
        faults.answerTimes(function, code, times);
    }

    /**
     * Makes the next call of a function answer a code.
     *
     * @param function C name, or {@code *}
     * @param code an {@code nvmlReturn_t}
     */
    public void answerOnce(String function, int code) {
        faults.answerTimes(function, code, 1);
    }

    /**
     * Everything that asks this GPU answers GPU_IS_LOST, as after it has fallen off the bus; so does waiting for events,
     * once those that were raised are told.
     */
    public void lose() {
        faults.answer(Faults.ALL, Code.GPU_IS_LOST);
        raise(Event.GPU_UNAVAILABLE);
    }

    boolean isLost() {
        return faults.isForced(Code.GPU_IS_LOST);
    }

    /**
     * Makes a function hang.
     *
     * @param function C name, or {@code *} for all that ask this GPU
     * @return to see who hangs and to let go
     */
    public Hang hang(String function) {
        return faults.hang(function);
    }

    /** Ends all forced answers and hangs. */
    public void heal() {
        faults.clear();
    }

    Faults faults() {
        return faults;
    }

    GpuIdentity identity() {
        return identity;
    }

    Description card() {
        return card;
    }

    synchronized Sensors sensors() {
        return readings.now();
    }

    synchronized long energyMillijoules() {
        return readings.meter().energyMillijoules();
    }

    /** For how long any of the reasons in a mask of nvmlClocksEventReason* has held the clocks down. */
    synchronized long limitedNanos(long mask) {
        return readings.meter().limitedNanos(mask);
    }

    /** For those who hold the lock of this GPU. */
    Readings readings() {
        return readings;
    }

    /** To be called before anything changes that readings depend on. */
    synchronized void settle() {
        readings.settle();
    }

    /** To be called after that. */
    synchronized void changed() {
        readings.changed();
    }

    private static int within(int value, int least, int most, String what) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(what + " " + value + " is not within " + least + " to " + most);
        }
        return value;
    }
}
