// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.bench;

import java.io.IOException;
import java.io.OutputStream;

/** A Java program that does nothing: the floor under every figure of a whole process. */
final class BareJvm {
    /** What it says as soon as it runs. */
    static final String READY = "ready";

    private BareJvm() {}

    /**
     * Says that it is there and waits until its standard input ends.
     *
     * @param arguments none
     * @throws IOException when standard input cannot be read
     */
    public static void main(String[] arguments) throws IOException {
        System.err.println(READY);
        System.in.transferTo(OutputStream.nullOutputStream());
    }
}
