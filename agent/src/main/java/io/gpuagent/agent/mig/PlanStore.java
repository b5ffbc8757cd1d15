// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mig;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.gpuagent.model.time.Clock;
import java.time.Duration;
import java.util.Optional;

/** Plans that may still be applied: the newest ones, each for an hour. */
final class PlanStore {
    static final Duration KEPT = Duration.ofHours(1);
    static final int MOST = 64;

    private final Cache<String, MigPlan> plans;

    PlanStore(Clock clock) {
        plans = Caffeine.newBuilder()
                .maximumSize(MOST)
                .expireAfterWrite(KEPT)
                .ticker(clock::nanos)
                .executor(Runnable::run)
                .build();
    }

    void put(MigPlan plan) {
        plans.put(plan.id(), plan);
    }

    Optional<MigPlan> find(String id) {
        return Optional.ofNullable(plans.getIfPresent(id));
    }
}
