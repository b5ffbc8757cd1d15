// SPDX-License-Identifier: Apache-2.0
/**
 * What things cost. Benchmarks of single pieces run under JMH; {@link io.gpuagent.bench.WholeProcessBench} starts whole
 * agents. Each is measured beside a baseline in the same run, because figures of two runs, let alone of two machines,
 * cannot be compared; their ratios can. Nothing here is packaged, and no build runs it.
 */
@NullMarked
package io.gpuagent.bench;

import org.jspecify.annotations.NullMarked;
