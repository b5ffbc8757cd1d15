// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.control;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which commands a control program knows, by its binary version. All three are spoken to in protocol v2, which the
 * environment pins ({@link MpsEnvironment#PROTOCOL_VERSION}).
 */
public enum Generation {
    /** Up to CUDA 13.0 (driver 580): at most 48 client contexts a GPU; no partitions. Seen on hardware. */
    LEGACY(48),
    /** CUDA 13.1 to 13.3 (driver 590): static partitions with {@code -S}, 60 client contexts. Never seen on hardware. */
    STATIC_PARTITIONS(60),
    /** CUDA 13.4 (driver 615): could speak protocol v3, too. Never seen on hardware. */
    V3_CAPABLE(60);

    private static final int FIRST_STATIC = 13010;
    private static final int FIRST_V3 = 13040;
    /** CUDA 13.4 is the newest that this client was written for. */
    private static final int FIRST_UNKNOWN = 13050;

    private static final Pattern VERSION = Pattern.compile("Binary version: (\\d{1,9})\\b");

    private final int clientContexts;

    Generation(int clientContexts) {
        this.clientContexts = clientContexts;
    }

    /**
     * The version in what {@code nvidia-cuda-mps-control -v} prints or in the log line of a daemon's start.
     *
     * @param text for example {@code CUDA MPS Control for Linux/Unix/QNX. Binary version: 13000}
     * @return the number, 1000 * major + 10 * minor of CUDA; empty where there is none
     */
    public static Optional<Integer> version(String text) {
        Matcher matcher = VERSION.matcher(text);
        return matcher.find() ? Optional.of(Integer.valueOf(matcher.group(1))) : Optional.empty();
    }

    /**
     * The generation of a version.
     *
     * @param version see {@link #version}
     * @return the generation; empty for versions newer than those known, whose commands may mean something else
     */
    public static Optional<Generation> of(int version) {
        if (version >= FIRST_UNKNOWN) {
            return Optional.empty();
        }
        if (version >= FIRST_V3) {
            return Optional.of(V3_CAPABLE);
        }
        return Optional.of(version >= FIRST_STATIC ? STATIC_PARTITIONS : LEGACY);
    }

    /**
     * How many client contexts one GPU takes; fewer with CUDA_DEVICE_MAX_CONNECTIONS above 2 and on small MIG instances.
     *
     * @return contexts, not processes
     */
    public int clientContexts() {
        return clientContexts;
    }
}
