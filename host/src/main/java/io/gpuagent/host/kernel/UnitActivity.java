// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host.kernel;

import io.gpuagent.host.HostView;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Whether a unit of systemd runs, without asking systemd: by its file and its control group. */
public enum UnitActivity {
    /** Its control group has processes. */
    ACTIVE,
    /** It is installed and has no process. */
    INACTIVE,
    /** There is no such unit. */
    NOT_INSTALLED,
    /** The control groups cannot be seen from here, as in a container. */
    UNKNOWN;

    private static final List<String> FOLDERS = List.of(
            "/etc/systemd/system",
            "/run/systemd/system",
            "/usr/local/lib/systemd/system",
            "/usr/lib/systemd/system",
            "/lib/systemd/system");

    /**
     * Looks at one unit.
     *
     * @param host the machine
     * @param unit its name, such as {@code nvidia-persistenced.service}; an instance of a template is looked for by the
     *     template's file
     * @param slice its control group below the root, such as {@code system.slice}
     * @return how it is
     */
    public static UnitActivity of(HostView host, String unit, String slice) {
        Path groups = host.path("/sys/fs/cgroup").resolve(slice);
        if (!Files.isDirectory(groups)) {
            return UNKNOWN;
        }
        try {
            String events = Files.readString(groups.resolve(unit).resolve("cgroup.events"), StandardCharsets.US_ASCII);
            if (events.lines().anyMatch("populated 1"::equals)) {
                return ACTIVE;
            }
        } catch (IOException noGroup) {
            // A unit that is not active has no control group.
            return isInstalled(host, unit) ? INACTIVE : NOT_INSTALLED;
        }
        return INACTIVE;
    }

    private static boolean isInstalled(HostView host, String unit) {
        int at = unit.indexOf('@');
        String file = at < 0 ? unit : unit.substring(0, at + 1) + unit.substring(unit.lastIndexOf('.'));
        return FOLDERS.stream()
                .anyMatch(folder -> Files.exists(host.path(folder).resolve(file)));
    }
}
