// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host;

import java.util.List;

/**
 * A process that holds device nodes open.
 *
 * @param process the process
 * @param uid the user it runs as
 * @param name its name as the kernel keeps it, up to 15 characters
 * @param nodes the nodes, as they were asked for
 */
public record DeviceHolder(ProcessIdentity process, int uid, String name, List<String> nodes) {
    /** Takes a copy. */
    public DeviceHolder {
        nodes = List.copyOf(nodes);
    }
}
