// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.layout;

/**
 * A place in a file, as editors count.
 *
 * @param line from 1; 0 where no place is known
 * @param column from 1; 0 where no place is known
 */
public record Position(int line, int column) {
    /** Somewhere, or in no file at all. */
    public static final Position NONE = new Position(0, 0);
}
