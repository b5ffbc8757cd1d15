// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.ArrayList;
import java.util.List;

/**
 * The work that a simulated GPU does: a pure function of seed, GPU and second, so that two runs with one seed are alike
 * and a test can tell exactly what it will read.
 *
 * <p>Work comes and goes in waves of about a minute. Power follows work at once, temperature follows the power of the
 * last half minute. GPU 0 has nothing to do.
 */
final class Load {
    /** How much the memory controller has to do for each part of full work. */
    static final double MEMORY_SHARE = 0.6;

    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;
    /** Seconds between two levels of work that were drawn at random; between them work goes over smoothly. */
    private static final int WAVE = 20;
    /** Seconds over which heat builds up. */
    private static final int INERTIA = 30;
    /** Part of full work from which the card holds its clock down to stay within its power limit. */
    private static final double POWER_CAPPED = 0.97;

    private final long seed;
    private final int gpu;
    private final Description card;

    Load(long seed, int gpu, Description card) {
        this.seed = seed;
        this.gpu = gpu;
        this.card = card;
    }

    /** Part of full work, 0..1. */
    double work(long second) {
        return gpu == 0 ? 0 : wave(1, second);
    }

    /** Part of full work of a MIG compute instance on which something runs, 0..1. */
    double work(int gpuInstance, int computeInstance, long second) {
        return wave(100 + 16L * gpuInstance + 2L * computeInstance, second);
    }

    private double wave(long stream, long second) {
        long step = Math.floorDiv(second, WAVE);
        double position = (double) Math.floorMod(second, WAVE) / WAVE;
        double smooth = position * position * (3 - 2 * position);
        double level = random(stream, step) * (1 - smooth) + random(stream, step + 1) * smooth;
        // Stretched, so that full work and none at all both happen.
        return Math.clamp((level - 0.2) * 1.6 + 0.04 * (random(stream + 1, second) - 0.5), 0, 1);
    }

    /** Milliwatts drawn for this much work in this second. */
    int power(double work, long second) {
        double span = card.busy().powerMilliwatts() - card.idle().powerMilliwatts();
        double jitter = random(3, second) * 0.004 * span;
        return (int) (card.idle().powerMilliwatts() + span * 0.996 * Math.pow(work, 0.85) + jitter);
    }

    /** Degrees by which the die is warmer than idle, after the power of the last half minute. */
    int warmth(long second) {
        double sum = 0;
        for (int age = 0; age < INERTIA; age++) {
            sum += Math.pow(work(second - age), 0.85);
        }
        return warmth(sum / INERTIA);
    }

    int warmth(double work) {
        return (int) Math.round(work * (card.busy().temperature() - card.idle().temperature()));
    }

    List<SimulatedProcess> processes(long second) {
        List<SimulatedProcess> processes = new ArrayList<>();
        int slots = gpu == 0 ? 0 : 2 + (int) (random(4, 0) * 3);
        for (int slot = 0; slot < slots; slot++) {
            // The first one stays, the others come and go every few minutes.
            long shift = second / (150 + 40L * slot);
            if (slot == 0 || random(10 + slot, shift) < 0.6) {
                long shiftPid = slot == 0 ? 0 : shift % 1000;
                int pid = SimulatedProcess.FIRST_PID + gpu * 10_000 + slot * 1_000 + (int) shiftPid;
                processes.add(new SimulatedProcess(pid, SimulatedProcess.Kind.COMPUTE, memory(slot, second)));
            }
        }
        return List.copyOf(processes);
    }

    private long memory(int slot, long second) {
        long most = card.hardware().memoryUsable() / 5;
        long base = Math.min(most / 2, (2 + (long) (random(20 + slot, 0) * 20)) * GIB);
        long grown = (long) (random(30 + slot, second / 5) * 0.1 * base);
        return (base + grown) / (2 * MIB) * (2 * MIB);
    }

    Sensors at(long second) {
        double work = work(second);
        return sensors((int) Math.round(work * 100), work, second, warmth(second), processes(second));
    }

    /** What the card reads like when it does this much work, whatever the waves say. */
    Sensors sensors(int percent, double work, long second, int warmth, List<SimulatedProcess> processes) {
        boolean isIdle = percent == 0;
        boolean isCapped = work > POWER_CAPPED;
        OperatingPoint point = isIdle ? card.idle() : card.busy();
        int clock = isCapped ? point.graphicsMegahertz() * 96 / 100 : point.graphicsMegahertz();
        return new Sensors(
                percent,
                memoryPercent(percent),
                processes.stream().mapToLong(SimulatedProcess::memory).sum(),
                power(work, second),
                card.idle().temperature() + warmth,
                card.idle().memoryTemperature() + warmth * 5 / 4,
                clock,
                point.memoryMegahertz(),
                point.videoMegahertz(),
                reasons(percent, work),
                processes);
    }

    static int memoryPercent(int gpuPercent) {
        return (int) Math.round(gpuPercent * MEMORY_SHARE);
    }

    static long reasons(int percent, double work) {
        return percent == 0 ? ClockReasons.IDLE : work > POWER_CAPPED ? ClockReasons.SOFTWARE_POWER_CAP : 0;
    }

    /** A number in 0..1 that depends on seed, GPU, stream and step alone (the finalizer of SplitMix64). */
    private double random(long stream, long step) {
        long z = seed + 0x9E3779B97F4A7C15L * (step + 1) + 0xD1B54A32D192ED03L * (gpu * 64L + stream);
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return ((z ^ (z >>> 31)) >>> 11) * 0x1.0p-53;
    }
}
