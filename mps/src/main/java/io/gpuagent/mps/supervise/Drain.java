// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.host.ProcessIdentity;
import java.time.Instant;

/**
 * A wait for the clients of a daemon, which is stopped when they have gone. It is kept on disk: when the process dies
 * that waits, the next one goes on.
 *
 * @param until when it is given up
 * @param by the process that waits
 */
record Drain(Instant until, ProcessIdentity by) {}
