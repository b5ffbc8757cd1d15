// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.mps;

import java.time.Instant;

/**
 * A user whose client waits because the daemon serves another user. To that client it looks like a hang.
 *
 * @param uid the user
 * @param pid the client's pid; 0 where it lives in another pid namespace
 * @param since when it began to wait
 */
public record MpsPendingView(long uid, long pid, Instant since) {}
