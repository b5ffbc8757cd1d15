// SPDX-License-Identifier: Apache-2.0
/**
 * From a node snapshot to metric pages. {@link io.gpuagent.exporters.MetricCatalogue} lists every metric family once,
 * with its meaning and with the readings it comes from; pages and {@code docs/metrics.md} are both made from it.
 * {@link io.gpuagent.exporters.NativePage} turns a {@link io.gpuagent.model.NodeSnapshot} into metric snapshots,
 * {@link io.gpuagent.exporters.PageFormat} turns those into bytes. Everything here is a pure function: no I/O, no clock,
 * no state from page to page.
 */
@NullMarked
package io.gpuagent.exporters;

import org.jspecify.annotations.NullMarked;
