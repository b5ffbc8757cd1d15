// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host.kernel;

import io.gpuagent.host.HostView;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * NVIDIA's kernel module and the library that belongs to it, as files tell of them.
 *
 * @param version version of the loaded module, such as {@code 580.159.04}; empty where none is loaded
 * @param logsXids whether it writes Xids to the kernel's log (RmLogonRC, 1 unless somebody switched it off); empty where
 *     the module does not say
 * @param library version of the NVML library that a program started now would load; empty where it is not found in the
 *     usual folders
 */
public record NvidiaModule(Optional<String> version, Optional<Boolean> logsXids, Optional<String> library) {
    /** Where distributions and NVIDIA's installer put it; the containers' toolkit mounts it at the same places. */
    private static final List<String> FOLDERS = List.of(
            "/usr/lib/x86_64-linux-gnu",
            "/usr/lib/aarch64-linux-gnu",
            "/usr/lib64",
            "/usr/lib",
            "/lib/x86_64-linux-gnu",
            "/lib64",
            "/run/opengl-driver/lib",
            "/usr/local/nvidia/lib64");

    private static final String NAME = "libnvidia-ml.so.1";
    private static final String PREFIX = "libnvidia-ml.so.";

    /**
     * Looks.
     *
     * @param host the machine
     * @return what there is
     */
    public static NvidiaModule read(HostView host) {
        return new NvidiaModule(version(host), logsXids(host), library(host));
    }

    /**
     * Whether programs that start now would get a library that does not fit the loaded module.
     *
     * @return true where both are known and differ
     */
    public boolean isMismatchPending() {
        return version.isPresent() && library.isPresent() && !version.equals(library);
    }

    private static Optional<String> version(HostView host) {
        Optional<String> module = first(host.path("/sys/module/nvidia/version"), "");
        return module.isPresent() ? module : procVersion(host);
    }

    /** {@code NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  Release Build ...}. */
    private static Optional<String> procVersion(HostView host) {
        return first(host.path("/proc/driver/nvidia/version"), "NVRM version:").flatMap(line -> {
            for (String word : line.split("\\s+", -1)) {
                if (isVersion(word)) {
                    return Optional.of(word);
                }
            }
            return Optional.empty();
        });
    }

    private static Optional<Boolean> logsXids(HostView host) {
        return first(host.path("/proc/driver/nvidia/params"), "RmLogonRC:").map(value -> !value.equals("0"));
    }

    private static Optional<String> library(HostView host) {
        for (String folder : FOLDERS) {
            String file = target(host.path(folder).resolve(NAME));
            String version = file.startsWith(PREFIX) ? file.substring(PREFIX.length()) : "";
            if (isVersion(version)) {
                return Optional.of(version);
            }
        }
        return Optional.empty();
    }

    private static String target(Path link) {
        try {
            return String.valueOf(link.toRealPath().getFileName());
        } catch (IOException notHere) {
            return "";
        }
    }

    private static boolean isVersion(String word) {
        int dot = word.indexOf('.');
        return dot > 0 && word.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
    }

    private static Optional<String> first(Path file, String start) {
        try {
            for (String line : Files.readAllLines(file, StandardCharsets.ISO_8859_1)) {
                if (line.startsWith(start)) {
                    return Optional.of(line.substring(start.length()).strip());
                }
            }
            return Optional.empty();
        } catch (IOException absent) {
            return Optional.empty();
        }
    }
}
