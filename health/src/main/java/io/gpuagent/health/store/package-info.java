// SPDX-License-Identifier: Apache-2.0
/**
 * Keeps facts over restarts: lines with a checksum in a file that is only appended to, and written anew when it has grown.
 * What fails here degrades and never stops: the facts are in memory, and are written once there is room again.
 */
@NullMarked
package io.gpuagent.health.store;

import org.jspecify.annotations.NullMarked;
