// SPDX-License-Identifier: Apache-2.0
/**
 * Carries MIG plans out: locks, journal, steps through the binding, verification by reading, rollback, recovery; and the
 * MIG mode. Needs NVML opened for control and a folder for its files; see docs/adr/0009-mig-journal.md. It knows neither
 * the agent's pollers nor MPS: both are ports.
 */
@NullMarked
package io.gpuagent.mig.apply;

import org.jspecify.annotations.NullMarked;
