// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control;

import io.gpuagent.mig.plan.ComputeRequest;
import io.gpuagent.mig.plan.InstanceRequest;
import io.gpuagent.mig.plan.PinRules;
import io.gpuagent.mps.supervise.DaemonWish;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * What arguments must look like. The root helper hands nothing on that does not match: an id becomes a folder's name and
 * part of a unit's, a UUID stands in a daemon's environment.
 */
final class Grammar {
    private static final Pattern DAEMON_ID = Pattern.compile("[a-z0-9][a-z0-9-]{0,31}");
    private static final Pattern DEVICE =
            Pattern.compile("(?:GPU|MIG)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
    // The driver's node names: /dev/nvidia0, nvidiactl, nvidia-uvm, nvidia-uvm-tools, nvidia-modeset, nvidia-caps/...
    private static final Pattern DEVICE_NODE = Pattern.compile(
            "/dev/nvidia(?:[0-9]{1,4}|ctl|-uvm|-uvm-tools|-modeset|-nvswitch(?:ctl|[0-9]{1,4})|-caps/nvidia-cap[0-9]{1,6})");
    private static final int MOST_DEVICES = 64;
    private static final int MOST_PIDS = 1024;
    private static final int MOST_NODES = 256;
    // proc(5): PID_MAX_LIMIT of 64-bit systems.
    private static final long HIGHEST_PID = 1L << 22;
    private static final Duration LONGEST_GRACE = Duration.ofMinutes(15);
    // Wider than any name of NVML's, so that a new one needs no change here; spaces as in "MIG 1g.18gb".
    private static final Pattern PROFILE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9.+:_ -]{0,63}");
    private static final int HIGHEST_INSTANCE = 255;
    private static final int MOST_INSTANCES = 64;
    private static final int MOST_LAST_USES = 128;
    private static final Duration LONGEST_IDLE_GRACE = Duration.ofDays(1);
    private static final int SHOWN = 64;

    private Grammar() {}

    static void daemonId(String id) {
        if (!DAEMON_ID.matcher(id).matches()) {
            throw new IllegalArgumentException(shown(id)
                    + " is no id of an MPS daemon; it has 1 to 32 lower-case letters, digits and hyphens, and begins"
                    + " with none of the last");
        }
    }

    static void gpu(String uuid) {
        if (!DEVICE.matcher(uuid).matches() || !uuid.startsWith("GPU-")) {
            throw new IllegalArgumentException(
                    shown(uuid) + " is no UUID of a GPU; it is GPU- and 36 lower-case hexadecimal digits and hyphens");
        }
    }

    static void wish(DaemonWish wish) {
        daemonId(wish.id());
        devices(wish.devices());
        boolean mig = wish.devices().stream().anyMatch(device -> device.startsWith("MIG-"));
        if (mig && wish.devices().size() > 1) {
            throw new IllegalArgumentException(
                    "an MPS daemon serves one MIG device or several whole GPUs; name one MIG device alone");
        }
        if (mig && wish.exclusiveProcess()) {
            throw new IllegalArgumentException(
                    "a GPU in MIG mode has no EXCLUSIVE_PROCESS mode; leave exclusive-process out");
        }
    }

    private static void devices(List<String> uuids) {
        for (String uuid : uuids) {
            if (!DEVICE.matcher(uuid).matches()) {
                throw new IllegalArgumentException(shown(uuid)
                        + " is no UUID of a GPU or MIG device; it is GPU- or MIG- and 36 lower-case hexadecimal digits"
                        + " and hyphens");
            }
        }
        several("device", uuids, MOST_DEVICES);
    }

    static List<String> deviceNodes(List<String> nodes) {
        for (String node : nodes) {
            if (!DEVICE_NODE.matcher(node).matches()) {
                throw new IllegalArgumentException(
                        shown(node) + " is no device node of the NVIDIA driver, such as /dev/nvidia0");
            }
        }
        return several("device node", nodes, MOST_NODES);
    }

