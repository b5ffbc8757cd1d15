// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mig;

import io.gpuagent.control.ControlPort;
import io.gpuagent.control.direct.Requester;
import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What the service of MIG works with.
 *
 * @param ports read and change for whoever asks
 * @param snapshots gives the newest snapshot of the GPUs
 * @param pollers let go of GPUs
 * @param uses what ran lately
 * @param pciDevices tells device and vendor id of a GPU by its UUID, such as {@code 0x233510DE}
 * @param idleGrace how long an instance stays reserved after something ran on it
 * @param clock the time
 */
public record MigParts(
        Function<Requester, ControlPort> ports,
        Supplier<NodeSnapshot> snapshots,
        PollerRelease pollers,
        LastUses uses,
        Function<String, Optional<Integer>> pciDevices,
        Duration idleGrace,
        Clock clock) {
    MigCards cards(Requester requester) {
        return new MigCards(ports.apply(requester), pollers, uses, clock);
    }
}
