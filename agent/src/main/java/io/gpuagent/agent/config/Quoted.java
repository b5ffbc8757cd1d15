// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import io.gpuagent.model.UserText;

/** The agent's name for {@link UserText}: a user's text inside a message. */
public final class Quoted {
    private Quoted() {}

    /**
     * Quotes a text.
     *
     * @param text whatever the user wrote
     * @return the text in quotes, not endless, with control characters as escapes
     */
    public static String of(String text) {
        return UserText.quoted(text);
    }

    /**
     * Makes a text from elsewhere fit for a terminal.
     *
     * @param text the text
     * @return the text with each control character replaced by a question mark
     */
    public static String printable(String text) {
        return UserText.printable(text);
    }
}
