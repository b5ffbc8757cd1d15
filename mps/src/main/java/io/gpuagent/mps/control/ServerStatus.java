// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.control;

/**
 * The state of a server in NVIDIA's own words.
 *
 * @param word the state
 * @param raw what the daemon answered, also where the word is not known
 */
public record ServerStatus(Word word, String raw) {
    /** The words that are documented. */
    public enum Word {
        /** The server starts; without a persistence daemon this takes long. */
        INITIALIZING,
        /** Clients can connect. Captured on an H200. */
        ACTIVE,
        /** A fatal GPU fault: no new clients until all those affected have exited. Never seen on hardware. */
        FAULT,
        /** Another word. */
        UNKNOWN
    }

    static ServerStatus parse(String output) {
        String raw = output.strip();
        // One word; anything else is no status but a message.
        if (!raw.matches("[A-Z_]+")) {
            throw new IllegalArgumentException(raw);
        }
        for (Word word : Word.values()) {
            if (word.name().equals(raw)) {
                return new ServerStatus(word, raw);
            }
        }
        return new ServerStatus(Word.UNKNOWN, raw);
    }
}
