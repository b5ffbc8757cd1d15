// SPDX-License-Identifier: Apache-2.0
/**
 * The JSON shapes that others rely on, one writer and one reader each. What the command line shows is read from the same
 * JSON as anyone else reads, so the two cannot disagree.
 */
@NullMarked
package io.gpuagent.agent.api.json;

import org.jspecify.annotations.NullMarked;
