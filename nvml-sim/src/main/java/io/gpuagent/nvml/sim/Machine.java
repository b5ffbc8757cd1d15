// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The simulated machine: its GPUs, the handles that stand for them, and what of them was captured. */
final class Machine {
    private static final CannedAnswer NOT_SUPPORTED = new CannedAnswer(new CannedAnswer.Refused(Code.NOT_SUPPORTED), 0);

    private final Description description;
    private final SimulatedClock clock;
    private final Handles handles = new Handles(Arena.ofAuto());
    private final List<SimulatedGpu> gpus;
    private final List<Long> gpuHandles = new ArrayList<>();
    private final @Nullable Replay replay;

    Machine(SimProfile profile, SimulatedClock clock, long seed, Faults faults, Consumer<Event> events) {
        this.description = profile.description();
        this.clock = clock;
        List<SimulatedGpu> made = new ArrayList<>();
        for (int i = 0; i < profile.gpus(); i++) {
            SimulatedGpu gpu = new SimulatedGpu(
                    i,
                    description,
                    GpuIdentity.of(description, i, profile.gpus()),
                    new Load(seed, i, description),
                    clock::second,
                    handles,
                    events);
            made.add(gpu);
            gpuHandles.add(handles.add(gpu));
        }
        gpus = List.copyOf(made);
        @Nullable Recording recording = description.recording();
        if (recording == null) {
            replay = null;
            return;
        }
        replay = new Replay(recording, gpus, gpuHandles, handles);
        if (description.isReplay()) {
            replay.hang(faults, gpus);
        }
    }

    Description description() {
        return description;
    }

    SimulatedClock clock() {
        return clock;
    }

    Handles handles() {
        return handles;
    }

    /** By index. */
    List<SimulatedGpu> gpus() {
        return gpus;
    }

    long handle(int index) {
        return gpuHandles.get(index);
    }

    CannedAnswer canned(String function) {
        return description.answers().getOrDefault(function, NOT_SUPPORTED);
    }

    /** An answer that is always the same, from the card's description or from its capture. */
    int still(Call call) {
        String name = call.function().name();
        if (replay == null || description.answers().containsKey(name)) {
            return CannedAnswers.give(call, canned(name));
        }
        return replay.answer(call).orElse(Code.NOT_SUPPORTED);
    }

    /** What a captured node answered; empty where nothing is replayed, or it was not asked that. */
    OptionalInt replayed(Call call) {
        return replay != null && description.isReplay() ? replay.answer(call) : OptionalInt.empty();
    }

    /** How long a call takes on the real card, in microseconds. */
    double micros(Call call) {
        String name = call.function().name();
        if (replay != null && !description.answers().containsKey(name)) {
            return replay.micros(call);
        }
        return name.equals("nvmlDeviceGetFieldValues")
                ? FieldValues.micros(call)
                : CannedAnswers.micros(call, canned(name));
    }

    /** What an initialisation answers. */
    int initCode() {
        return replay != null && description.isReplay() ? replay.initCode() : Code.SUCCESS;
    }
}
