// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.control;

import io.gpuagent.model.ClientPriority;
import io.gpuagent.model.Share;
import io.gpuagent.model.ThreadPercentage;
import java.util.ArrayList;
import java.util.List;

/**
 * The commands that set a daemon's defaults, for the standard input of one run of {@code nvidia-cuda-mps-control}: of
 * several lines all are carried out and only the last one's answer comes back (captured on an H200). For whoever starts a
 * daemon and has no {@link ControlClient}, such as a systemd unit's {@code ExecStartPost=}; what is in force has to be
 * read back behind it. A daemon in the foreground does not read its own standard input (captured), so a unit may give the
 * same file to both.
 */
public final class DefaultCommands {
    private DefaultCommands() {}

    /**
     * The lines, parts that the share does not name as the driver's defaults.
     *
     * @param share what new servers are to give
     * @param devices how many devices the daemon's CUDA_VISIBLE_DEVICES names
     * @return lines without their ends
     */
    public static List<String> of(Share share, int devices) {
        List<String> lines = new ArrayList<>();
        lines.add("set_default_active_thread_percentage "
                + share.threads().orElse(ThreadPercentage.ALL).commandForm());
        for (int device = 0; device < devices; device++) {
            int ordinal = device;
            share.memory()
                    .ifPresent(limit ->
                            lines.add("set_default_device_pinned_mem_limit " + ordinal + " " + limit.commandForm()));
        }
        lines.add("set_default_client_priority "
                + share.priority().orElse(ClientPriority.NORMAL).commandForm());
        return List.copyOf(lines);
    }
}
