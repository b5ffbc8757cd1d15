// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The simulated machine: its GPUs, the handles that stand for them, and what of them was captured. */
final class Machine {
    private static final CannedAnswer NOT_SUPPORTED = new CannedAnswer(new CannedAnswer.Refused(Code.NOT_SUPPORTED), 0);

    /** From when on it is worth a change of the file; counting an hour takes a few milliseconds. */
    private static final long CATCH_UP_SECONDS = 3_600;

    private final SimProfile profile;
    private final SimulatedClock clock;
    private final long seed;
    private final EventSets events;
    private final ChangeGate gate = new ChangeGate();
    private final EventLog log = new EventLog();
    private final Handles handles = new Handles(Arena.ofAuto());
    private final List<SimulatedGpu> gpus;
    /** By place at the start. */
    private final List<Long> gpuHandles = new ArrayList<>();

    private final DriverLife life;
    private final @Nullable Replay replay;
    /** GPUs that NVML does not number, whose handles are dead. */
    private volatile Set<SimulatedGpu> gone = Set.of();

    Machine(SimProfile profile, SimulatedClock clock, long seed, Faults faults, EventSets events) {
        this.profile = profile;
        this.clock = clock;
        this.seed = seed;
        this.events = events;
        Description description = profile.description();
        List<SimulatedGpu> made = new ArrayList<>();
        for (int i = 0; i < profile.gpus(); i++) {
            SimulatedGpu gpu = new SimulatedGpu(
                    this, i, GpuIdentity.of(description, i, profile.gpus()), new Load(seed, i, description));
            made.add(gpu);
            gpuHandles.add(handles.add(gpu));
        }
        gpus = List.copyOf(made);
        life = new DriverLife(this, profile.driver(), seed);
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

    SimProfile profile() {
        return profile;
    }

    /** Of the cards, and of the driver at the start. */
    Description description() {
        return profile.description();
    }

    /** The versions of the driver that is loaded. */
    Description loadedDriver() {
        return profile.under(life.loaded());
    }

    SimulatedClock clock() {
        return clock;
    }

    ChangeGate gate() {
        return gate;
    }

    DriverLife life() {
        return life;
    }

    Handles handles() {
        return handles;
    }

    /** By their places at the start. */
    List<SimulatedGpu> gpus() {
        return gpus;
    }

    /** By NVML index. */
    List<SimulatedGpu> numbered() {
        return life.numbered().stream().map(gpus::get).toList();
    }

    /** The GPU of an NVML index; null where there is none. */
    @Nullable
    SimulatedGpu numbered(int index) {
        List<Integer> numbered = life.numbered();
        return index >= 0 && index < numbered.size() ? gpus.get(numbered.get(index)) : null;
    }

    /** NVML's index of a GPU that it numbers. */
    int index(SimulatedGpu gpu) {
        return life.numbered().indexOf(gpu.index());
    }

    long handle(SimulatedGpu gpu) {
        synchronized (gpuHandles) {
            return gpuHandles.get(gpu.index());
        }
    }

    void raise(Event event) {
        gate.change(() -> {
            log.add(event);
            events.tell(event);
        });
    }

    private void raise(SystemEvent event) {
        log.add(event);
        events.tell(event);
    }

    /** The driver was bound to all GPUs, or unbound from them. */
    void raiseForAll(long type) {
        renumber();
        life.numbered().forEach(gpu -> raise(new SystemEvent(gpus.get(gpu), type)));
    }

    void remove(SimulatedGpu gpu) {
        gate.change(() -> {
            if (isGone(gpu)) {
                return;
            }
            life.remove(gpu.index());
            gpu.raise(Event.GPU_UNAVAILABLE);
            raise(new SystemEvent(gpu, SystemEvent.UNBIND));
            renumber();
        });
    }

    void comeBack(SimulatedGpu gpu) {
        gate.change(() -> {
            life.comeBack(gpu.index());
            if (life.numbered().contains(gpu.index()) && isGone(gpu)) {
                renumber();
                gpu.reload();
                raise(new SystemEvent(gpu, SystemEvent.BIND));
            }
        });
    }

    boolean isGone(SimulatedGpu gpu) {
        return gone.contains(gpu);
    }

    /** Lets the handles of GPUs die that are not numbered any more, and gives new ones to those that are again. */
    private void renumber() {
        Set<SimulatedGpu> left = new HashSet<>(gpus);
        life.numbered().forEach(gpu -> left.remove(gpus.get(gpu)));
        synchronized (gpuHandles) {
            for (SimulatedGpu gpu : gpus) {
                if (left.contains(gpu) && !gone.contains(gpu)) {
                    handles.replace(handle(gpu), new GoneGpu(gpu));
                } else if (!left.contains(gpu) && gone.contains(gpu)) {
                    gpuHandles.set(gpu.index(), handles.add(gpu));
                }
            }
            gone = Set.copyOf(left);
        }
    }

    /** Sessions whose driver is not there any more get to know it. */
    void sessionsEnded() {
        renumber();
        events.endStale();
        events.stir();
    }

    /** Counts what has passed since somebody last kept the counters, so that not everybody has to who comes after. */
    void catchUp() {
        long now = clock.second();
        if (gpus.stream().anyMatch(gpu -> now - gpu.keptSecond() > CATCH_UP_SECONDS)) {
            gate.change(() -> gpus.forEach(gpu -> gpu.change(() -> {})));
        }
    }

    /** All that processes share. */
    Map<String, Object> saved() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("profile", profile.toString());
        members.put("seed", seed);
        members.put("start-nanos", clock.startNanos());
        members.put("driver", life.saved());
        members.put("gpus", gpus.stream().map(SimulatedGpu::saved).toList());
        members.put("events", log.saved());
        return members;
    }

    /** Takes in what another process has made of it. */
    void restore(JsonTree saved) {
        boolean isFirst = !gate.isShared();
        life.restore(saved.object("driver"));
        List<JsonTree> saves = saved.objects("gpus");
        for (SimulatedGpu gpu : gpus) {
            gpu.restore(saves.get(gpu.index()));
        }
        sessionsEnded();
        log.restore(saved.objects("events"), gpus, isFirst, events::tell, events::tell);
    }

    CannedAnswer canned(String function) {
        return description().answers().getOrDefault(function, NOT_SUPPORTED);
    }

    /** An answer that is always the same, from the card's description or from its capture. */
    int still(Call call) {
        String name = call.function().name();
        if (replay == null || description().answers().containsKey(name)) {
            return CannedAnswers.give(call, canned(name));
        }
        return replay.answer(call).orElse(Code.NOT_SUPPORTED);
    }

    /** What a captured node answered; empty where nothing is replayed, or it was not asked that. */
    OptionalInt replayed(Call call) {
        return replay != null && description().isReplay() ? replay.answer(call) : OptionalInt.empty();
    }

    /** How long a call takes on the real card, in microseconds. */
    double micros(Call call) {
        String name = call.function().name();
        if (replay != null && !description().answers().containsKey(name)) {
            return replay.micros(call);
        }
        return name.equals("nvmlDeviceGetFieldValues")
                ? FieldValues.micros(call)
                : CannedAnswers.micros(call, canned(name));
    }

    /** What an initialisation answers. */
    int initCode() {
        return replay != null && description().isReplay() ? replay.initCode() : Code.SUCCESS;
    }
}
