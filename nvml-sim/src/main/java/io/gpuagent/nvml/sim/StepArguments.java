// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.Optional;

/** What a step of a scenario says beside when and what; after a mistake something that fits is given. */
interface StepArguments {
    boolean has(String key);

    Optional<String> text(String key);

    /** Where there is no such key, that is the other number. */
    int number(String key, long least, long most, int otherwise);

    int needed(String key, long least, long most);

    /** A mistake at the value of a key. */
    void mistake(String key, String what);
}
