// SPDX-License-Identifier: Apache-2.0
/**
 * Whether GPUs and the node are well: verdicts with their reasons, incidents, and how the sources of both do. Immutable
 * views that the health fold makes and that pages, API and command line show; JDK only.
 */
@NullMarked
package io.gpuagent.model.health;

import org.jspecify.annotations.NullMarked;
