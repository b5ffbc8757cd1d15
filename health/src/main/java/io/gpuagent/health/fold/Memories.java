// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.fold;

import io.gpuagent.model.PciAddress;
import io.gpuagent.model.health.HealthEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Facts as they come back from the store, piece by piece; a piece that comes again takes the place of the first. */
public final class Memories {
    private final Map<String, GpuFacts> gpus = new TreeMap<>();
    private final Map<String, Map<Long, Problem>> problems = new TreeMap<>();
    private final Map<String, Map<Integer, XidTally>> xids = new TreeMap<>();
    private final TreeMap<Long, HealthEvent> events = new TreeMap<>();
    private String boot = "";
    private long sequence = -1;
    private long nextProblem = 1;
    private long nextEvent = 1;

    /**
     * A GPU, without its problems.
     *
     * @param key its key
     * @param pci where it sat
     * @param recovery the recovery action that was known
     * @param reset when it was last known to be reset
     * @param remapPendingSeen when a row remap was last pending
     */
    public void gpu(
            String key,
            Optional<PciAddress> pci,
            GpuFacts.@Nullable Recovery recovery,
            Optional<Moment> reset,
            Optional<Moment> remapPendingSeen) {
        GpuFacts facts = GpuFacts.of(key, pci);
        gpus.put(
                key,
                new GpuFacts(
                        key,
                        pci,
                        facts.problems(),
                        facts.xids(),
                        facts.sightings(),
                        facts.counters(),
                        facts.streaks(),
                        facts.places(),
                        facts.instances(),
                        Optional.ofNullable(recovery),
                        Optional.empty(),
                        Optional.empty(),
                        reset,
                        remapPendingSeen));
    }

    /**
     * A GPU that goes under another key now.
     *
     * @param key its former key
     */
    public void forget(String key) {
        gpus.remove(key);
        problems.remove(key);
        xids.remove(key);
    }

    /**
     * A problem.
     *
     * @param owner the GPU's key; empty for the node
     * @param problem the problem
     */
    public void problem(String owner, Problem problem) {
        Map<Long, Problem> known = problems.computeIfAbsent(owner, _ -> new TreeMap<>());
        known.put(problem.id(), problem);
    }

    /**
     * A count of an Xid.
     *
     * @param gpu the GPU's key
     * @param code the Xid
     * @param tally the count
     */
    public void tally(String gpu, int code, XidTally tally) {
        xids.computeIfAbsent(gpu, _ -> new TreeMap<>()).put(code, tally);
    }

    /**
     * An event.
     *
     * @param event the event
     */
    public void event(HealthEvent event) {
        events.put(event.number(), event);
        if (events.size() > NodeFacts.MAX_EVENTS) {
            events.pollFirstEntry();
        }
    }

    /**
     * How far it went.
     *
     * @param ofBoot the boot; another one than before has counted from the beginning
     * @param ofSequence the latest record of its log
     * @param problem the id that comes next
     * @param event the event's number that comes next
     */
    public void position(String ofBoot, long ofSequence, long problem, long event) {
        boot = ofBoot;
        sequence = ofSequence;
        nextProblem = Math.max(nextProblem, problem);
        nextEvent = Math.max(nextEvent, event);
    }

    /** The counts of Xids begin anew. */
    public void newBoot() {
        xids.clear();
    }

    /**
     * The facts.
     *
     * @param revision their revision
     * @return what the fold goes on from
     */
    public NodeFacts facts(long revision) {
        Map<PciAddress, String> keys = new HashMap<>();
        Map<String, GpuFacts> all = new TreeMap<>();
        gpus.forEach((key, gpu) -> {
            boolean isNamed = gpu.pci().filter(pci -> !pci.busId().equals(key)).isPresent();
            if (isNamed) {
                keys.put(gpu.pci().get(), key);
            }
            all.put(key, withHistory(gpu));
        });
        return new NodeFacts(
                revision,
                boot,
                sequence,
                nextProblem,
                nextEvent,
                all,
                keys,
                problems(""),
                List.copyOf(events.values()),
                Map.of(),
                Optional.empty(),
                Map.of(),
                Map.of());
    }

    private Problems problems(String owner) {
        List<Problem> list =
                new ArrayList<>(problems.getOrDefault(owner, Map.of()).values());
        Problems bounded = Problems.NONE;
        for (Problem problem : list) {
            bounded = bounded.with(problem);
        }
        return bounded;
    }

    private GpuFacts withHistory(GpuFacts gpu) {
        return new GpuFacts(
                gpu.key(),
                gpu.pci(),
                problems(gpu.key()),
                new TreeMap<>(xids.getOrDefault(gpu.key(), Map.of())),
                gpu.sightings(),
                gpu.counters(),
                gpu.streaks(),
                gpu.places(),
                gpu.instances(),
                gpu.recovery(),
                gpu.lastRead(),
                gpu.lastClean(),
                gpu.reset(),
                gpu.remapPendingSeen());
    }
}
