// SPDX-License-Identifier: Apache-2.0
/**
 * MIG of a GPU as a snapshot shows it: instances, their devices, what still fits, and what each device uses. Data alone;
 * who reads it is in {@code io.gpuagent.agent.poll}.
 */
@NullMarked
package io.gpuagent.model.mig;

import org.jspecify.annotations.NullMarked;
