// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.watch;

import io.gpuagent.model.mps.ForeignMpsDaemon;
import io.gpuagent.model.mps.MpsDaemonView;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/** Control daemons that somebody else runs. */
public final class ForeignDaemons {
    private ForeignDaemons() {}

    /**
     * Tells them from ours. One in a pipe directory of ours is not foreign, whatever its pid: either it is ours and
     * changes at this moment, or our daemon's state says that it is not.
     *
     * @param seen all that run
     * @param ours our daemons
     * @return the others by pid
     */
    public static List<ForeignMpsDaemon> of(MpsProcesses seen, List<MpsDaemonView> ours) {
        return seen.daemons().stream()
                .filter(daemon -> ours.stream().noneMatch(our -> isOne(daemon, our)))
                .map(daemon -> new ForeignMpsDaemon(
                        daemon.pid(),
                        OptionalLong.of(daemon.uid()),
                        daemon.pipe(),
                        daemon.devices(),
                        seen.serversOf(daemon).stream().map(MpsProcess::pid).toList()))
                .toList();
    }

    private static boolean isOne(MpsProcess daemon, MpsDaemonView our) {
        return our.pid().equals(OptionalLong.of(daemon.pid()))
                || daemon.pipe().filter(our.pipe()::equals).isPresent();
    }

    /**
     * The servers of one of our daemons: those that it told of, and those that /proc shows below it.
     *
     * @param seen all that run
     * @param our the daemon
     * @return pids
     */
    public static Set<Long> serversOf(MpsProcesses seen, MpsDaemonView our) {
        Set<Long> servers = new TreeSet<>();
        our.servers().forEach(server -> servers.add(server.pid()));
        seen.servers().stream()
                .filter(server -> our.pid().equals(OptionalLong.of(server.parent()))
                        || server.pipe().filter(our.pipe()::equals).isPresent())
                .forEach(server -> servers.add(server.pid()));
        return servers;
    }
}
