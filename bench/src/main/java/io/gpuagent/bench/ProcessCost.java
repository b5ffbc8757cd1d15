// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What a process has used so far, as Linux counts it.
 *
 * @param residentMib resident memory (VmRSS), MiB; holds the pages of shared files such as the JVM's library
 * @param anonymousMib resident memory of its own (RssAnon), MiB
 * @param cpu processor time, to a hundredth of a second
 */
record ProcessCost(double residentMib, double anonymousMib, Duration cpu) {
    private static final double KIB_PER_MIB = 1024;

    static ProcessCost of(ProcessHandle process) throws IOException {
        // proc(5): /proc/PID/status.
        List<String> status = Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status"));
        return new ProcessCost(
                mib(status, "VmRSS:"),
                mib(status, "RssAnon:"),
                process.info().totalCpuDuration().orElseThrow());
    }

    private static double mib(List<String> status, String name) {
        return status.stream()
                        .filter(line -> line.startsWith(name))
                        .map(line -> line.replaceAll("[^0-9]", ""))
                        .mapToLong(Long::parseLong)
                        .findFirst()
                        .orElseThrow(() -> new IllegalStateException("/proc/PID/status has no " + name))
                / KIB_PER_MIB;
    }
}
