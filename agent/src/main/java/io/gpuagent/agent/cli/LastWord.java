// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

/** What is said when the user ends the command (Ctrl-C, SIGTERM) while it is at something. */
final class LastWord implements AutoCloseable {
    private final Thread hook;

    /**
     * From now on, until it is closed.
     *
     * @param before makes room for the sentence: the terminal has written ^C at the cursor
     * @param output where it is said
     * @param sentence what became of what was asked for
     */
    LastWord(Runnable before, Output output, String sentence) {
        hook = new Thread(
                () -> {
                    before.run();
                    output.sentence(sentence);
                },
                "last-word");
        try {
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // The process is being ended before anything was begun.
        }
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // It is being said.
        }
    }
}
