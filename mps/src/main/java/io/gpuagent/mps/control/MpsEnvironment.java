// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.control;

import io.gpuagent.host.HostView;
import io.gpuagent.model.ClientPriority;
import io.gpuagent.model.PinnedMemoryLimit;
import io.gpuagent.model.Share;
import io.gpuagent.model.ThreadPercentage;
import io.gpuagent.mps.DaemonFolders;
import io.gpuagent.mps.MpsException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The environments that are handed to MPS programs: written out, with nothing inherited by accident. */
public final class MpsEnvironment {
    /** Where the daemon's sockets are. */
    public static final String PIPE_DIRECTORY = "CUDA_MPS_PIPE_DIRECTORY";
    /** Where the daemon's logs are. */
    public static final String LOG_DIRECTORY = "CUDA_MPS_LOG_DIRECTORY";
    /** Which command language is spoken; beats the program's own default of later drivers. */
    public static final String PROTOCOL_VERSION = "CUDA_MPS_PROTOCOL_VERSION";
    /** Which GPUs a daemon serves or a client sees. */
    public static final String VISIBLE_DEVICES = "CUDA_VISIBLE_DEVICES";
    /** The share of threads, of a daemon's servers or of one client. */
    public static final String THREADS = "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE";
    /** The limits of memory, a list {@code ORDINAL=SIZE,...}. */
    public static final String MEMORY = "CUDA_MPS_PINNED_DEVICE_MEM_LIMIT";
    /** The priority of clients, 0 or 1. */
    public static final String PRIORITY = "CUDA_MPS_CLIENT_PRIORITY";

    // Without these two the server dies with status 1 on some systems; a shell by hand has them, so it works there.
    private static final List<String> KEPT = List.of("PATH", "LD_LIBRARY_PATH");

    private MpsEnvironment() {}

    /**
     * For a control command.
     *
     * @param host whose PATH and LD_LIBRARY_PATH are kept
     * @param folders the daemon's folders
     * @return the whole environment
     */
    public static Map<String, String> ofCommand(HostView host, DaemonFolders folders) {
        Map<String, String> environment = new LinkedHashMap<>();
        for (String kept : KEPT) {
            String value = host.environment().get(kept);
            if (value != null) {
                environment.put(kept, value);
            }
        }
        environment.put(PIPE_DIRECTORY, folders.pipe().path().toString());
        environment.put(LOG_DIRECTORY, folders.log().toString());
        environment.put(PROTOCOL_VERSION, "2");
        return environment;
    }

    /**
     * For a daemon. The share stands in its environment, so that no client can come before its percentage and priority
     * are in force. Its limit of memory is not taken from there: tried on an H200, driver 580.159.04, in seven spellings.
     * It stands there for drivers that do as NVIDIA's documentation says, and has to be set by {@link DefaultCommands}
     * as soon as the daemon answers.
     *
     * @param host whose PATH and LD_LIBRARY_PATH are kept
     * @param folders the daemon's folders
     * @param devices UUIDs of the GPUs or of the one MIG device it serves; never ordinals, which depend on the order
     * @param share what its servers start with
     * @return the whole environment
     * @throws MpsException when there is no device or one is no UUID
     */
    public static Map<String, String> ofDaemon(
            HostView host, DaemonFolders folders, List<String> devices, Share share) {
        if (devices.isEmpty()) {
            throw new MpsException("an MPS daemon without a device would take all of them: name the UUIDs of its GPUs");
        }
        for (String device : devices) {
            if (device.contains(",") || !(device.startsWith("GPU-") || device.startsWith("MIG-"))) {
                throw new MpsException("\"" + device + "\" is no UUID of a GPU or MIG device, which an MPS daemon needs"
                        + " to be started for: it begins with GPU- or MIG-");
            }
        }
        Map<String, String> environment = ofCommand(host, folders);
        environment.put(VISIBLE_DEVICES, String.join(",", devices));
        environment.putAll(ofShare(share, devices.size()));
        return environment;
    }

    /**
     * What asks for a share: of a daemon's servers, or of a client within what its server allows. An entry of memory for
     * a device that the client cannot see makes the driver drop every limit of memory (captured on an H200), so there is
     * one for each visible device and no other.
     *
     * @param share the share
     * @param visibleDevices how many devices the daemon or client sees
     * @return the variables
     */
    public static Map<String, String> ofShare(Share share, int visibleDevices) {
        Map<String, String> environment = new LinkedHashMap<>();
        share.threads().map(ThreadPercentage::commandForm).ifPresent(value -> environment.put(THREADS, value));
        share.memory()
                .map(PinnedMemoryLimit::commandForm)
                .ifPresent(value -> environment.put(
                        MEMORY,
                        IntStream.range(0, visibleDevices)
                                .mapToObj(ordinal -> ordinal + "=" + value)
                                .collect(Collectors.joining(","))));
        share.priority().map(ClientPriority::commandForm).ifPresent(value -> environment.put(PRIORITY, value));
        return environment;
    }

    /**
     * Whether a client's own list of memory limits makes the driver drop all limits, the server's too: when an entry
     * names a device that the client cannot see. Captured on an H200: with {@code 0=4G,1=4G} and one device, a client
     * under a limit of 8 GiB had the whole card.
     *
     * @param list the client's {@link #MEMORY}
     * @param visibleDevices UUIDs of the devices that it sees, in their order
     * @return whether it is without any limit of memory
     */
    public static boolean dropsMemoryLimits(String list, List<String> visibleDevices) {
        for (String entry : list.split(",", -1)) {
            int equals = entry.indexOf('=');
            if (equals > 0 && !isVisible(entry.substring(0, equals).strip(), visibleDevices)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isVisible(String device, List<String> visibleDevices) {
        if (device.matches("\\d{1,4}")) {
            return Integer.parseInt(device) < visibleDevices.size();
        }
        return visibleDevices.contains(device);
    }
}
