// SPDX-License-Identifier: Apache-2.0
/**
 * CUDA MPS as it stands on the node: control daemons, their servers and clients, and who is on which limit. Immutable
 * views that the supervision publishes and that pages, API and command line show; JDK only.
 */
@NullMarked
package io.gpuagent.model.mps;

import org.jspecify.annotations.NullMarked;
