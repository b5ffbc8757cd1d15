// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.mps;

import io.gpuagent.model.Share;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A client of an MPS server. What it was let in under stays with it until it ends: no command changes a running client.
 *
 * @param pid its process id, in the control daemon's pid namespace
 * @param name its process name; empty where it cannot be read
 * @param uid its user; empty where it cannot be read
 * @param owner its unit and container
 * @param server the pid of its server
 * @param contexts how many contexts it has; each takes one of the GPU's places for clients
 * @param memoryBytes device memory that it holds, by NVML; empty where the driver does not tell
 * @param connectedAt when it connected; empty where it came before the agent and the log is gone
 * @param serverShare what its server allowed when it connected; empty where that is not known
 * @param ownShare what its own environment asks for, which can only lower it; empty where it cannot be read
 * @param onOldLimits whether its server allows something else by now; empty where it is not known
 * @param multiprocessors how many multiprocessors it may use; empty where percentage or GPU are not known
 * @param escape one sentence where its environment makes the driver drop every memory limit
 */
public record MpsClientView(
        long pid,
        Optional<String> name,
        OptionalLong uid,
        ProcessOwnerView owner,
        long server,
        int contexts,
        OptionalLong memoryBytes,
        Optional<Instant> connectedAt,
        Optional<Share> serverShare,
        Optional<Share> ownShare,
        Optional<Boolean> onOldLimits,
        OptionalInt multiprocessors,
        Optional<String> escape) {}
