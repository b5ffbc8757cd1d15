// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.health.NodeHealth;
import io.gpuagent.model.mps.MpsNodeView;
import java.util.Optional;

/**
 * All that a page is made of: it is looked up in memory before a page is begun, and nothing is asked while it is made.
 *
 * @param node the snapshot, whose readings are aged to its time already
 * @param mps MPS on the node; empty where nobody supervises it, and then no MPS family has a series
 * @param health the verdicts; empty where nobody gives any, and then no health family has a series
 */
public record PageSource(NodeSnapshot node, Optional<MpsNodeView> mps, Optional<NodeHealth> health) {
    /**
     * A page of GPUs alone.
     *
     * @param node the snapshot
     * @return the source, without MPS and verdicts
     */
    public static PageSource of(NodeSnapshot node) {
        return new PageSource(node, Optional.empty(), Optional.empty());
    }
}
