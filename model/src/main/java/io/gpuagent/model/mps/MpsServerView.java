// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.mps;

import io.gpuagent.model.Share;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An MPS server: the process that holds the context which its clients share.
 *
 * @param pid its process id
 * @param uid the user it serves; empty where it is not known
 * @param state NVIDIA's word, {@code ACTIVE} and so on, as it came
 * @param share what it allows to clients that connect from now on, as read back; empty before the first reading
 * @param startedAt when it started; empty where it cannot be read
 */
public record MpsServerView(
        long pid, OptionalLong uid, String state, Optional<Share> share, Optional<Instant> startedAt) {}
