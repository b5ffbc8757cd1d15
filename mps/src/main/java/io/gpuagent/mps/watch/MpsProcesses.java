// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.watch;

import java.util.List;
import java.util.Optional;

/**
 * All control daemons and servers of the machine at one moment.
 *
 * @param daemons control daemons by pid
 * @param servers servers by pid
 * @param complete whether all processes of the machine were looked at
 */
public record MpsProcesses(List<MpsProcess> daemons, List<MpsProcess> servers, boolean complete) {
    /** There are none. */
    public static final MpsProcesses NONE = new MpsProcesses(List.of(), List.of(), true);

    /** Takes copies. */
    public MpsProcesses {
        daemons = List.copyOf(daemons);
        servers = List.copyOf(servers);
    }

    /**
     * The daemon of a server: its parent, or else the only one in its pipe directory, since a server that lost its parent
     * has another one.
     *
     * @param server the server
     * @return its daemon; empty where none can be told
     */
    public Optional<MpsProcess> daemonOf(MpsProcess server) {
        Optional<MpsProcess> parent = daemons.stream()
                .filter(daemon -> daemon.pid() == server.parent())
                .findFirst();
        return parent.isPresent() ? parent : onlyOneInPipeOf(server);
    }

    private Optional<MpsProcess> onlyOneInPipeOf(MpsProcess server) {
        List<MpsProcess> there = server.pipe().stream()
                .flatMap(pipe -> daemons.stream().filter(daemon -> daemon.pipe().equals(Optional.of(pipe))))
                .toList();
        return there.size() == 1 ? Optional.of(there.getFirst()) : Optional.empty();
    }

    /**
     * The servers of a daemon.
     *
     * @param daemon the daemon
     * @return its servers by pid
     */
    public List<MpsProcess> serversOf(MpsProcess daemon) {
        return servers.stream()
                .filter(server -> daemonOf(server).equals(Optional.of(daemon)))
                .toList();
    }
}