    static void pid(long pid) {
        // Process 1 is nobody's client, and a mistake there would end the machine.
        if (pid < 2 || pid > HIGHEST_PID) {
            throw new IllegalArgumentException(
                    pid + " is no process id that can be asked for; it is 2 to " + HIGHEST_PID);
        }
    }

    static List<Long> pids(List<Long> pids) {
        pids.forEach(Grammar::pid);
        return several("process id", pids, MOST_PIDS);
    }

    static void grace(Duration grace) {
        if (grace.isNegative() || grace.compareTo(LONGEST_GRACE) > 0) {
            throw new IllegalArgumentException("a grace of " + grace.toSeconds() + " s is out of range; it is 0 to "
                    + LONGEST_GRACE.toSeconds() + " s");
        }
    }

    /** nvml.h bounds neither; drivers give GPU instances 0..14 and compute instances 0..7. */
    static void instanceId(int id) {
        if (id < 0 || id > HIGHEST_INSTANCE) {
            throw new IllegalArgumentException(id + " is no id of a MIG instance; it is 0 to " + HIGHEST_INSTANCE);
        }
    }

    static List<LastUse> lastUses(List<LastUse> uses) {
        return atMost("last use", uses, MOST_LAST_USES);
    }

    static List<InstanceRequest> wanted(List<InstanceRequest> wanted) {
        for (InstanceRequest request : wanted) {
            profile(request.profile());
            if (request.count() < 1 || request.count() > MOST_INSTANCES) {
                throw new IllegalArgumentException(
                        "a count of " + request.count() + " is out of range; it is 1 to " + MOST_INSTANCES);
            }
            start(request.start());
            for (ComputeRequest compute : request.computes().orElse(List.of())) {
                profile(compute.profile());
                start(compute.start());
            }
            atMost("compute instance", request.computes().orElse(List.of()), MOST_INSTANCES);
        }
        return atMost("GPU instance", wanted, MOST_INSTANCES);
    }

    private static void profile(String name) {
        if (!PROFILE.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    shown(name) + " is no name of a MIG profile; it is such as 1g.18gb, 1c.3g.71gb or id:19");
        }
    }

    private static void start(OptionalInt start) {
        if (start.isPresent() && (start.getAsInt() < 0 || start.getAsInt() >= MOST_INSTANCES)) {
            throw new IllegalArgumentException(
                    "a start of " + start.getAsInt() + " is out of range; it is 0 to " + (MOST_INSTANCES - 1));
        }
    }

    static void rules(PinRules rules) {
        if (rules.idleGrace().isNegative() || rules.idleGrace().compareTo(LONGEST_IDLE_GRACE) > 0) {
            throw new IllegalArgumentException(
                    "an idle grace of " + rules.idleGrace().toSeconds() + " s is out of range; it is 0 to "
                            + LONGEST_IDLE_GRACE.toSeconds() + " s");
        }
        rules.keep().forEach(Grammar::instanceId);
        atMost("GPU instance to keep", List.copyOf(rules.keep()), MOST_INSTANCES);
    }

    private static <T> List<T> atMost(String what, List<T> all, int most) {
        if (all.size() > most) {
            throw new IllegalArgumentException(
                    "the list has " + all.size() + " entries of the kind " + what + "; it may have at most " + most);
        }
        return List.copyOf(all);
    }

    private static <T> List<T> several(String what, List<T> all, int most) {
        if (all.isEmpty() || all.size() > most) {
            throw new IllegalArgumentException(
                    "the list has " + all.size() + " entries of the kind " + what + "; it must have 1 to " + most);
        }
        if (new HashSet<>(all).size() < all.size()) {
            throw new IllegalArgumentException("the list names a " + what + " twice; each must stand there once");
        }
        return List.copyOf(all);
    }

    /** What came from outside is shown short and without anything that a terminal or log would act upon. */
    private static String shown(String text) {
        String plain = text.replaceAll("[^ -~]", "?");
        return "\"" + (plain.length() > SHOWN ? plain.substring(0, SHOWN) + "..." : plain) + "\"";
    }
}
