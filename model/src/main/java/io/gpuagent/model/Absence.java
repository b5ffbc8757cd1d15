// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

/**
 * Why a reading has no value. An absent value is never shown as 0: it has no series, and tables and JSON name this
 * reason.
 */
public enum Absence {
    /** No read was tried yet. */
    NOT_READ_YET("not read yet"),
    /** This device, or this driver on it, does not have it. */
    NOT_SUPPORTED("not supported"),
    /** The driver library has no such function (an older driver). */
    NO_SUCH_FUNCTION("not in this driver"),
    /** The driver refused it to this user. */
    NO_PERMISSION("no permission"),
    /** The driver answered that it does not know the value (an all-ones sentinel). */
    NOT_AVAILABLE("not available"),
    /** The driver answered a value that cannot be true, such as a utilization of 4294967295 %. */
    OUT_OF_RANGE("out of range"),
    /** The GPU has fallen off the bus or wants a reset. */
    GPU_LOST("GPU lost"),
    /** The call has not come back within its deadline. */
    UNRESPONSIVE("unresponsive"),
    /** The last good value is older than three intervals of its tier. */
    TOO_OLD("too old"),
    /** The call failed in another way; the detail names the code. */
    FAILED("failed");

    private final String text;

    Absence(String text) {
        this.text = text;
    }

    /**
     * The reason in words, as tables show it.
     *
     * @return lower-case words without a full stop
     */
    public String text() {
        return text;
    }
}
