// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.helper;

import io.gpuagent.control.direct.Requester;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.FileSystems;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.net.ExtendedSocketOptions;

/**
 * The process at the other end of the connection, as the kernel names it (SO_PEERCRED, unix(7)).
 *
 * @param user the user it ran as when it connected
 * @param requester the same for the audit log
 */
record Peer(UserPrincipal user, Requester requester) {
    // systemd.socket(5), Accept=: the instance is a number, and for Unix sockets the peer's pid and uid behind it.
    private static final Pattern INSTANCE = Pattern.compile("[0-9]+-([0-9]+)-([0-9]+)");

    /**
     * Asks the kernel.
     *
     * @param channel a connected Unix socket
     * @param instance the instance of the unit, from which the JDK's missing pid is taken
     * @throws IOException when the socket is no Unix socket
     */
    static Peer of(SocketChannel channel, Optional<String> instance) throws IOException {
        UserPrincipal user =
                channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
        return of(user, instance);
    }

    static Peer of(UserPrincipal user, Optional<String> instance) {
        Optional<Matcher> parts = instance.map(INSTANCE::matcher).filter(Matcher::matches);
        // systemd asks the kernel, too. A name of another form, or of another user, tells nothing.
        Optional<Long> uid = parts.map(each -> Long.valueOf(each.group(2)))
                .filter(number -> Optional.of(user).equals(named(Long.toString(number))));
        Optional<Long> pid = uid.flatMap(_ -> parts).map(each -> Long.valueOf(each.group(1)));
        return new Peer(user, new Requester(user.getName(), uid, pid));
    }

    /**
     * Whether it is one of two users. They are compared by number: two names may stand for one user.
     *
     * @param agentUser the agent's user
     */
    boolean isRootOr(String agentUser) {
        return Optional.of(user).equals(named("root")) || Optional.of(user).equals(named(agentUser));
    }

    /** The JDK takes a number for that user where no user has it for a name. */
    private static Optional<UserPrincipal> named(String name) {
        try {
            UserPrincipalLookupService users = FileSystems.getDefault().getUserPrincipalLookupService();
            return Optional.of(users.lookupPrincipalByName(name));
        } catch (IOException noSuchUser) {
            return Optional.empty();
        }
    }
}
