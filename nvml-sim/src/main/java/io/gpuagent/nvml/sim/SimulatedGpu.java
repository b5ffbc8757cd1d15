// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * One simulated GPU. Its readings move with the load of its seed until a setter pins one of them; readings that depend
 * on a pinned one follow it (power and temperature follow utilization) unless they are pinned too.
 */
public final class SimulatedGpu {
    private final Machine machine;
    private final int index;
    private final Description card;
    private final GpuIdentity identity;
    private final Faults faults = new Faults();
    private final GpuState state;
    private final Pins pins = new Pins();
    private final GpuSettings settings = new GpuSettings();
    private final RunningProcesses processes;
    private final Readings readings;
    private final SimulatedMig mig;

    SimulatedGpu(Machine machine, int index, GpuIdentity identity, Load load) {
        this.machine = machine;
        this.index = index;
        this.card = machine.description();
        this.identity = identity;
        this.state = new GpuState(machine.gate(), this::raise);
        this.processes = new RunningProcesses(
                card.figure("nvmlDeviceGetAccountingBufferSize").orElse(0));
        this.readings = new Readings(this, load, machine.clock()::second, pins);
        this.mig = new SimulatedMig(this, machine.gate(), machine.handles());
    }

    /**
     * Its place among the GPUs at the start of the machine. NVML's index is the same until the driver finds other GPUs, or
     * the same in another order.
     *
     * @return from 0
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
        machine.gate().change(() -> {
            state.countXid(xid);
            machine.raise(new Event(this, Event.XID, xid, gpuInstance, computeInstance));
        });
    }

    /**
     * Raises an event.
     *
     * @param type one bit of nvmlEventType*
     */
    public void raise(long type) {
        machine.raise(new Event(this, type, 0, Event.NO_INSTANCE, Event.NO_INSTANCE));
    }

    /** Stops the load: from now on the GPU reads as it was captured, idle and without processes. */
    public void freeze() {
        change(() -> pins.isFrozen = true);
    }

    /**
     * Pins utilization.
     *
     * @param gpu of the SMs, 0..100; more, or less than 0, is what a mistaken driver answers
     * @param memory of the memory controller, likewise
     */
    public void setUtilization(int gpu, int memory) {
        change(() -> {
            pins.gpuPercent = OptionalInt.of(gpu);
            pins.memoryPercent = OptionalInt.of(memory);
        });
    }

    /**
     * Pins the memory in use.
     *
     * @param bytes without what the driver keeps for itself
     */
    public void setMemoryUsed(long bytes) {
        if (bytes < 0 || bytes > card.hardware().memoryUsable()) {
            throw new IllegalArgumentException(bytes + " bytes are not within what the card can hand out");
        }
        change(() -> pins.memoryUsed = OptionalLong.of(bytes));
    }

    /**
     * Pins the temperature of the die.
     *
     * @param celsius degrees
     */
    public void setTemperature(int celsius) {
        change(() -> pins.temperature = OptionalInt.of(celsius));
    }

    /**
     * Pins the temperature of the memory.
     *
     * @param celsius degrees
     */
    public void setMemoryTemperature(int celsius) {
        change(() -> pins.memoryTemperature = OptionalInt.of(celsius));
    }

    /**
     * Pins the power drawn.
     *
     * @param milliwatts draw
     */
    public void setPower(int milliwatts) {
        change(() -> pins.power = OptionalInt.of(within(milliwatts, 0, Integer.MAX_VALUE, "power")));
    }

    /**
     * Pins why the clocks are lower than they could be.
     *
     * @param mask of nvmlClocksEventReason*
     */
    public void setClockReasons(long mask) {
        change(() -> pins.reasons = OptionalLong.of(mask));
    }

    /**
     * Pins what runs.
     *
     * @param running the processes; an empty list for none
     */
    public void setProcesses(List<SimulatedProcess> running) {
        change(() -> pins.processes = List.copyOf(running));
    }

    /** Forgets everything that was pinned; the load moves on. */
    public void unpin() {
        change(pins::forget);
    }

    /**
     * Starts a process beside those that run, or gives one that runs other memory or another place. Where a process runs
     * on an instance, that cannot be destroyed.
     *
     * @param process the process
     */
    public void start(SimulatedProcess process) {
        change(() -> processes.put(process, machine.clock().epochMicros(), readings.meter()));
    }

    /**
     * Ends a process that was started.
     *
     * @param pid its id
     * @return false where there was none
     */
    public boolean stop(int pid) {
        boolean[] ran = new boolean[1];
        change(() -> ran[0] = processes.stop(pid, machine.clock().epochMicros(), readings.meter()));
        return ran[0];
    }

    /**
     * Takes the GPU out of the machine while it runs: NVML numbers those that are left anew, and whoever has its handle is
     * told GPU_IS_LOST.
     */
    public void remove() {
        machine.remove(this);
    }

    /** Puts it back: NVML numbers it again, under a new handle. */
    public void comeBack() {
        machine.comeBack(this);
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
        return faults.isForced(Code.GPU_IS_LOST) || machine.isGone(this);
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

    /** Changes what readings depend on. */
    void change(Runnable change) {
        machine.gate().change(() -> {
            synchronized (this) {
                settle();
                change.run();
                changed();
            }
        });
    }

    /** What is left when the driver is loaded anew. */
    void reload() {
        change(() -> {
            readings.meter().restart();
            settings.reload();
            processes.forget();
            if (pins.processes != null) {
                pins.processes = List.of();
            }
        });
        state.reload();
        mig.reboot();
    }

    synchronized Map<String, Object> saved() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("uuid", uuid());
        members.put("state", state.saved());
        members.put("settings", settings.saved());
        members.put("pins", pins.saved());
        members.put("processes", processes.saved());
        members.put("mig", mig.document().saved());
        members.put("meter", readings.saved());
        return members;
    }

    synchronized void restore(JsonTree saved) {
        state.restore(saved.object("state"));
        settings.restore(saved.object("settings"));
        pins.restore(saved.object("pins"));
        processes.restore(saved.object("processes"));
        mig.document().restore(saved.object("mig"));
        readings.restore(saved.object("meter"));
    }

    /** Up to which second the counters are in the state that is kept. */
    synchronized long keptSecond() {
        return readings.keptSecond();
    }

    /** Guarded by the lock of this GPU. */
    GpuSettings settings() {
        return settings;
    }

    /** Guarded by the lock of this GPU. */
    RunningProcesses processes() {
        return processes;
    }

    /**
     * What goes wrong when this GPU is asked, or a part of it.
     *
     * @return to be changed at any time
     */
    public Faults faults() {
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

    /**
     * Starts every counter from zero that counts since the driver was loaded: energy, times of limited clocks, ECC errors
     * (not those for life) and errors of the PCIe link.
     */
    public void resetCounters() {
        change(() -> readings.meter().restart());
        state.clearVolatileErrors();
    }

    /** What a counter had when it was captured; nothing once the counters were reset. */
    synchronized long captured(long count) {
        return readings.meter().captured(count);
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
