// SPDX-License-Identifier: Apache-2.0
/**
 * Health of GPUs and node. {@link io.gpuagent.health.HealthMonitor} is the one thing with a state here: it feeds
 * observations to the fold, hands facts to the store, and shows them. The packages below it: {@code line} takes the driver's
 * lines apart, {@code catalogue} says what codes mean, {@code fold} draws the conclusions, {@code store} keeps them. Knows
 * {@code model} and {@code host} only: neither NVML nor metrics nor the web.
 */
@NullMarked
package io.gpuagent.health;

import org.jspecify.annotations.NullMarked;
