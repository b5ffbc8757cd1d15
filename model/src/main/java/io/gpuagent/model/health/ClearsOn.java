// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.health;

import java.util.Locale;

/** What has to be seen before an incident no longer counts. */
public enum ClearsOn {
    /** Ten minutes without another line, the GPU answering meanwhile. */
    QUIET("ten minutes without another one while the GPU answers"),
    /** The driver no longer reports it. */
    FLAG("the driver no longer reports it"),
    /** No memory row waits for a reset any more. */
    REMAP("no row remap is pending any more"),
    /** A reset or restart that came later, and a clean reading behind it. */
    RESET("a reset or restart, and a clean reading after it"),
    /** A restart of the machine that came later, and a clean reading behind it. */
    REBOOT("a restart of the machine, and a clean reading after it"),
    /** A person says so. */
    ACKNOWLEDGEMENT("an acknowledgement by a person (gpu-agent ack)");

    private final String sentence;

    ClearsOn(String sentence) {
        this.sentence = sentence;
    }

    /**
     * The name in JSON.
     *
     * @return lower case
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The condition in words.
     *
     * @return lower-case words without a full stop
     */
    public String sentence() {
        return sentence;
    }
}
