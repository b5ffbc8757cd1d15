// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mig;

import io.gpuagent.control.Answer;
import io.gpuagent.control.ControlPort;
import io.gpuagent.control.LastUse;
import io.gpuagent.control.MigRequest;
import io.gpuagent.control.Outcome;
import io.gpuagent.mig.apply.MigState;
import io.gpuagent.model.time.Clock;
import java.util.List;

/**
 * Reads GPUs through the port, which may see what the agent's own user may not: everybody's processes and capability
 * nodes.
 */
final class MigCards {
    private final ControlPort port;
    private final PollerRelease pollers;
    private final LastUses uses;
    private final Clock clock;

    MigCards(ControlPort port, PollerRelease pollers, LastUses uses, Clock clock) {
        this.port = port;
        this.pollers = pollers;
        this.uses = uses;
        this.clock = clock;
    }

    List<LastUse> lastUses(String gpu) {
        return uses.of(gpu, clock.nanos());
    }

    /** How a GPU is now, with who uses each instance. */
    MigState read(String gpu) throws MigRefusedException {
        try (MigCaller caller = new MigCaller(_ -> {}, () -> false, pollers, PollerRelease.Depth.CALLS)) {
            return switch (port.perform(new MigRequest.Read(gpu, lastUses(gpu)), caller)) {
                case Answer.Done(Outcome.Mig(MigState state)) -> state;
                case Answer.Done(var other) -> throw new IllegalStateException("a reading answered " + other);
                case Answer.Refused refused -> throw MigRefusedException.of(refused);
            };
        }
    }
}
