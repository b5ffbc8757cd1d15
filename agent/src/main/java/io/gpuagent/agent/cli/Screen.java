// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** What standard error is, where a command says how far it is. */
enum Screen {
    /** A file, a pipe, the journal: nobody watches. */
    NONE,
    /** A terminal that only knows lines. */
    LINES,
    /** A terminal on which a line can be written anew. */
    LIVE;

    /**
     * What a descriptor leads to.
     *
     * @param descriptor its link in /proc
     * @param environment says what the terminal can do
     * @return what is there
     */
    static Screen of(Path descriptor, Map<String, String> environment) {
        String target;
        try {
            target = Files.readSymbolicLink(descriptor).toString();
        } catch (IOException unknown) {
            return NONE;
        }
        // pts(4), console(4), tty(4): whatever else is below /dev is no terminal.
        if (!target.matches("/dev/(pts/[0-9]+|tty[A-Za-z]*[0-9]*|console)")) {
            return NONE;
        }
        String terminal = environment.getOrDefault("TERM", "");
        return terminal.isEmpty() || terminal.equals("dumb") ? LINES : LIVE;
    }
}
