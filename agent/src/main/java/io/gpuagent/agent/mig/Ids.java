// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mig;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Names of plans and operations; random, so that one from before a restart is not taken for one of now. */
final class Ids {
    private static final int BYTES = 4;

    private final SecureRandom random = new SecureRandom();

    /** Such as {@code plan-5f0c3a9b}. */
    String next(String kind) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return kind + "-" + HexFormat.of().formatHex(bytes);
    }
}
