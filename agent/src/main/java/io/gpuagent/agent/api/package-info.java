// SPDX-License-Identifier: Apache-2.0
/** What the control API and the command line have in common: how a user names a GPU. */
@NullMarked
package io.gpuagent.agent.api;

import org.jspecify.annotations.NullMarked;
