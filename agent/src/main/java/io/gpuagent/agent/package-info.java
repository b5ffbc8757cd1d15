// SPDX-License-Identifier: Apache-2.0
/** The way in. */
@NullMarked
package io.gpuagent.agent;

import org.jspecify.annotations.NullMarked;
