// SPDX-License-Identifier: Apache-2.0
/**
 * NVML for Java. {@link io.gpuagent.nvml.Nvml#open} initialises the library over a
 * {@link io.gpuagent.nvml.SymbolSource}; {@link io.gpuagent.nvml.Nvml#gpu} gives a {@link io.gpuagent.nvml.Gpu}, whose
 * topics ({@link io.gpuagent.nvml.Power}, {@link io.gpuagent.nvml.Clocks} and so on) hold the getters. Each getter
 * answers with a value or with the reason why there is none ({@link io.gpuagent.nvml.Answer}): a function that the
 * driver lacks, or that a card does not support, is a normal answer and disables nothing else.
 *
 * <p><b>Threads.</b> NVML is thread-safe and so is this binding, but a call can block for long when a GPU or its driver
 * hangs: make the calls for each GPU from one platform thread of its own, never from a virtual thread (a blocking
 * downcall pins its carrier) or an event loop.
 *
 * <p><b>Changes.</b> A session changes nothing unless it was opened with {@link io.gpuagent.nvml.Access#CONTROL}: until
 * then, functions that change something are not called.
 */
@NullMarked
package io.gpuagent.nvml;

import org.jspecify.annotations.NullMarked;
