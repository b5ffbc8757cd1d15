// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.fold;

import io.gpuagent.model.health.HealthAction;
import io.gpuagent.model.health.HealthState;

/**
 * What a problem comes to.
 *
 * @param state how bad it is
 * @param action what helps
 */
public record Effect(HealthState state, HealthAction action) {
    static final Effect NONE = new Effect(HealthState.OK, HealthAction.NONE);

    Effect worse(Effect other) {
        return new Effect(state.worse(other.state), action.stronger(other.action));
    }
}
