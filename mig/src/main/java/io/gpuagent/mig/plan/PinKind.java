// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

/** Why an instance must stay, the reason that is most easily removed first. */
public enum PinKind {
    /** Somebody counts on finding it, though nothing runs on it now. */
    RESERVED('r', "reserved"),
    /** It cannot be seen whether it is in use. */
    UNKNOWN('?', "of unknown use"),
    /** Neither made nor adopted by this agent. */
    FOREIGN('f', "foreign"),
    /** Something that runs nothing on it has it open, such as a monitor; the driver would refuse. */
    HELD('~', "held"),
    /** A process runs on it; the driver would refuse. */
    BUSY('*', "busy"),
    /** The user wants it left as it is. */
    KEEP('k', "to be kept");

    private final char symbol;
    private final String word;

    PinKind(char symbol, String word) {
        this.symbol = symbol;
        this.word = word;
    }

    /**
     * Its sign on a slice map.
     *
     * @return one character
     */
    public char symbol() {
        return symbol;
    }

    /**
     * Its adjective.
     *
     * @return such as {@code busy}
     */
    public String word() {
        return word;
    }

    /** Whether such an instance may stay though nobody wants it: it is no business of the layout's. */
    boolean isOutsideOfLayout() {
        return this == FOREIGN || this == KEEP;
    }
}
