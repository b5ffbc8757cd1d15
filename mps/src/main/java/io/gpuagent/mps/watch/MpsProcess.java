// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.watch;

import io.gpuagent.host.ProcessIdentity;
import io.gpuagent.mps.control.MpsEnvironment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A control daemon or server that runs, whoever started it.
 *
 * @param identity which process
 * @param parent the pid of its parent
 * @param uid the user it runs as; of a server, the one it serves
 * @param pipe its pipe directory; empty where it cannot be told
 * @param variables its CUDA_ and NVIDIA_ variables; empty where they cannot be read
 */
public record MpsProcess(
        ProcessIdentity identity, long parent, int uid, Optional<Path> pipe, Optional<Map<String, String>> variables) {
    /** Takes a copy. */
    public MpsProcess {
        variables = variables.map(Map::copyOf);
    }

    /**
     * Its pid.
     *
     * @return the pid
     */
    public long pid() {
        return identity.pid();
    }

    /**
     * The devices that it was given, as they stand in CUDA_VISIBLE_DEVICES.
     *
     * @return UUIDs or ordinals; empty where they cannot be read or none are named, which means all
     */
    public List<String> devices() {
        return variables
                .map(all -> all.getOrDefault(MpsEnvironment.VISIBLE_DEVICES, ""))
                .map(list -> Stream.of(list.split(",", -1))
                        .map(String::strip)
                        .filter(device -> !device.isEmpty())
                        .toList())
                .orElse(List.of());
    }
}
