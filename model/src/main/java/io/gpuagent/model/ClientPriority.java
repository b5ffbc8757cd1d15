// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

/** How the work of an MPS client is ranked against that of others; a hint to the hardware's scheduler. */
public enum ClientPriority {
    /** As every other program; what a control daemon starts with. */
    NORMAL("normal", 0),
    /** Behind those of normal priority. */
    BELOW_NORMAL("below-normal", 1);

    private final String label;
    private final int code;

    ClientPriority(String label, int code) {
        this.label = label;
        this.code = code;
    }

    /**
     * Reads what a person writes.
     *
     * @param text {@code normal} or {@code below-normal}
     * @return the priority
     * @throws IllegalArgumentException with one sentence for the user
     */
    public static ClientPriority parse(String text) {
        for (ClientPriority priority : values()) {
            if (priority.label.equals(text.strip())) {
                return priority;
            }
        }
        throw new IllegalArgumentException(
                "the client priority " + UserText.quoted(text) + " is unknown: write normal or below-normal");
    }

    /**
     * Reads what a control daemon answers.
     *
     * @param text {@code 0} or {@code 1}
     * @return the priority
     * @throws IllegalArgumentException when it is neither
     */
    public static ClientPriority fromDaemon(String text) {
        for (ClientPriority priority : values()) {
            if (priority.commandForm().equals(text.strip())) {
                return priority;
            }
        }
        throw new IllegalArgumentException(
                UserText.quoted(text.strip()) + " is no client priority of a control daemon");
    }

    /**
     * As people write it.
     *
     * @return the name in layouts, options and labels
     */
    public String label() {
        return label;
    }

    /**
     * As a control command or an environment variable takes it.
     *
     * @return {@code 0} or {@code 1}
     */
    public String commandForm() {
        return Integer.toString(code);
    }

    @Override
    public String toString() {
        return label;
    }
}
