// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.mig;

import io.gpuagent.host.HostView;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The nodes {@code /dev/nvidia-caps/nvidia-capM} of one GPU's instances. Whoever uses an instance has its node open, since
 * the kernel puts a duplicate into the files of each client that subscribes to it (open kernel modules,
 * gpu_instance_subscription.c; not seen on hardware). Which M is whose stands in
 * {@code /proc/driver/nvidia-caps/mig-minors}.
 *
 * @param byPath the instances by the paths of their nodes
 */
record CapabilityNodes(Map<String, Instance> byPath) {
    static final String FOLDER = "/dev/nvidia-caps";
    private static final Pattern LINE =
            Pattern.compile("gpu([0-9]{1,3})/gi([0-9]{1,3})(?:/ci([0-9]{1,3}))?/access ([0-9]{1,9})");
    private static final String MINORS = "/proc/driver/nvidia-caps/mig-minors";
    // 32 GPUs of 135 instances have 4320 lines of at most 30 bytes.
    private static final int LONGEST = 1 << 20;

    CapabilityNodes {
        byPath = Map.copyOf(byPath);
    }

    /**
     * Whose a node is.
     *
     * @param gpuInstance the id of the GPU instance
     * @param computeInstance the id of the compute instance; empty for the node of the GPU instance
     */
    record Instance(int gpuInstance, OptionalInt computeInstance) {}

    /** Reads the nodes of the GPU with a minor number; none where the driver has no such file. */
    static CapabilityNodes of(HostView host, int minor) {
        Map<String, Instance> nodes = new HashMap<>();
        try (InputStream in = Files.newInputStream(host.path(MINORS))) {
            String text = new String(in.readNBytes(LONGEST), StandardCharsets.US_ASCII);
            text.lines().map(LINE::matcher).filter(Matcher::matches).forEach(line -> {
                if (Integer.parseInt(line.group(1)) == minor) {
                    OptionalInt compute = line.group(3) == null
                            ? OptionalInt.empty()
                            : OptionalInt.of(Integer.parseInt(line.group(3)));
                    nodes.put(path(line.group(4)), new Instance(Integer.parseInt(line.group(2)), compute));
                }
            });
        } catch (IOException noDriver) {
            return new CapabilityNodes(Map.of());
        }
        return new CapabilityNodes(nodes);
    }

    private static String path(String minor) {
        return FOLDER + "/nvidia-cap" + minor;
    }

    List<String> paths() {
        return byPath.keySet().stream().sorted().toList();
    }
}
