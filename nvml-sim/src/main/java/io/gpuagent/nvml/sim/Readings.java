// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.ToLongBiFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * How the readings of a GPU come about: from its load, or from those of its MIG instances, and from what is pinned.
 * Guarded by the lock of the GPU.
 */
final class Readings {
    private final SimulatedGpu gpu;
    private final Description card;
    private final Load load;
    private final LongSupplier second;
    private final Pins pins;
    private final Meter meter;
    private @Nullable Sensors current;
    private long currentSecond = -1;
    private long settledSecond;
    private Checkpoint kept;

    Readings(SimulatedGpu gpu, Load load, LongSupplier second, Pins pins) {
        this.gpu = gpu;
        this.card = gpu.card();
        this.load = load;
        this.second = second;
        this.pins = pins;
        this.meter = new Meter(card.energyMillijoules());
        this.kept = new Checkpoint(0, meter.saved());
    }

    Sensors now() {
        long now = second.getAsLong();
        @Nullable Sensors cached = current;
        if (cached == null || now != currentSecond) {
            cached = sensors(now);
            current = cached;
            currentSecond = now;
        }
        return cached;
    }

    /** What has been counted up to now. */
    Meter meter() {
        settle();
        return meter;
    }

    long second() {
        return second.getAsLong();
    }

    /**
     * A reading of a second that may be over.
     *
     * @return what it was; as if the card had been idle where the second lies before the start
     */
    long past(long at, ToLongBiFunction<Meter, Long> counted, ToLongFunction<Sensors> current) {
        settle();
        if (at >= second()) {
            return current.applyAsLong(now());
        }
        return meter.remembers(at) ? counted.applyAsLong(meter, at) : current.applyAsLong(frozen());
    }

    /** Utilization of a GPU instance. */
    double percent(MigGpuInstance instance, long at) {
        return work(instance, at) * 100;
    }

    /** Something that readings depend on is different from now on. */
    void changed() {
        current = null;
        kept = new Checkpoint(settledSecond, meter.saved());
        gpu.mig().instances().all().forEach(MigGpuInstance::keep);
    }

    /**
     * What had been counted when something last changed; everybody can count on from there.
     *
     * @param second up to which was counted
     * @param meter what it stood at
     */
    private record Checkpoint(long second, Map<String, Object> meter) {}

    long keptSecond() {
        return kept.second();
    }

    Map<String, Object> saved() {
        Map<String, Object> members = new LinkedHashMap<>(kept.meter());
        members.put("second", kept.second());
        return members;
    }

    void restore(JsonTree saved) {
        long counted = saved.integer("second");
        meter.restore(saved);
        settledSecond = counted;
        current = null;
        kept = new Checkpoint(counted, meter.saved());
    }

    /** Counts the seconds that are over; before anything changes, so that they are counted as they were. */
    void settle() {
        long now = second.getAsLong();
        if (pins.isFrozen) {
            settledSecond = now;
        }
        for (; settledSecond < now; settledSecond++) {
            double work = work(settledSecond);
            int percent = percent(work);
            meter.count(
                    settledSecond,
                    percent,
                    pins.memoryPercent.orElse(Load.memoryPercent(percent)),
                    pins.power.orElseGet(() -> gpu.settings().power(load.power(work, settledSecond))),
                    pins.reasons.orElse(Load.reasons(percent, work)));
            for (MigGpuInstance instance : gpu.mig().instances().all()) {
                instance.count(work(instance, settledSecond));
            }
        }
    }

    private int percent(double work) {
        return pins.gpuPercent.orElse((int) Math.round(work * 100));
    }

    private double work(long at) {
        if (pins.gpuPercent.isPresent()) {
            return pins.gpuPercent.getAsInt() / 100.0;
        }
        if (gpu.state().migCurrent() == 0) {
            return load.work(at);
        }
        double sum = 0;
        for (MigGpuInstance instance : gpu.mig().instances().all()) {
            sum += work(instance, at) * instance.profile().multiprocessors();
        }
        return sum / gpu.mig().instances().card().multiprocessors();
    }

    /** Part of full work of a GPU instance in a second: that of its compute instances, by their share of its SMs. */
    private double work(MigGpuInstance instance, long at) {
        if (pins.gpuPercent.isPresent()) {
            return pins.gpuPercent.getAsInt() / 100.0;
        }
        double sum = 0;
        for (MigComputeInstance compute : instance.computes().values()) {
            sum += work(compute, at) * compute.profile().multiprocessors();
        }
        return sum / instance.profile().multiprocessors();
    }

    private double work(MigComputeInstance compute, long at) {
        if (compute.percent().isPresent()) {
            return compute.percent().getAsInt() / 100.0;
        }
        int instance = compute.owner().id();
        boolean isUsed = !pins.isFrozen
                && pinned().stream()
                        .anyMatch(process ->
                                process.gpuInstance() == instance && process.computeInstance() == compute.id());
        return isUsed ? load.work(instance, compute.id(), at) : 0;
    }

    private List<SimulatedProcess> pinned() {
        return with(pins.processes == null ? List.of() : pins.processes);
    }

    /** Those that run anyway, and those that somebody has started. */
    private List<SimulatedProcess> with(List<SimulatedProcess> running) {
        List<SimulatedProcess> started = gpu.processes().all();
        if (started.isEmpty()) {
            return running;
        }
        List<SimulatedProcess> all = new ArrayList<>(running);
        all.addAll(started);
        return List.copyOf(all);
    }

    private Sensors sensors(long now) {
        boolean isMig = gpu.state().migCurrent() == 1;
        Sensors moving = pins.isFrozen ? frozen() : isMig ? cutUp(now) : load.at(now);
        if (pins.gpuPercent.isPresent()) {
            double work = work(now);
            moving = load.sensors(pins.gpuPercent.getAsInt(), work, now, load.warmth(work), moving.processes());
        }
        List<SimulatedProcess> running = with(pins.processes == null ? moving.processes() : pins.processes);
        long inUse = gpu.mig().instances().idleBytes();
        if (pins.processes == null && !isMig) {
            inUse += moving.memoryUsed();
            inUse += gpu.processes().all().stream()
                    .mapToLong(SimulatedProcess::memory)
                    .sum();
        } else {
            inUse += running.stream().mapToLong(SimulatedProcess::memory).sum();
        }
        GpuSettings set = gpu.settings();
        return new Sensors(
                moving.gpuPercent(),
                pins.memoryPercent.orElse(moving.memoryPercent()),
                pins.memoryUsed.orElse(Math.min(inUse, card.hardware().memoryUsable())),
                pins.power.orElse(set.power(moving.powerMilliwatts())),
                pins.temperature.orElse(moving.temperature()),
                pins.memoryTemperature.orElse(moving.memoryTemperature()),
                set.graphics(moving.graphicsMegahertz()),
                set.memory(moving.memoryMegahertz()),
                moving.videoMegahertz(),
                pins.reasons.orElse(moving.reasons()),
                running);
    }

    /** In MIG mode there is nothing to run on but instances, so the load of the whole GPU is none. */
    private Sensors cutUp(long now) {
        double work = work(now);
        return load.sensors((int) Math.round(work * 100), work, now, load.warmth(work), List.of());
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
}
