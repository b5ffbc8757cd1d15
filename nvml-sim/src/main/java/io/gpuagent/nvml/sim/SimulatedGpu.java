// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One simulated GPU. Its readings move with the load of its seed until a setter pins one of them; readings that depend
 * on a pinned one follow it (power and temperature follow utilization) unless they are pinned too.
 */
public final class SimulatedGpu {
    private final int index;
    private final Description card;
    private final GpuIdentity identity;
    private final Load load;
    private final LongSupplier second;
    private final Faults faults = new Faults();
    private final GpuState state = new GpuState();

    private OptionalInt gpuPercent = OptionalInt.empty();
    private OptionalInt memoryPercent = OptionalInt.empty();
    private OptionalLong memoryUsed = OptionalLong.empty();
    private OptionalInt power = OptionalInt.empty();
    private OptionalInt temperature = OptionalInt.empty();
    private OptionalInt memoryTemperature = OptionalInt.empty();
    private OptionalLong reasons = OptionalLong.empty();
    private @Nullable List<SimulatedProcess> processes;
    private boolean isFrozen;

    private @Nullable Sensors current;
    private long currentSecond = -1;
    /** Energy up to the start of {@link #energySecond}, as the power of every second before it was. */
    private long energyMillijoules;

    private long energySecond;

    SimulatedGpu(int index, Description card, GpuIdentity identity, Load load, LongSupplier second) {
        this.index = index;
        this.card = card;
        this.identity = identity;
        this.load = load;
        this.second = second;
        this.energyMillijoules = card.energyMillijoules();
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

    /** Stops the load: from now on the GPU reads as it was captured, idle and without processes. */
    public synchronized void freeze() {
        settleEnergy();
        isFrozen = true;
        changed();
    }

    /**
     * Pins utilization.
     *
     * @param gpu of the SMs, 0..100; more, or less than 0, is what a mistaken driver answers
     * @param memory of the memory controller, likewise
     */
    public synchronized void setUtilization(int gpu, int memory) {
        settleEnergy();
        gpuPercent = OptionalInt.of(gpu);
        memoryPercent = OptionalInt.of(memory);
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
        memoryUsed = OptionalLong.of(bytes);
        changed();
    }

    /**
     * Pins the temperature of the die.
     *
     * @param celsius degrees
     */
    public synchronized void setTemperature(int celsius) {
        temperature = OptionalInt.of(celsius);
        changed();
    }

    /**
     * Pins the temperature of the memory.
     *
     * @param celsius degrees
     */
    public synchronized void setMemoryTemperature(int celsius) {
        memoryTemperature = OptionalInt.of(celsius);
        changed();
    }

    /**
     * Pins the power drawn.
     *
     * @param milliwatts draw
     */
    public synchronized void setPower(int milliwatts) {
        settleEnergy();
        power = OptionalInt.of(within(milliwatts, 0, Integer.MAX_VALUE, "power"));
        changed();
    }

    /**
     * Pins why the clocks are lower than they could be.
     *
     * @param mask of nvmlClocksEventReason*
     */
    public synchronized void setClockReasons(long mask) {
        reasons = OptionalLong.of(mask);
        changed();
    }

    /**
     * Pins what runs.
     *
     * @param running the processes; an empty list for none
     */
    public synchronized void setProcesses(List<SimulatedProcess> running) {
        processes = List.copyOf(running);
        changed();
    }

    /** Forgets everything that was pinned; the load moves on. */
    public synchronized void unpin() {
        settleEnergy();
        gpuPercent = OptionalInt.empty();
        memoryPercent = OptionalInt.empty();
        memoryUsed = OptionalLong.empty();
        power = OptionalInt.empty();
        temperature = OptionalInt.empty();
        memoryTemperature = OptionalInt.empty();
        reasons = OptionalLong.empty();
        processes = null;
        isFrozen = false;
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

    /** Everything that asks this GPU answers GPU_IS_LOST, as after it has fallen off the bus. */
    public void lose() {
        faults.answer(Faults.ALL, Code.GPU_IS_LOST);
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
        long now = second.getAsLong();
        @Nullable Sensors cached = current;
        if (cached == null || now != currentSecond) {
            cached = sensors(now);
            current = cached;
            currentSecond = now;
        }
        return cached;
    }

    synchronized long energyMillijoules() {
        settleEnergy();
        return energyMillijoules;
    }

    private void settleEnergy() {
        long now = second.getAsLong();
        if (!isFrozen) {
            // A milliwatt for a second is a millijoule.
            for (; energySecond < now; energySecond++) {
                energyMillijoules += power.orElseGet(() -> load.power(work(energySecond), energySecond));
            }
        }
        energySecond = now;
    }

    private double work(long at) {
        return gpuPercent.isPresent() ? gpuPercent.getAsInt() / 100.0 : load.work(at);
    }

    private Sensors sensors(long now) {
        Sensors moving = isFrozen ? frozen() : load.at(now);
        if (gpuPercent.isPresent()) {
            double work = work(now);
            moving = load.sensors(gpuPercent.getAsInt(), work, now, load.warmth(work), moving.processes());
        }
        List<SimulatedProcess> running = processes == null ? moving.processes() : processes;
        long inUse = processes == null
                ? moving.memoryUsed()
                : running.stream().mapToLong(SimulatedProcess::memory).sum();
        return new Sensors(
                moving.gpuPercent(),
                memoryPercent.orElse(moving.memoryPercent()),
                memoryUsed.orElse(inUse),
                power.orElse(moving.powerMilliwatts()),
                temperature.orElse(moving.temperature()),
                memoryTemperature.orElse(moving.memoryTemperature()),
                moving.graphicsMegahertz(),
                moving.memoryMegahertz(),
                moving.videoMegahertz(),
                reasons.orElse(moving.reasons()),
                running);
    }

    private Sensors frozen() {
        OperatingPoint idle = card.idle();
        return new Sensors(
                0,
                0,
                0,
                idle.powerMilliwatts(),
                idle.temperature(),
                idle.memoryTemperature(),
                idle.graphicsMegahertz(),
                idle.memoryMegahertz(),
                idle.videoMegahertz(),
                ClockReasons.IDLE,
                List.of());
    }

    private void changed() {
        current = null;
    }

    private static int within(int value, int least, int most, String what) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(what + " " + value + " is not within " + least + " to " + most);
        }
        return value;
    }
}
