// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.control;

import java.util.ArrayList;
import java.util.List;

/**
 * A row of {@code ps}. A client that was terminated stays in the list until its process ends.
 *
 * @param pid its pid, in the control daemon's pid namespace
 * @param contextId the number the server gave it
 * @param server its server's pid
 * @param device the first three groups of its GPU's UUID
 * @param pidNamespace inode number of its pid namespace
 * @param command its name as the kernel keeps it, up to 15 characters
 */
public record ClientProcess(long pid, long contextId, long server, String device, String pidNamespace, String command) {
    private static final List<String> TITLES = List.of("PID", "ID", "SERVER", "DEVICE", "NAMESPACE", "COMMAND");

    /** Without clients the daemon prints nothing, not even the titles (captured). */
    static List<ClientProcess> parse(String output) {
        List<ClientProcess> processes = new ArrayList<>();
        if (output.isBlank()) {
            return processes;
        }
        List<String> lines = output.lines().toList();
        FixedColumns columns = new FixedColumns(lines.getFirst(), TITLES);
        for (String row : lines.subList(1, lines.size())) {
            if (!row.isBlank()) {
                processes.add(new ClientProcess(
                        columns.number(row, 0),
                        columns.number(row, 1),
                        columns.number(row, 2),
                        columns.cell(row, 3),
                        columns.cell(row, 4),
                        columns.cell(row, 5)));
            }
        }
        return List.copyOf(processes);
    }

    /**
     * Whether it uses a GPU.
     *
     * @param uuid the whole UUID
     * @return whether {@link #device} is its beginning
     */
    public boolean isOn(String uuid) {
        return !device.isEmpty() && uuid.startsWith(device);
    }
}
