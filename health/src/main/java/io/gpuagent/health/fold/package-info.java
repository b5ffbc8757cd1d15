// SPDX-License-Identifier: Apache-2.0
/**
 * What happened and what follows from it: {@link io.gpuagent.health.fold.HealthFold} takes facts and one observation and
 * makes the facts after it; {@link io.gpuagent.health.fold.NodeView} shows facts as verdicts and incidents. Pure: no clock,
 * no file, no thread; every observation brings its time along.
 */
@NullMarked
package io.gpuagent.health.fold;

import org.jspecify.annotations.NullMarked;
