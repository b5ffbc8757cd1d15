// SPDX-License-Identifier: Apache-2.0
/** How log lines look: on a terminal, in a file, and in the journal. */
@NullMarked
package io.gpuagent.agent.log;

import org.jspecify.annotations.NullMarked;
