// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;

/**
 * Finds the processes that hold device nodes open, by {@code /proc/PID/fd}. A node is known by its device number, so that
 * one which a container sees under another name is found too, and by its name where the number cannot be read. Processes
 * of other users are seen by root alone.
 */
public final class DeviceHolders {
    private final HostView host;

    /**
     * Looks at one machine.
     *
     * @param host the machine
     */
    public DeviceHolders(HostView host) {
        this.host = host;
    }

    /**
     * Found holders.
     *
     * @param holders those that are seen, by pid
     * @param complete whether the open files of all processes of this pid namespace could be seen
     */
    public record Found(List<DeviceHolder> holders, boolean complete) {
        /** Takes a copy. */
        public Found {
            holders = List.copyOf(holders);
        }
    }

    /**
     * Goes through all processes.
     *
     * @param nodes paths of device nodes
     * @return those that hold one of them, by pid
     * @throws HostException where /proc cannot be read
     */
    public List<DeviceHolder> of(List<String> nodes) throws HostException {
        return find(nodes).holders();
    }

    /**
     * Goes through all processes, and tells whether all could be seen.
     *
     * @param nodes paths of device nodes
     * @return those that hold one of them
     * @throws HostException where /proc cannot be read
     */
    public Found find(List<String> nodes) throws HostException {
        Map<Long, String> byNumber = new HashMap<>();
        for (String node : nodes) {
            deviceNumber(host.path(node)).ifPresent(number -> byNumber.put(number, node));
        }
        List<DeviceHolder> holders = new ArrayList<>();
        Path proc = host.path("/proc");
        // With hidepid (proc(5)) those of others are not even listed.
        boolean complete = Files.exists(proc.resolve("1"));
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path process : processes) {
                try {
                    holder(process, nodes, byNumber).ifPresent(holders::add);
                } catch (AccessDeniedException hidden) {
                    complete = false;
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            throw HostException.of("read", proc, new IOException(e.getMessage(), e), "it must be mounted");
        }
        holders.sort(Comparator.comparingLong(holder -> holder.process().pid()));
        return new Found(holders, complete);
    }

    private Optional<DeviceHolder> holder(Path process, List<String> nodes, Map<Long, String> byNumber)
            throws AccessDeniedException {
        long pid;
        try {
            pid = Long.parseLong(String.valueOf(process.getFileName()));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
        Optional<ProcessIdentity> before = ProcessIdentity.of(host, pid);
        TreeSet<String> held = new TreeSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(process.resolve("fd"))) {
            for (Path file : files) {
                held(file, nodes, byNumber).ifPresent(held::add);
            }
            if (held.isEmpty() || before.isEmpty()) {
                return Optional.empty();
            }
            int uid = HostView.effectiveUid(Files.readAllLines(process.resolve("status"), StandardCharsets.ISO_8859_1));
            String name = Files.readString(process.resolve("comm"), StandardCharsets.ISO_8859_1)
                    .strip();
            return before.equals(ProcessIdentity.of(host, pid))
                    ? Optional.of(new DeviceHolder(before.get(), uid, name, List.copyOf(held)))
                    : Optional.empty();
        } catch (AccessDeniedException hidden) {
            throw hidden;
        } catch (IOException | DirectoryIteratorException ended) {
            return Optional.empty();
        }
    }

    private static Optional<String> held(Path file, List<String> nodes, Map<Long, String> byNumber) {
        try {
            String target = Files.readSymbolicLink(file).toString();
            // Sockets, pipes and the like have no path; to ask for their number would cost a call each.
            if (!target.startsWith("/")) {
                return Optional.empty();
            }
            if (nodes.contains(target)) {
                return Optional.of(target);
            }
            OptionalLong number = byNumber.isEmpty() ? OptionalLong.empty() : deviceNumber(file);
            return number.isPresent() ? Optional.ofNullable(byNumber.get(number.getAsLong())) : Optional.empty();
        } catch (IOException closedMeanwhile) {
            return Optional.empty();
        }
    }

    /** Only special files have one; of others it is 0. */
    private static OptionalLong deviceNumber(Path file) {
        try {
            long number = (Long) Files.getAttribute(file, "unix:rdev");
            return number == 0 ? OptionalLong.empty() : OptionalLong.of(number);
        } catch (IOException absent) {
            return OptionalLong.empty();
        }
    }
}
