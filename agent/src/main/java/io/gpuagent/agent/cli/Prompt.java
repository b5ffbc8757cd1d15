// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import java.io.Console;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asks whoever sits at the terminal. */
@FunctionalInterface
interface Prompt {
    /** Nobody sits there. */
    Prompt NOBODY = question -> Optional.empty();

    /**
     * Asks whether to go on.
     *
     * @param question without its end
     * @return whether; empty where there is no terminal
     */
    Optional<Boolean> confirm(String question);

    static Prompt terminal() {
        return question -> Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .map(console -> {
                    String answer = console.readLine("%s [y/N] ", question);
                    if (answer == null) {
                        // The end of input (Ctrl-D) is no line, and what follows belongs on one of its own.
                        console.printf("%n");
                        console.flush();
                    }
                    return isYes(answer);
                });
    }

    private static boolean isYes(@Nullable String answer) {
        String word = answer == null ? "" : answer.strip().toLowerCase(Locale.ROOT);
        return word.equals("y") || word.equals("yes");
    }
}
