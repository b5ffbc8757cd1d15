// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

/**
 * One thing that is wrong in a file.
 *
 * @param file the file as the user named it
 * @param line its line, from 1; 0 where the whole file is meant
 * @param column its column, from 1; 0 where the whole file is meant
 * @param what what is wrong
 * @param right what would be right
 */
public record Problem(String file, int line, int column, String what, String right) {
    /**
     * The problem in the form that editors and people know from compilers.
     *
     * @return {@code FILE:LINE:COLUMN: WHAT; RIGHT}
     */
    @Override
    public String toString() {
        String place = line == 0 ? file : file + ":" + line + ":" + column;
        return place + ": " + what + "; " + right;
    }
}
