// SPDX-License-Identifier: Apache-2.0
/**
 * Multi-Instance GPU as facts: what a card can be cut into, which instances it has and who claims them, and how people
 * name profiles. Immutable records of what NVML and the host were asked for elsewhere; nothing here does I/O, reads a
 * clock or starts a thread. Uses model and the JDK alone; it knows neither MPS nor metrics nor the web.
 */
@NullMarked
package io.gpuagent.mig;

import org.jspecify.annotations.NullMarked;
