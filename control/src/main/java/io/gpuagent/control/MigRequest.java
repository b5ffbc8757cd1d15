// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control;

import io.gpuagent.mig.plan.InstanceRequest;
import io.gpuagent.mig.plan.PinRules;
import io.gpuagent.mig.plan.PlanId;
import java.time.Duration;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What can be asked about the MIG layout of one GPU. Whoever carries it out reads the GPU and plans anew; of a request
 * only the wish is taken, never a step.
 */
public sealed interface MigRequest extends Request {
    /**
     * The GPU.
     *
     * @return its UUID
     */
    String gpu();

    @Override
    default SortedSet<String> subjects() {
        return new TreeSet<>(List.of(gpu()));
    }

    @Override
    default List<String> quiesces() {
        return List.of(gpu());
    }

    /**
     * Reads the layout, with who uses each instance: to plan from. A change of the GPU that is in flight refuses it with
     * {@code busy}, since the driver takes a reader for a user. Answered with {@link Outcome.Mig}.
     *
     * @param gpu the UUID of a whole GPU
     * @param lastUses what ran lately, at most 128
     */
    record Read(String gpu, List<LastUse> lastUses) implements MigRequest {
        /** Checks all arguments. */
        public Read {
            Grammar.gpu(gpu);
            lastUses = Grammar.lastUses(lastUses);
        }

        @Override
        public String verb() {
            return "mig-read";
        }

        @Override
        public Duration deadline() {
            return Duration.ofSeconds(70);
        }

        @Override
        public boolean isChange() {
            return false;
        }
    }

    /**
     * Carries a plan out. It is made anew from what is read then, and refused as {@code stale} where it is not the plan
     * with that id.
     *
     * @param gpu the UUID of a whole GPU
     * @param plan the plan that was agreed to
     * @param wanted the whole set of instances that the GPU is to have, at most 64 entries; none empties it
     * @param rules what must stay
     * @param lastUses what ran lately, at most 128
     */
    record Apply(String gpu, PlanId plan, List<InstanceRequest> wanted, PinRules rules, List<LastUse> lastUses)
            implements MigRequest {
        /** Checks all arguments. */
        public Apply {
            Grammar.gpu(gpu);
            wanted = Grammar.wanted(wanted);
            Grammar.rules(rules);
            lastUses = Grammar.lastUses(lastUses);
        }

        @Override
        public String verb() {
            return "mig-apply";
        }

        @Override
        public Duration deadline() {
            return LAYOUT;
        }
    }

    /**
     * Goes back to the layout before the last change that was carried out. Refused as {@code stale} where the plan for
     * it is not the one with that id.
     *
     * @param gpu the UUID of a whole GPU
     * @param plan the plan that was agreed to, made from the history of {@link Outcome.Mig}
     * @param rules what must stay
     * @param lastUses what ran lately, at most 128
     */
    record Rollback(String gpu, PlanId plan, PinRules rules, List<LastUse> lastUses) implements MigRequest {
        /** Checks all arguments. */
        public Rollback {
            Grammar.gpu(gpu);
            Grammar.rules(rules);
            lastUses = Grammar.lastUses(lastUses);
        }

        @Override
        public String verb() {
            return "mig-rollback";
        }

        @Override
        public Duration deadline() {
            return LAYOUT;
        }
    }

    /**
     * Turns the MIG mode on or off: one attempt, no reset.
     *
     * @param gpu the UUID of a whole GPU
     * @param enabled on
     * @param leavePending whether a mode that needs a reset or reboot may stay pending; otherwise the former one is
     *     written back
     */
    record Mode(String gpu, boolean enabled, boolean leavePending) implements MigRequest {
        /** Checks all arguments. */
        public Mode {
            Grammar.gpu(gpu);
        }

        @Override
        public String verb() {
            return "mig-mode";
        }

        @Override
        public Duration deadline() {
            return Duration.ofMinutes(8);
        }
    }

    /**
     * Takes a foreign GPU instance for ours, so that plans may move it. Touches nothing on the card.
     *
     * @param gpu the UUID of a whole GPU
     * @param gpuInstance the id of the GPU instance
     */
    record Adopt(String gpu, int gpuInstance) implements MigRequest {
        /** Checks all arguments. */
        public Adopt {
            Grammar.gpu(gpu);
            Grammar.instanceId(gpuInstance);
        }

        @Override
        public String verb() {
            return "mig-adopt";
        }

        @Override
        public Duration deadline() {
            return Duration.ofMinutes(2);
        }
    }

    /**
     * Makes a whole of a GPU instance without compute instances, or removes it; it must be ours.
     *
     * @param gpu the UUID of a whole GPU
     * @param gpuInstance the id of the GPU instance
     * @param how what becomes of it
     */
    record Repair(String gpu, int gpuInstance, How how) implements MigRequest {
        /** What becomes of a GPU instance without compute instances. */
        public enum How {
            /** It gets the compute instance that takes all of it. */
            COMPLETE,
            /** It is destroyed. */
            REMOVE
        }

        /** Checks all arguments. */
        public Repair {
            Grammar.gpu(gpu);
            Grammar.instanceId(gpuInstance);
        }

        @Override
        public String verb() {
            return "mig-repair";
        }

        @Override
        public Duration deadline() {
            return LAYOUT;
        }
    }

    /**
     * Brings a change to its end that was cut off.
     *
     * @param gpu the UUID of a whole GPU
     */
    record Recover(String gpu) implements MigRequest {
        /** Checks all arguments. */
        public Recover {
            Grammar.gpu(gpu);
        }

        @Override
        public String verb() {
            return "mig-recover";
        }

        @Override
        public Duration deadline() {
            return LAYOUT;
        }
    }

    /**
     * Makes the layout of our own instances again that a boot or a reload of the driver has taken, and the mode where it
     * was on by our will: once for each load, and only on a GPU that has neither an instance nor a process.
     *
     * @param gpu the UUID of a whole GPU
     */
    record Restore(String gpu) implements MigRequest {
        /** Checks all arguments. */
        public Restore {
            Grammar.gpu(gpu);
        }

        @Override
        public String verb() {
            return "mig-restore";
        }

        /** A boot waits for it. */
        @Override
        public Duration deadline() {
            return Duration.ofMinutes(2);
        }
    }

    /**
     * Lets a change be that can be brought to neither end; what there is stays.
     *
     * @param gpu the UUID of a whole GPU
     */
    record Abandon(String gpu) implements MigRequest {
        /** Checks all arguments. */
        public Abandon {
            Grammar.gpu(gpu);
        }

        @Override
        public String verb() {
            return "mig-abandon";
        }

        @Override
        public Duration deadline() {
            return Duration.ofMinutes(2);
        }
    }

    /**
     * A dozen steps with their retries, and the way back: a step that is refused with IN_USE is tried for 15 s, and
     * daemons may take a minute each to end.
     */
    Duration LAYOUT = Duration.ofMinutes(15);
}
