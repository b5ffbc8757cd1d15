// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control;

/** Why a request was not, or not wholly, carried out. The labels are stable; the sentences beside them are not. */
public enum RefusalCode {
    /** An argument is not what it must be; nothing was touched. */
    BAD_REQUEST("bad_request"),
    /** This user may not ask, or this process may not do it; nothing was touched. */
    NOT_ALLOWED("not_allowed"),
    /** The root helper cannot be reached; nothing was touched. */
    NO_HELPER("no_helper"),
    /** Another change to the same daemon or GPU is in flight; nothing was touched. */
    BUSY("busy"),
    /** The requester did not let go of a GPU in time; nothing was touched. */
    NOT_QUIESCED("not_quiesced"),
    /** The change cannot be written down, so it is not made; nothing was touched. */
    NOT_RECORDED("not_recorded"),
    /** Another user could have tampered with a folder; nothing was touched. */
    UNSAFE_FOLDER("unsafe_folder"),
    /** There is no such daemon, client or GPU. */
    NOT_FOUND("not_found"),
    /** The card, driver or program cannot do it. */
    NOT_SUPPORTED("not_supported"),
    /** Clients stand against it; nothing was touched. */
    IN_USE("in_use"),
    /** The layout, or who uses it, is not as it was when the plan was made; nothing was touched. */
    STALE("stale"),
    /** There is no layout that has what is wanted and what must stay; nothing was touched. */
    IMPOSSIBLE("impossible"),
    /** The requester called it off in the middle; all is as it was before. */
    CANCELLED("cancelled"),
    /** It was tried and failed; all is as it was before. */
    FAILED("failed"),
    /** It was tried and failed in the middle; the sentence tells what is left. */
    HALF_DONE("half_done"),
    /** It was begun, and whether it was done is not known: it must not be asked for again before somebody has looked. */
    OUTCOME_UNKNOWN("outcome_unknown");

    private final String label;

    RefusalCode(String label) {
        this.label = label;
    }

    /**
     * The name on the wire, in the audit log and in the API.
     *
     * @return lower case with underscores
     */
    public String label() {
        return label;
    }
}
