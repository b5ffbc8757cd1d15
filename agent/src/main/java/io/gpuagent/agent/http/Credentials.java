// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A user and a password of the scheme Basic (RFC 7617).
 *
 * @param user the user
 * @param password the password's bytes
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared; a password is no text to keep.
record Credentials(String user, byte[] password) {
    private static final String SCHEME = "basic ";

    /** Those of an {@code Authorization} header; empty where it holds none. */
    static Optional<Credentials> of(@Nullable String header) {
        if (header == null || !header.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
            return Optional.empty();
        }
        byte[] pair;
        try {
            pair = Base64.getDecoder().decode(header.substring(SCHEME.length()).trim());
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        for (int colon = 0; colon < pair.length; colon++) {
            if (pair[colon] == ':') {
                byte[] password = new byte[pair.length - colon - 1];
                System.arraycopy(pair, colon + 1, password, 0, password.length);
                return Optional.of(new Credentials(new String(pair, 0, colon, StandardCharsets.UTF_8), password));
            }
        }
        return Optional.empty();
    }

    @Override
    public String toString() {
        return "Credentials[" + user + "]";
    }
}
