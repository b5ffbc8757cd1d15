// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.fold;

import io.gpuagent.model.health.ClearsOn;
import io.gpuagent.model.health.HealthSource;
import java.time.Duration;
import java.util.Optional;

/**
 * Something that a reading says is so, or is not. It is a problem as long as it is so; where hardware never gets well again,
 * until a person answers for it, and again when there is new evidence.
 *
 * @param code the problem's code
 * @param part what tells two of them apart; else empty
 * @param effect what it amounts to
 * @param clearsOn {@link ClearsOn#FLAG}, or {@link ClearsOn#ACKNOWLEDGEMENT} for what never gets well
 * @param source who says so
 * @param text the evidence
 */
record Condition(String code, String part, Effect effect, ClearsOn clearsOn, HealthSource source, String text) {
    /** When it was last seen is no news each second. */
    private static final Duration REFRESH = Duration.ofMinutes(1);

    void is(boolean isSo, ProblemOwner owner) {
        if (isSo) {
            holds(owner);
        } else {
            ends(owner, code, part);
        }
    }

    /** Something that a reading saw happen: it is no longer so by the next reading, but it was. */
    void once(ProblemOwner owner) {
        holds(owner);
        open(owner, code, part)
                .ifPresent(problem -> owner.put(problem.draft().live(false).build()));
    }

    private static Optional<Problem> open(ProblemOwner owner, String code, String part) {
        return owner.problems()
                .latest(problem -> problem.key().code().equals(code)
                        && problem.key().part().equals(part));
    }

    private void holds(ProblemOwner owner) {
        Draft node = owner.node();
        Optional<Problem> known = open(owner, code, part);
        if (known.isEmpty()) {
            owner.put(Problem.begin(node.nextProblemId(), new ProblemKey(code, -1, -1, part), node.boot, node.at)
                    .said(effect)
                    .clearsOn(clearsOn, false)
                    .text(text)
                    .live(true)
                    .seen(node.at, 1, source)
                    .build());
            return;
        }
        Problem problem = known.get();
        boolean isNewEvidence = !problem.text().equals(text) || !problem.said().equals(effect);
        boolean isNews = isNewEvidence || !problem.isLive() || node.at.isPast(problem.last(), REFRESH);
        if (isNews) {
            Problem.Draft changed =
                    problem.draft().text(text).said(effect).live(true).seen(node.at, isNewEvidence ? 1 : 0, source);
            owner.put((isNewEvidence ? changed.acknowledged(Optional.empty()) : changed).build());
        }
    }

    /** A reading says that it is not, or no longer, so. */
    static void ends(ProblemOwner owner, String code, String part) {
        open(owner, code, part).ifPresent(problem -> {
            boolean isForLife = problem.clearsOn() == ClearsOn.ACKNOWLEDGEMENT
                    && problem.acknowledged().isEmpty();
            if (!isForLife) {
                owner.put(problem.draft()
                        .cleared(owner.node().at, ClearsOn.FLAG.sentence())
                        .build());
            } else if (problem.isLive()) {
                owner.put(problem.draft().live(false).build());
            }
        });
    }
}
