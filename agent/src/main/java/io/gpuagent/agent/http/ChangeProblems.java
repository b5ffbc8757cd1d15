// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import io.gpuagent.agent.config.BadValueException;
import io.gpuagent.control.RefusalCode;
import io.gpuagent.mps.supervise.ChangeRefused;

/** Refused changes as problems; the codes are those of the port, so that they mean the same wherever they are refused. */
final class ChangeProblems {
    private ChangeProblems() {}

    static ProblemException of(ChangeRefused refused) {
        return of(
                switch (refused.kind()) {
                    case BAD_REQUEST -> RefusalCode.BAD_REQUEST;
                    case NOT_FOUND -> RefusalCode.NOT_FOUND;
                    case NOT_ALLOWED -> RefusalCode.NOT_ALLOWED;
                    case NOT_SUPPORTED -> RefusalCode.NOT_SUPPORTED;
                    case IN_USE -> RefusalCode.IN_USE;
                    case FAILED -> RefusalCode.FAILED;
                    case HALF_DONE -> RefusalCode.HALF_DONE;
                },
                String.valueOf(refused.getMessage()));
    }

    static ProblemException badRequest(String sentence) {
        return of(RefusalCode.BAD_REQUEST, sentence);
    }

    static ProblemException badRequest(BadValueException refused) {
        return badRequest(refused.what() + "; " + refused.right());
    }

    static ProblemException notFound(BadValueException refused) {
        return of(RefusalCode.NOT_FOUND, refused.what() + "; " + refused.right());
    }

    static ProblemException of(RefusalCode code, String sentence) {
        int status = switch (code) {
            case BAD_REQUEST -> 400;
            case NOT_ALLOWED -> 403;
            case NOT_FOUND -> 404;
            case BUSY, IN_USE, NOT_QUIESCED, STALE, IMPOSSIBLE, CANCELLED -> 409;
            case NOT_SUPPORTED -> 422;
            case FAILED, HALF_DONE, NOT_RECORDED, UNSAFE_FOLDER, OUTCOME_UNKNOWN -> 500;
            case NO_HELPER -> 503;
        };
        return new ProblemException(new Problem(status, code.label(), title(code), sentence));
    }

    private static String title(RefusalCode code) {
        return switch (code) {
            case BAD_REQUEST -> "Bad request";
            case NOT_ALLOWED -> "Not allowed";
            case NOT_FOUND -> "No such daemon, client or device";
            case BUSY -> "Another change is in flight";
            case IN_USE -> "In use";
            case NOT_QUIESCED -> "The GPU is not let go of";
            case NOT_SUPPORTED -> "Not supported";
            case STALE -> "The layout has changed";
            case IMPOSSIBLE -> "No layout has room for it";
            case CANCELLED -> "The change was called off";
            case FAILED -> "The change failed and nothing is changed";
            case HALF_DONE -> "The change failed in the middle";
            case NOT_RECORDED -> "The change cannot be written down";
            case UNSAFE_FOLDER -> "A folder is not safe";
            case OUTCOME_UNKNOWN -> "It is not known whether it was done";
            case NO_HELPER -> "The root helper does not answer";
        };
    }
}
