// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host;

import io.gpuagent.model.mps.ProcessOwnerView;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells by {@code /proc/PID/cgroup} (cgroups(7)) which systemd unit, container and Kubernetes pod a process belongs to.
 *
 * <p>All runtimes put the container's id, 64 hexadecimal digits, into the name of a group: alone ({@code /docker/ID},
 * {@code /kubepods/.../ID}), as a scope of systemd ({@code docker-ID.scope}, {@code cri-containerd-ID.scope}, {@code
 * crio-ID.scope}, {@code libpod-ID.scope}), or behind colons where containerd was told the systemd form and does not speak
 * it ({@code kubepods-...slice:cri-containerd:ID}). Of nested containers, the innermost counts. A name that a user made up
 * without such an id is no container here.
 */
public final class ProcessOwner {
    private static final int LONGEST = 64 * 1024;
    private static final String UNIFIED = "0";
    private static final String SYSTEMD = "name=systemd";
    private static final String DELETED = " (deleted)";

    private static final String ID = "(?<id>[0-9a-f]{64})";
    // conmon watches a container from outside of it, in a group of its own.
    private static final Pattern CONTAINER =
            Pattern.compile("(?:(?<prefix>[A-Za-z0-9_.:@\\\\-]*)[-:])?" + ID + "(?:\\.scope)?");
    // A pod from a file on the node has a hash for its uid. In names of slices, systemd has _ for the uid's hyphens.
    private static final Pattern POD = Pattern.compile(
            "(?:^|-)pod(?<uid>[0-9a-f]{8}(?:[-_][0-9a-f]{4}){3}[-_][0-9a-f]{12}|[0-9a-f]{32})(?:\\.slice|$)");

    private ProcessOwner() {}

    /**
     * Whom a process belongs to now.
     *
     * @param host the machine
     * @param pid the process
     * @return what is known; {@link ProcessOwnerView#UNKNOWN} where the process has ended
     */
    public static ProcessOwnerView of(HostView host, long pid) {
        try (InputStream in = Files.newInputStream(host.path("/proc/" + pid + "/cgroup"))) {
            return parse(new String(in.readNBytes(LONGEST), StandardCharsets.ISO_8859_1));
        } catch (IOException gone) {
            return ProcessOwnerView.UNKNOWN;
        }
    }

    /**
     * Reads the file's text.
     *
     * @param text lines {@code HIERARCHY:CONTROLLERS:PATH}; others are passed over
     * @return what is known
     */
    public static ProcessOwnerView parse(String text) {
        Optional<String> unit = Optional.empty();
        Optional<String> container = Optional.empty();
        Optional<String> pod = Optional.empty();
        for (List<String> path : paths(text)) {
            unit = unit.or(() -> unit(path));
            container = container.or(() -> container(path));
            pod = pod.or(() -> pod(path));
        }
        return new ProcessOwnerView(unit, container, pod);
    }

    /** Those that systemd keeps come first: with version 1, controllers may stop halfway down to the unit. */
    private static List<List<String>> paths(String text) {
        List<List<String>> kept = new ArrayList<>();
        List<List<String>> others = new ArrayList<>();
        text.lines().forEach(line -> {
            // A path may hold colons.
            String[] fields = line.split(":", 3);
            if (fields.length == 3 && fields[2].startsWith("/")) {
                boolean bySystemd = fields[1].equals(SYSTEMD) || (fields[0].equals(UNIFIED) && fields[1].isEmpty());
                (bySystemd ? kept : others).add(groups(fields[2]));
            }
        });
        kept.addAll(others);
        return kept;
    }

    /** The innermost group first. */
    private static List<String> groups(String path) {
        String there = path.endsWith(DELETED) ? path.substring(0, path.length() - DELETED.length()) : path;
        List<String> groups = new ArrayList<>();
        for (String group : there.split("/", -1)) {
            if (!group.isEmpty()) {
                // systemd puts _ before a name that the kernel could take for a file of its own.
                groups.addFirst(group.startsWith("_") ? group.substring(1) : group);
            }
        }
        return groups;
    }

    private static Optional<String> container(List<String> groups) {
        return groups.stream()
                .map(CONTAINER::matcher)
                .filter(ProcessOwner::isContainer)
                .map(matcher -> matcher.group("id"))
                .findFirst();
    }

    private static boolean isContainer(Matcher matcher) {
        if (!matcher.matches()) {
            return false;
        }
        String prefix = matcher.group("prefix");
        return prefix == null || !prefix.endsWith("conmon");
    }

    private static Optional<String> pod(List<String> groups) {
        return groups.stream()
                // Only the part before a colon is a slice: kubepods-...slice:cri-containerd:ID.
                .map(group -> POD.matcher(group.split(":", 2)[0]))
                .filter(Matcher::find)
                .map(matcher -> matcher.group("uid").replace('_', '-'))
                .findFirst();
    }

    /** Of a user's own service, that and not the user's manager. The scope of a container only repeats its id. */
    private static Optional<String> unit(List<String> groups) {
        return groups.stream()
                .filter(group -> group.endsWith(".service") || group.endsWith(".scope"))
                .filter(group -> !isContainer(CONTAINER.matcher(group)))
                .findFirst();
    }
}
