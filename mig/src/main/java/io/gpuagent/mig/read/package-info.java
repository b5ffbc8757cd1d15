// SPDX-License-Identifier: Apache-2.0
/**
 * Reads what a GPU is cut into from NVML. Asks the binding on the calling thread and changes nothing; what the host knows
 * of processes comes through {@link io.gpuagent.mig.read.HostClaims}.
 */
@NullMarked
package io.gpuagent.mig.read;

import org.jspecify.annotations.NullMarked;
