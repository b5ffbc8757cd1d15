// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.mig;

import io.gpuagent.host.HostView;
import io.gpuagent.host.ProcessOwner;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The containers that run.
 *
 * @param firstProcesses by id, the lowest pid in each, whose root is the container's
 */
record Containers(Map<String, Long> firstProcesses) {
    /** All but the one in which this process runs, which has nodes in order to read them. */
    static Containers of(HostView host, List<Long> pids) {
        Map<String, Long> first = new LinkedHashMap<>();
        for (long pid : pids) {
            ProcessOwner.of(host, pid).container().ifPresent(container -> first.putIfAbsent(container, pid));
        }
        Optional<String> own =
                ProcessOwner.of(host, ProcessHandle.current().pid()).container();
        own.ifPresent(first::remove);
        return new Containers(first);
    }
}
