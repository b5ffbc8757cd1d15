// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

/** What becomes of the clients of a daemon that is stopped. */
public enum StopMode {
    /** With clients, the stop is refused. */
    REFUSE,
    /** They may end by themselves until the deadline; with some left then, the daemon goes on and the stop is refused. */
    DRAIN,
    /** They are sent SIGTERM, lose their contexts, and are killed at last. */
    FORCE
}
