// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

/**
 * What a DCGM page looks like.
 *
 * @param counters which fields
 * @param hostLabel the label that names the host; empty for none. Dashboards ask for {@code Hostname}, and for
 *     {@code hostname} where they were made for dcgm-exporter 4.6 to 4.8
 * @param host the host's name; empty for no label
 */
public record DcgmStyle(DcgmCounters counters, String hostLabel, String host) {
    boolean namesHost() {
        return !hostLabel.isEmpty() && !host.isEmpty();
    }
}
