// SPDX-License-Identifier: Apache-2.0
/**
 * Carries requests about MIG out in this process, through {@code mig}'s executor: what that must know of the host (who
 * holds a GPU or an instance) and of MPS daemons comes from here. Reads {@code /proc}, {@code /dev} and the state folder;
 * {@code direct} takes the locks, asks the requester to let go and writes the audit log around it.
 */
@NullMarked
package io.gpuagent.control.mig;

import org.jspecify.annotations.NullMarked;
