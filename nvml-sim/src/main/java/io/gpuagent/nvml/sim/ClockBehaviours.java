// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Clocks that an operator has set: locks, and the application clocks that they have replaced. All in MHz. */
final class ClockBehaviours {
    /** By nvmlClockType_t. */
    private static final int GRAPHICS = 0;

    private static final int SM = 1;
    private static final int MEMORY = 2;

    private ClockBehaviours() {}

    static void addTo(Map<String, Behaviour> behaviours) {
        behaviours.put("nvmlDeviceSetGpuLockedClocks", ClockBehaviours::lockGraphics);
        behaviours.put("nvmlDeviceSetMemoryLockedClocks", ClockBehaviours::lockMemory);
        behaviours.put("nvmlDeviceResetGpuLockedClocks", ClockBehaviours::unlockGraphics);
        behaviours.put("nvmlDeviceResetMemoryLockedClocks", ClockBehaviours::unlockMemory);
        behaviours.put("nvmlDeviceGetApplicationsClock", ClockBehaviours::applicationClock);
        behaviours.put("nvmlDeviceSetApplicationsClocks", ClockBehaviours::setApplicationClocks);
        behaviours.put("nvmlDeviceResetApplicationsClocks", ClockBehaviours::resetApplicationClocks);
    }

    private static GpuSettings.ClockRange range(Call call) {
        int min = call.integer(1);
        int max = call.integer(2);
        if (min < 0 || max < min) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
        return new GpuSettings.ClockRange(min, max);
    }

    private static int most(Call call, int domain) {
        return call.gpu()
                .card()
                .figure("nvmlDeviceGetMaxClockInfo", domain)
                .orElseThrow(() -> new Refusal(Code.NOT_SUPPORTED));
    }

    /** A card keeps its clock in the part of the range that it can run at; there must be one. */
    private static void lockGraphics(Call call) {
        GpuSettings.ClockRange range = range(call);
        int most = most(call, GRAPHICS);
        call.require(Privilege.ROOT);
        if (range.max() == 0 || range.min() > most) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
        GpuSettings.ClockRange possible = new GpuSettings.ClockRange(range.min(), Math.min(range.max(), most));
        call.gpu().change(() -> call.gpu().settings().graphicsLock = Optional.of(possible));
    }

    /** Memory runs at few clocks only: the highest of those in the range. */
    private static void lockMemory(Call call) {
        GpuSettings.ClockRange range = range(call);
        most(call, MEMORY);
        call.require(Privilege.ROOT);
        int clock = memoryClocks(call).stream()
                .mapToInt(Long::intValue)
                .filter(megahertz -> range.clamp(megahertz) == megahertz)
                .max()
                .orElseThrow(() -> new Refusal(Code.INVALID_ARGUMENT));
        call.gpu()
                .change(() ->
                        call.gpu().settings().memoryLock = Optional.of(new GpuSettings.ClockRange(range.min(), clock)));
    }

    private static List<Long> memoryClocks(Call call) {
        List<Long> supported = call.gpu().card().figures("nvmlDeviceGetSupportedMemoryClocks");
        return supported.isEmpty() ? List.of((long) most(call, MEMORY)) : supported;
    }

    private static void unlockGraphics(Call call) {
        most(call, GRAPHICS);
        call.require(Privilege.ROOT);
        call.gpu().change(() -> call.gpu().settings().graphicsLock = Optional.empty());
    }

    private static void unlockMemory(Call call) {
        most(call, MEMORY);
        call.require(Privilege.ROOT);
        call.gpu().change(() -> call.gpu().settings().memoryLock = Optional.empty());
    }

    private static void applicationClock(Call call) {
        OptionalInt set;
        synchronized (call.gpu()) {
            set = switch (call.integer(1)) {
                case GRAPHICS, SM -> call.gpu().settings().applicationGraphics;
                case MEMORY -> call.gpu().settings().applicationMemory;
                default -> OptionalInt.empty();
            };
        }
        if (set.isEmpty()) {
            CannedAnswers.giveOrRefuse(call);
            return;
        }
        call.putInt(2, set.getAsInt());
    }

    private static void requireApplicationClocks(Call call) {
        if (call.gpu().card().figure("nvmlDeviceGetApplicationsClock", GRAPHICS).isEmpty()) {
            throw new Refusal(Code.NOT_SUPPORTED);
        }
        call.require(Privilege.ROOT);
    }

    /** The memory clock must be one of those there are, the graphics clock one that the card can run at. */
    private static void setApplicationClocks(Call call) {
        requireApplicationClocks(call);
        int memory = call.integer(1);
        int graphics = call.integer(2);
        if (!memoryClocks(call).contains((long) memory) || graphics <= 0 || graphics > most(call, GRAPHICS)) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
        call.gpu().change(() -> {
            call.gpu().settings().applicationMemory = OptionalInt.of(memory);
            call.gpu().settings().applicationGraphics = OptionalInt.of(graphics);
        });
    }

    private static void resetApplicationClocks(Call call) {
        requireApplicationClocks(call);
        call.gpu().change(() -> {
            call.gpu().settings().applicationMemory = OptionalInt.empty();
            call.gpu().settings().applicationGraphics = OptionalInt.empty();
        });
    }
}
