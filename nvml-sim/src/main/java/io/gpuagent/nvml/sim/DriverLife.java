// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * The kernel module of a simulated machine: loaded or not, in which version, and which GPUs it has found in which order.
 *
 * <p>The library of a process stays of the version that it had on disk when it was opened. Where that is not the version
 * of the loaded module, an initialisation answers LIB_RM_VERSION_MISMATCH until the process opens the library anew.
 */
public final class DriverLife {
    /** The version of the driver that a card was described or captured with. */
    public static final String ORIGINAL = "";

    private final Machine machine;
    private final long seed;
    private volatile boolean isLoaded = true;
    private String loaded = ORIGINAL;
    private String installed = ORIGINAL;
    private volatile long loads = 1;
    private volatile long boots = 1;
    private List<Integer> next;
    private List<Integer> found;
    private Set<Integer> removed = new HashSet<>();

    DriverLife(Machine machine, String version, long seed) {
        this.machine = machine;
        this.seed = seed;
        this.loaded = version;
        this.installed = version;
        this.next = IntStream.range(0, machine.gpus().size()).boxed().toList();
        this.found = next;
    }

    /**
     * Unloads the kernel module, with whatever uses it. What its sessions ask afterwards answers GPU_IS_LOST where it is
     * asked of a GPU and DRIVER_NOT_LOADED else; they stay dead when the module is loaded again. MIG instances go, and all
     * that the driver forgets.
     */
    public void unload() {
        machine.gate().change(() -> {
            if (!isPresent()) {
                return;
            }
            synchronized (this) {
                isLoaded = false;
            }
            forget();
            machine.raiseForAll(SystemEvent.UNBIND);
        });
        machine.sessionsEnded();
    }

    /** Loads the module that is installed; where one is loaded, it is unloaded first. */
    public void load() {
        machine.gate().change(() -> {
            unload();
            synchronized (this) {
                isLoaded = true;
                loaded = installed;
                loads++;
                found = next;
                removed = new HashSet<>();
            }
            machine.raiseForAll(SystemEvent.BIND);
        });
    }

    /**
     * Installs another version, as an upgrade of packages does: what is loaded and what is opened already stays as it is.
     *
     * @param version what follows the @ of a profile, such as {@code 535}; {@link #ORIGINAL} for the card's own
     * @throws UnknownProfileException when there is no such version
     */
    public void install(String version) {
        machine.profile().under(version);
        machine.gate().change(() -> {
            synchronized (this) {
                installed = version;
            }
        });
    }

    /**
     * Sets which GPUs the next load finds, and in which order NVML numbers them then.
     *
     * @param gpus by their places at the start
     */
    public void find(int... gpus) {
        List<Integer> order = IntStream.of(gpus).boxed().toList();
        if (new HashSet<>(order).size() < order.size()
                || order.stream()
                        .anyMatch(gpu -> gpu < 0 || gpu >= machine.gpus().size())) {
            throw new IllegalArgumentException(order + " names a GPU twice, or one that is not in the machine");
        }
        machine.gate().change(() -> {
            synchronized (this) {
                next = order;
            }
        });
    }

    /**
     * Whether the module is loaded.
     *
     * @return true at first
     */
    public boolean isLoaded() {
        machine.gate().refresh();
        return isPresent();
    }

    /** The same, for those who have taken in already what others have done. */
    boolean isPresent() {
        return isLoaded;
    }

    /**
     * What tells one boot of the machine from another.
     *
     * @return a UUID, the same for all processes that see this machine
     */
    public String bootId() {
        machine.gate().refresh();
        String name = seed + "/" + machine.clock().startNanos() + "/" + boots();
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
    }

    /** Boots the machine anew. */
    void reboot() {
        machine.gate().change(() -> {
            synchronized (this) {
                boots++;
                loads++;
                isLoaded = true;
                loaded = installed;
                found = next;
                removed = new HashSet<>();
            }
            forget();
            machine.gpus().forEach(gpu -> gpu.state().forgetXids());
        });
        machine.sessionsEnded();
    }

    private void forget() {
        machine.gpus().forEach(SimulatedGpu::reload);
    }

    void remove(int gpu) {
        synchronized (this) {
            removed.add(gpu);
        }
    }

    void comeBack(int gpu) {
        synchronized (this) {
            removed.remove(gpu);
        }
    }

    /** By NVML index: the places at the start of the GPUs that NVML numbers. */
    synchronized List<Integer> numbered() {
        if (removed.isEmpty()) {
            return found;
        }
        List<Integer> left = new ArrayList<>(found);
        left.removeAll(removed);
        return left;
    }

    synchronized String loaded() {
        return loaded;
    }

    synchronized String installed() {
        return installed;
    }

    /** How often it has been loaded: sessions live with one load. */
    long loads() {
        return loads;
    }

    long boots() {
        return boots;
    }

    synchronized Map<String, Object> saved() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("is-loaded", isLoaded);
        members.put("loaded", loaded);
        members.put("installed", installed);
        members.put("loads", loads);
        members.put("boots", boots);
        members.put("next", next);
        members.put("found", found);
        members.put("removed", removed.stream().sorted().toList());
        return members;
    }

    synchronized void restore(JsonTree saved) {
        isLoaded = saved.flag("is-loaded", true);
        loaded = saved.text("loaded");
        installed = saved.text("installed");
        loads = saved.integer("loads");
        boots = saved.integer("boots");
        next = places(saved, "next");
        found = places(saved, "found");
        removed = new HashSet<>(places(saved, "removed"));
    }

    private List<Integer> places(JsonTree saved, String key) {
        int most = machine.gpus().size();
        return saved.integers(key).stream()
                .map(place -> Math.toIntExact(place))
                .peek(place -> {
                    if (place < 0 || place >= most) {
                        throw new IllegalArgumentException(
                                saved.place() + "." + key + " names GPU " + place + " of a machine that has " + most);
                    }
                })
                .toList();
    }
}
