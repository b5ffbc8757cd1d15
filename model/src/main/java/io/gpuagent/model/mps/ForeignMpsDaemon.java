// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.mps;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A control daemon that somebody else runs. It is shown and never touched.
 *
 * @param pid its pid
 * @param uid its user; empty where it cannot be read
 * @param pipe its pipe directory; empty where its environment cannot be read
 * @param devices its CUDA_VISIBLE_DEVICES as they stand there; empty where it cannot be read or is not set
 * @param servers pids of its servers
 */
public record ForeignMpsDaemon(
        long pid, OptionalLong uid, Optional<Path> pipe, List<String> devices, List<Long> servers) {
    /** Takes copies of the lists. */
    public ForeignMpsDaemon {
        devices = List.copyOf(devices);
        servers = List.copyOf(servers);
    }
}
