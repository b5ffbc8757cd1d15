// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.watch;

import io.gpuagent.model.ClientPriority;
import io.gpuagent.model.PinnedMemoryLimit;
import io.gpuagent.model.Share;
import io.gpuagent.model.ThreadPercentage;
import io.gpuagent.mps.control.MpsEnvironment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a client asks for in its own environment. It can only lower what its server allows, but for one case: a list of
 * memory limits that names a device which the client cannot see makes the driver drop every limit of memory (captured on
 * an H200, driver 580.159.04).
 *
 * @param share what it asks for; a part that it does not name, or that is not understood, is absent
 * @param escape one sentence where all limits of memory are dropped
 * @param unclear one sentence for each variable whose meaning is not known
 */
public record ClientEnvironment(Share share, Optional<String> escape, List<String> unclear) {
    // NVIDIA MPS documentation, CUDA_MPS_PINNED_DEVICE_MEM_LIMIT: 0=1G,1=512MB. Its units are binary.
    private static final Pattern SIZE = Pattern.compile("(\\d{1,19})([KkMmGg])[Bb]?");
    private static final int SHOWN = 100;

    /** Takes a copy. */
    public ClientEnvironment {
        unclear = List.copyOf(unclear);
    }

    /**
     * Reads the variables.
     *
     * @param variables the client's CUDA_ variables
     * @param devices UUIDs of the devices of its daemon, in their order, of which the client sees all or some
     * @return what they ask for
     */
    public static ClientEnvironment of(Map<String, String> variables, List<String> devices) {
        List<String> unclear = new ArrayList<>();
        Optional<ThreadPercentage> threads =
                read(variables, MpsEnvironment.THREADS, ThreadPercentage::fromDaemon, unclear);
        Optional<ClientPriority> priority =
                read(variables, MpsEnvironment.PRIORITY, ClientPriority::fromDaemon, unclear);
        String list = variables.getOrDefault(MpsEnvironment.MEMORY, "");
        List<String> visible = visible(variables, devices);
        if (list.isBlank()) {
            return new ClientEnvironment(new Share(threads, Optional.empty(), priority), Optional.empty(), unclear);
        }
        if (visible.isEmpty()) {
            unclear.add(MpsEnvironment.VISIBLE_DEVICES + "="
                    + shown(variables.getOrDefault(MpsEnvironment.VISIBLE_DEVICES, ""))
                    + " names none of the daemon's devices, so it cannot be told whether " + MpsEnvironment.MEMORY
                    + " holds");
            return new ClientEnvironment(new Share(threads, Optional.empty(), priority), Optional.empty(), unclear);
        }
        Optional<String> escape = MpsEnvironment.dropsMemoryLimits(list, visible)
                ? Optional.of(MpsEnvironment.MEMORY + "=" + shown(list) + " in its environment names a device that it"
                        + " does not see (it sees " + visible.size() + "), so the driver drops every limit of memory,"
                        + " its server's too; name visible devices only and start it again")
                : Optional.empty();
        Optional<PinnedMemoryLimit> memory = memory(list, visible, unclear);
        return new ClientEnvironment(new Share(threads, memory, priority), escape, unclear);
    }

    private static <T> Optional<T> read(
            Map<String, String> variables, String name, Function<String, T> reader, List<String> unclear) {
        String value = variables.getOrDefault(name, "");
        if (value.isBlank()) {
            return Optional.empty();
        }
        try {
            return Optional.of(reader.apply(value));
        } catch (IllegalArgumentException e) {
            unclear.add(name + "=" + shown(value) + " in its environment is not understood: what the driver makes of it"
                    + " is not known");
            return Optional.empty();
        }
    }

    /**
     * A daemon's devices are numbered anew for its clients, so ordinals count from its first one. CUDA sees the devices
     * before the first entry that names none (CUDA C++ Programming Guide, CUDA_VISIBLE_DEVICES).
     */
    private static List<String> visible(Map<String, String> variables, List<String> devices) {
        String list = variables.get(MpsEnvironment.VISIBLE_DEVICES);
        if (list == null) {
            return devices;
        }
        List<String> visible = new ArrayList<>();
        for (String entry : list.split(",", -1)) {
            Optional<String> device = device(entry.strip(), devices);
            if (device.isEmpty()) {
                break;
            }
            visible.add(device.get());
        }
        return visible;
    }

    private static Optional<String> device(String entry, List<String> devices) {
        if (entry.matches("\\d{1,4}")) {
            int ordinal = Integer.parseInt(entry);
            return ordinal < devices.size() ? Optional.of(devices.get(ordinal)) : Optional.empty();
        }
        // A beginning of a UUID will do where it names one device.
        List<String> named = entry.isEmpty()
                ? List.of()
                : devices.stream().filter(device -> device.startsWith(entry)).toList();
        return named.size() == 1 ? Optional.of(named.getFirst()) : Optional.empty();
    }

    /** One limit can be told where it is the same on each device that the client sees. */
    private static Optional<PinnedMemoryLimit> memory(String list, List<String> visible, List<String> unclear) {
        Map<String, PinnedMemoryLimit> limits = new HashMap<>();
        for (String entry : list.split(",", -1)) {
            int equals = entry.indexOf('=');
            Optional<PinnedMemoryLimit> limit = size(entry.substring(equals + 1).strip());
            if (equals < 1 || limit.isEmpty()) {
                unclear.add(MpsEnvironment.MEMORY + "=" + shown(list)
                        + " in its environment is not understood: what the" + " driver makes of it is not known");
                return Optional.empty();
            }
            device(entry.substring(0, equals).strip(), visible).ifPresent(device -> limits.put(device, limit.get()));
        }
        if (!limits.keySet().containsAll(visible)
                || limits.values().stream().distinct().count() != 1) {
            unclear.add(MpsEnvironment.MEMORY + "=" + shown(list) + " in its environment is not the same for all "
                    + visible.size() + " devices that it sees, so that no one limit can be told");
            return Optional.empty();
        }
        return limits.values().stream().findFirst();
    }

    private static Optional<PinnedMemoryLimit> size(String text) {
        Matcher size = SIZE.matcher(text);
        try {
            // Without a unit it was never seen.
            return size.matches()
                    ? Optional.of(PinnedMemoryLimit.parse(size.group(1) + size.group(2) + "iB"))
                    : Optional.empty();
        } catch (IllegalArgumentException tooSmallOrLarge) {
            return Optional.empty();
        }
    }

    /** Anyone may write anything into an environment. */
    private static String shown(String value) {
        String plain = value.replaceAll("[^ -~]", "?");
        return plain.length() > SHOWN ? plain.substring(0, SHOWN) + "..." : plain;
    }
}
