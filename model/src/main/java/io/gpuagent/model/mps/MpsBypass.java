// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.mps;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * A process that computes on a GPU with a managed daemon and is no client of it: it has the whole GPU, with no limit.
 *
 * @param device UUID of the GPU
 * @param pid its pid
 * @param name its process name; empty where it cannot be read
 * @param owner its unit and container
 * @param memoryBytes device memory that it holds; empty where the driver does not tell
 * @param reason one sentence on why it does not come to the daemon; empty where its environment cannot be read
 */
public record MpsBypass(
        String device,
        long pid,
        Optional<String> name,
        ProcessOwnerView owner,
        OptionalLong memoryBytes,
        Optional<String> reason) {}
