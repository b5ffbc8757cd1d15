// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.api;

import io.gpuagent.agent.config.BadValueException;
import io.gpuagent.agent.config.Quoted;
import io.gpuagent.model.DriverState;
import io.gpuagent.model.GpuSnapshot;
import io.gpuagent.model.Mode;
import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.ReadingKeys;
import io.gpuagent.model.mig.MigComputeView;
import io.gpuagent.model.mig.MigDeviceView;
import io.gpuagent.model.mig.MigInstanceView;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The MIG devices of a node, and how a user names one: by its UUID or the beginning of it, or as drivers before 470 did,
 * by the GPU's UUID and the ids of the instances ({@code MIG-GPU-<UUID>/7/0}).
 *
 * @param all the devices that are known
 * @param isComplete whether there can be no other: false while a GPU is not read, or its instances cannot be
 */
public record MigDevices(List<Device> all, boolean isComplete) {
    private static final Pattern UUID = Pattern.compile("mig-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final Pattern BEGINNING = Pattern.compile("mig-[0-9a-f-]{1,36}");
    private static final Pattern BY_IDS = Pattern.compile("mig-(gpu-[0-9a-f-]{36})/([0-9]{1,3})/([0-9]{1,3})");
    private static final int SHOWN = 8;

    /** Takes a copy. */
    public MigDevices {
        all = List.copyOf(all);
    }

    /**
     * A MIG device.
     *
     * @param uuid its UUID as the driver has it
     * @param gpu its GPU
     * @param instance its GPU instance
     * @param compute its compute instance
     */
    public record Device(String uuid, GpuSnapshot gpu, MigInstanceView instance, MigComputeView compute) {
        private boolean isOf(String gpuUuid, int gpuInstance, int computeInstance) {
            return gpu.identity().uuid().equalsIgnoreCase(gpuUuid)
                    && instance.id() == gpuInstance
                    && compute.id() == computeInstance;
        }
    }

    /**
     * Those of a snapshot.
     *
     * @param node the snapshot
     * @return the devices
     */
    public static MigDevices of(NodeSnapshot node) {
        List<Device> devices = new ArrayList<>();
        boolean isComplete = node.driver() instanceof DriverState.Up;
        for (GpuSnapshot gpu : node.gpus()) {
            isComplete &= !gpu.identity().uuid().isEmpty() && isKnown(gpu);
            gpu.readings().value(ReadingKeys.MIG).ifPresent(mig -> {
                for (MigInstanceView instance : mig.instances()) {
                    for (MigComputeView compute : instance.computes()) {
                        compute.device()
                                .map(MigDeviceView::uuid)
                                .ifPresent(uuid -> devices.add(new Device(uuid, gpu, instance, compute)));
                    }
                }
            });
        }
        return new MigDevices(devices, isComplete);
    }

    /**
     * Whether all MIG devices of a GPU are known.
     *
     * @param gpu the GPU
     * @return false where MIG is on and its instances cannot be read
     */
    public static boolean isKnown(GpuSnapshot gpu) {
        boolean isOn =
                gpu.readings().value(ReadingKeys.MIG_MODE).map(Mode::current).orElse(false);
        return !isOn || gpu.readings().value(ReadingKeys.MIG).isPresent();
    }

    /**
     * Whether a text means a MIG device, rightly written or not.
     *
     * @param text what the user wrote
     * @return whether it begins like one
     */
    public static boolean isMeant(String text) {
        return text.toLowerCase(Locale.ROOT).startsWith("mig-");
    }

    /**
     * The UUID that a text is, in the driver's spelling.
     *
     * @param text what the user wrote
     * @return the UUID, empty where it is not a whole one
     */
    public static Optional<String> uuid(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        return UUID.matcher(lower).matches()
                ? Optional.of("MIG-" + lower.substring("MIG-".length()))
                : Optional.empty();
    }

    /**
     * The device with a UUID.
     *
     * @param uuid as the driver has it
     * @return the device, empty where none is known
     */
    public Optional<Device> byUuid(String uuid) {
        return all.stream().filter(device -> device.uuid().equals(uuid)).findFirst();
    }

    /**
     * The device that a text names.
     *
     * @param text what the user wrote
     * @return its UUID; a whole one is taken as it is where not all devices are known
     * @throws BadValueException when it is no name of one, or there is none or more than one of that name
     */
    public String resolve(String text) throws BadValueException {
        String lower = text.toLowerCase(Locale.ROOT);
        Matcher ids = BY_IDS.matcher(lower);
        boolean isByIds = ids.matches();
        if (!isByIds && !BEGINNING.matcher(lower).matches()) {
            throw new BadValueException(
                    Quoted.of(text) + " names no MIG device",
                    "write its UUID (MIG-5c3d...), the beginning of it, or MIG-<UUID of the GPU>/<GPU"
                            + " instance>/<compute instance>");
        }
        List<Device> fitting = all.stream()
                .filter(device -> isByIds
                        ? device.isOf(ids.group(1), Integer.parseInt(ids.group(2)), Integer.parseInt(ids.group(3)))
                        : device.uuid().toLowerCase(Locale.ROOT).startsWith(lower))
                .toList();
        if (fitting.size() == 1) {
            return fitting.getFirst().uuid();
        }
        if (fitting.isEmpty()) {
            return unknown(text);
        }
        throw new BadValueException(
                Quoted.of(text) + " names " + fitting.size() + " MIG devices: " + list(fitting),
                "write more of the UUID");
    }

    private String unknown(String text) throws BadValueException {
        Optional<String> whole = uuid(text);
        if (!isComplete && whole.isPresent()) {
            return whole.get();
        }
        String known = isComplete
                ? "this node has none"
                : "the instances of a GPU cannot be read; write a UUID in full, as nvidia-smi -L does";
        throw new BadValueException(
                "there is no MIG device " + Quoted.of(text), all.isEmpty() ? known : "this node has " + list(all));
    }

    private static String list(List<Device> devices) {
        String names = devices.stream()
                .limit(SHOWN)
                .map(device -> device.uuid() + " (" + device.compute().profile() + " of GPU "
                        + device.gpu().identity().index() + ")")
                .collect(Collectors.joining(", "));
        return devices.size() > SHOWN ? names + " and " + (devices.size() - SHOWN) + " more" : names;
    }
}
