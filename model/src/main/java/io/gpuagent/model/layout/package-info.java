// SPDX-License-Identifier: Apache-2.0
/**
 * A layout file as it was written: which GPUs it is about and what they are to have. Names of profiles are the user's
 * own words here; what they mean is told by a card. Uses the model and the JDK alone.
 */
@NullMarked
package io.gpuagent.model.layout;

import org.jspecify.annotations.NullMarked;
