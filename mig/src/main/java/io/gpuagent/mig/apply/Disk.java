// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The few ways in which files are written here. What has returned is on the disk. */
public interface Disk {
    /** The machine's. */
    Disk REAL = new DurableDisk();

    /**
     * Opens a file of a fixed size that is written in place. It is made where it is not there, with all of its blocks, so
     * that a disk which fills up later has no say.
     *
     * @param file the file
     * @param size its size in bytes
     * @return the file
     * @throws IOException when it cannot be made in full
     */
    Slab slab(Path file, int size) throws IOException;

    /**
     * Reads a whole file.
     *
     * @param file the file
     * @return its bytes; empty where there is none
     * @throws IOException when it cannot be read
     */
    Optional<byte[]> read(Path file) throws IOException;

    /**
     * Puts a new content in the place of the old one, as a whole or not at all.
     *
     * @param file the file
     * @param content its new content
     * @throws IOException when it cannot be written; the old content is still there
     */
    void replace(Path file, byte[] content) throws IOException;

    /** A file of a fixed size. */
    interface Slab extends Closeable {
        /**
         * Reads all of it.
         *
         * @return its bytes
         * @throws IOException when it cannot be read
         */
        byte[] read() throws IOException;

        /**
         * Writes a part of it.
         *
         * @param offset where
         * @param bytes what
         * @throws IOException when it cannot be written, or not be brought to the disk
         */
        void write(int offset, byte[] bytes) throws IOException;
    }
}
