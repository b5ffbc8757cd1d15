// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import static java.lang.System.Logger.Level.WARNING;

import io.gpuagent.agent.config.ConfigException;
import io.gpuagent.agent.config.DcgmConfig;
import io.gpuagent.agent.config.DcgmCountersFile;
import io.gpuagent.exporters.DcgmCounters;
import io.gpuagent.exporters.DcgmStyle;
import io.gpuagent.host.HostView;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds out what a page with DCGM's names looks like on this machine. */
final class DcgmPageStyle {
    private static final System.Logger LOG = System.getLogger(DcgmPageStyle.class.getName());

    private DcgmPageStyle() {}

    static DcgmStyle of(DcgmConfig config, HostView host) throws ConfigException {
        DcgmCounters counters = DcgmCounters.USUAL;
        if (config.counters().isPresent()) {
            Path file = config.counters().get();
            DcgmCounters.Parsed parsed = DcgmCountersFile.read(file);
            parsed.warnings().forEach(warning -> LOG.log(WARNING, "{0}", DcgmCountersFile.line(file, warning)));
            counters = parsed.counters();
        }
        return new DcgmStyle(counters, config.hostLabel(), hostName(host));
    }

    /** As dcgm-exporter finds it: within Kubernetes the node's name, which the pod's own name would hide. */
    private static String hostName(HostView host) {
        String node = host.environment().getOrDefault("NODE_NAME", "");
        if (!node.isEmpty()) {
            return node;
        }
        try {
            return Files.readString(host.path("/proc/sys/kernel/hostname"), StandardCharsets.UTF_8)
                    .strip();
        } catch (IOException e) {
            return ""; // Then the series have no such label.
        }
    }
}
