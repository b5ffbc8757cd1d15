// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A TCP address to listen on.
 *
 * @param host a host name or an IP address; an IPv6 address without brackets
 * @param port 0 to 65535; 0 for any free port
 */
public record ListenAddress(String host, int port) {
    private static final Pattern FORM = Pattern.compile("(?:\\[([0-9a-fA-F:.%a-z]+)]|([^:\\[\\]]*)):([0-9]{1,5})");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_.])?");
    private static final int HIGHEST_PORT = 65535;
    private static final String RIGHT = "write HOST:PORT, for example 127.0.0.1:9836, 0.0.0.0:9836 or [::1]:9836";

    /**
     * Reads an address.
     *
     * @param text {@code HOST:PORT} or {@code [IPV6]:PORT}
     * @return the address
     * @throws BadValueException when it is no such thing
     */
    public static ListenAddress parse(String text) throws BadValueException {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new BadValueException(Quoted.of(text) + " is no address to listen on", RIGHT);
        }
        String host = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
        int port = Integer.parseInt(matcher.group(3));
        if (port > HIGHEST_PORT) {
            throw new BadValueException("there is no port " + port, "use 1 to 65535, or 0 for any free one");
        }
        if (matcher.group(1) == null && !NAME.matcher(host).matches()) {
            // Half a URL, an empty host or "*": each program means something else by these.
            throw new BadValueException(Quoted.of(host) + " is no host to listen on", RIGHT);
        }
        if (host.getBytes(StandardCharsets.UTF_8).length > 253) {
            throw new BadValueException(Quoted.of(host) + " is too long for a host name", RIGHT);
        }
        return new ListenAddress(host, port);
    }

    /**
     * The address as {@link #parse} takes it.
     *
     * @return {@code HOST:PORT} or {@code [IPV6]:PORT}
     */
    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
