// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.mig;

import io.gpuagent.host.HostView;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;

/** The N of {@code /dev/nvidiaN}, from {@code /proc/driver/nvidia/gpus/BUS/information}. */
final class DeviceMinors {
    private static final String UUID = "GPU UUID:";
    private static final String MINOR = "Device Minor:";

    private DeviceMinors() {}

    static OptionalInt of(HostView host, String uuid) {
        try (DirectoryStream<Path> gpus = Files.newDirectoryStream(host.path("/proc/driver/nvidia/gpus"))) {
            for (Path gpu : gpus) {
                List<String> lines = Files.readAllLines(gpu.resolve("information"), StandardCharsets.ISO_8859_1);
                if (value(lines, UUID).equals(uuid)) {
                    return OptionalInt.of(Integer.parseInt(value(lines, MINOR)));
                }
            }
        } catch (IOException | DirectoryIteratorException | NumberFormatException notTold) {
            return OptionalInt.empty();
        }
        return OptionalInt.empty();
    }

    private static String value(List<String> lines, String key) {
        return lines.stream()
                .filter(line -> line.startsWith(key))
                .map(line -> line.substring(key.length()).strip())
                .findFirst()
                .orElse("");
    }
}
