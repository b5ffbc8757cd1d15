// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.mig;

import io.gpuagent.host.HostView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A machine whose {@code /proc} and {@code /dev} lie in a test's folder, with the capability nodes of one GPU. */
final class HostOnPaper {
    private static final int GPU_INSTANCES = 15;
    private static final int COMPUTE_INSTANCES = 8;

    private final HostView view;

    HostOnPaper(Path root) throws IOException {
        view = new HostView(root, Map.of(), 0);
        // As the driver numbers them: config 1, monitor 2, then the instances of gpu0 in order.
        StringBuilder minors = new StringBuilder("config 1\nmonitor 2\n");
        for (int gi = 0; gi < GPU_INSTANCES; gi++) {
            minors.append("gpu0/gi" + gi + "/access " + minor(gi, -1) + "\n");
            for (int ci = 0; ci < COMPUTE_INSTANCES; ci++) {
                minors.append("gpu0/gi" + gi + "/ci" + ci + "/access " + minor(gi, ci) + "\n");
            }
        }
        write("/proc/driver/nvidia-caps/mig-minors", minors.toString());
        process(1, "systemd", "/init.scope");
        namespace("pid:[4026531836]");
    }

    /** The path of an instance's node; -1 for that of the GPU instance. */
    static String node(int gpuInstance, int computeInstance) {
        return "/dev/nvidia-caps/nvidia-cap" + minor(gpuInstance, computeInstance);
    }

    private static int minor(int gpuInstance, int computeInstance) {
        return 3 + gpuInstance * (COMPUTE_INSTANCES + 1) + 1 + computeInstance;
    }

    HostView view() {
        return view;
    }

    void namespace(String inode) throws IOException {
        Path link = view.path("/proc/self/ns/pid");
        Files.createDirectories(link.getParent());
        Files.deleteIfExists(link);
        Files.createSymbolicLink(link, Path.of(inode));
    }

    /** The driver's page about a GPU, as its source prints it (open kernel modules, nv-procfs.c). */
    void minor(String uuid, int minor) throws IOException {
        write(
                "/proc/driver/nvidia/gpus/0000:18:00.0/information",
                "Model: \t\t NVIDIA H200\nIRQ:   \t\t 180\nGPU UUID: \t " + uuid + "\nBus Location: \t 0000:18:00.0\n"
                        + "Device Minor: \t " + minor + "\nGPU Excluded:\t No\n");
    }

    private void write(String path, String text) throws IOException {
        Path file = view.path(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    /** A process without open files. */
    void process(long pid, String program, String group) throws IOException {
        String proc = "/proc/" + pid;
        String name = program.substring(0, Math.min(program.length(), 15));
        write(proc + "/stat", pid + " (" + name + ") S 1" + " 0".repeat(17) + " " + pid * 10 + " 0\n");
        write(proc + "/status", "Name:\t" + name + "\nUid:\t0\t0\t0\t0\n");
        write(proc + "/comm", name + "\n");
        write(proc + "/cmdline", "/usr/bin/" + program + "\0");
        write(proc + "/cgroup", "0::" + group + "\n");
        write(proc + "/environ", "SECRET=x\0");
        Files.createDirectories(view.path(proc + "/fd"));
    }

    void opens(long pid, int number, String node) throws IOException {
        Files.createSymbolicLink(view.path("/proc/" + pid + "/fd/" + number), Path.of(node));
    }

    void environment(long pid, String... variables) throws IOException {
        write("/proc/" + pid + "/environ", String.join("\0", variables) + "\0");
    }

    /** Puts a node into the root of a process. */
    void gives(long pid, String node) throws IOException {
        write("/proc/" + pid + "/root" + node, "");
    }
}
