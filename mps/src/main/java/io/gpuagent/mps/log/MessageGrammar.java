// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.log;

import io.gpuagent.model.ThreadPercentage;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a single message means. The order matters only where one pattern is the beginning of another. */
final class MessageGrammar {
    private record Rule(Pattern pattern, BiFunction<LogLine, MatchResult, MpsEvent> event) {}

    private static final String CLIENT = "\\{(?:PID: )?(\\d{1,10}), (?:Context ID: )?(\\d{1,10})\\}";

    private static final List<Rule> RULES = List.of(
            rule(
                    "Starting control daemon using socket (.+)",
                    (line, m) -> new MpsEvent.DaemonStarted(line.pid(), m.group(1))),
            rule(
                    "CUDA MPS Control binary version: (\\d{1,9})",
                    (_, m) -> new MpsEvent.DaemonVersion(Integer.parseInt(m.group(1)))),
            rule("Cmd:(.*)", (_, m) -> new MpsEvent.CommandReceived(m.group(1))),
            rule(
                    "NEW CLIENT (\\d{1,10}) from user (\\d{1,10}): Server already exists",
                    (_, m) -> new MpsEvent.ClientConnecting(number(m, 1), number(m, 2), false)),
            rule(
                    "NEW CLIENT (\\d{1,10}) from user (\\d{1,10}): Server is not ready, push client to pending list",
                    (_, m) -> new MpsEvent.ClientConnecting(number(m, 1), number(m, 2), true)),
            rule(
                    "Starting new server (\\d{1,10}) for user (\\d{1,10})",
                    (_, m) -> new MpsEvent.ServerStarting(number(m, 1), number(m, 2))),
            rule("NEW SERVER (\\d{1,10}): Ready", (_, m) -> new MpsEvent.ServerReady(number(m, 1))),
            rule("Exiting", (line, _) -> new MpsEvent.ServerLeaving(line.pid())),
            rule("Force shutting down server (\\d{1,10})", (_, m) -> new MpsEvent.ServerLeaving(number(m, 1))),
            rule(
                    "Server (\\d{1,10}) exited with status (\\d{1,9})",
                    (_, m) -> new MpsEvent.ServerExited(number(m, 1), Integer.parseInt(m.group(2)))),
            rule(
                    "Server (\\d{1,10}) has (\\d{1,9}) active worker threads?\\b.*",
                    (_, m) -> new MpsEvent.ServerStays(number(m, 1), Integer.parseInt(m.group(2)))),
            rule(
                    "Server encountered a fatal exception\\. Shutting down",
                    (line, _) -> new MpsEvent.FatalException(line.pid())),
            rule("Failed to start ?: (.+)", (line, m) -> new MpsEvent.ServerFailed(line.pid(), m.group(1))),
            rule("(?:Server has|MPS Server is) started", (line, _) -> new MpsEvent.ServerStarted(line.pid())),
            rule(
                    "(Creating|Destroy(?:ing)?) server context on device (\\d{1,4})\\b.*",
                    (line, m) -> new MpsEvent.ServerContext(
                            line.pid(), Integer.parseInt(m.group(2)), m.group(1).startsWith("C"))),
            rule(
                    "(?:Active Threads Percentage|activeThreadsPercentage) set to (\\d{1,3}(?:\\.\\d{1,9})?)",
                    (line, m) -> new MpsEvent.ThreadsSet(line.pid(), ThreadPercentage.fromDaemon(m.group(1)))),
            rule(
                    "Device pinned memory limit for device (\\d{1,4}) set to 0x([0-9a-fA-F]{1,15}) bytes",
                    (line, m) -> new MpsEvent.LimitSet(
                            line.pid(), Integer.parseInt(m.group(1)), Long.parseLong(m.group(2), 16))),
            rule(
                    "Server Priority set to (\\d{1,4})",
                    (line, m) -> new MpsEvent.PrioritySet(line.pid(), Integer.parseInt(m.group(1)))),
            rule(
                    "Client " + CLIENT + " connected",
                    (line, m) -> new MpsEvent.ClientConnected(line.pid(), number(m, 1), number(m, 2))),
            rule(
                    "Client " + CLIENT + " (?:exit(?:ed)?|exiting\\. Number of active client contexts is \\d{1,9}\\.)",
                    (line, m) -> new MpsEvent.ClientExited(line.pid(), number(m, 1), number(m, 2))),
            rule(
                    "Client disconnected\\. Number of active client contexts is (\\d{1,9})\\.?",
                    (line, m) -> new MpsEvent.ContextsLeft(line.pid(), Integer.parseInt(m.group(1)))),
            rule(
                    "Client process (\\d{1,10}) disconnected",
                    (line, m) -> new MpsEvent.ClientGone(line.pid(), number(m, 1))),
            rule(
                    "[Ss]tatus of client " + CLIENT + " is (ACTIVE|INACTIVE)",
                    (line, m) -> new MpsEvent.ClientStatus(
                            line.pid(), number(m, 1), number(m, 2), m.group(3).equals("ACTIVE"))),
            rule("Server is handling a fatal GPU error\\.?", (line, _) -> new MpsEvent.GpuFaultBegun(line.pid())),
            rule(
                    "Server failed to rece(?:vie|ive) command with status \\d{1,9}, assuming client " + CLIENT
                            + " exit",
                    (line, _) -> new MpsEvent.Noise(line.message())),
            rule(
                    "Accepting connection\\.\\.\\.|User did not send valid credentials|NEW UI|UI closed|Startup|Start"
                            + "|To connect CUDA applications to this daemon, set env .*"
                            + "|Receive command failed, assuming client exit|Client process disconnected"
                            + "|(?:Volta MPS Server: )?Received new client request|MPS Server: worker created"
                            + "|Creating worker thread(?: for client .+)?|Device .+ is associated"
                            + "|Received new client request for .+|Connecting to control daemon on socket: .+"
                            + "|Initializing server process|Created anonymous shared memory region .+"
                            + "|CUDA MPS Server for .+|Display Driver version: .+"
                            + "|Server has been notified to shutdown|Server was unable to shutdown due to .+"
                            + "|Waiting for current clients to finish|Try shutting down server .+"
                            + "|Control will try shutting down server .+|quit command issued with timeout of .+"
                            + "|Exit with status .+|MPS server requesting client .+ to exit"
                            + "|Client termination succeeded\\."
                            + "|No default pinned memory limit set for the device!",
                    (line, _) -> new MpsEvent.Noise(line.message())));

    private MessageGrammar() {}

    private static Rule rule(String pattern, BiFunction<LogLine, MatchResult, MpsEvent> event) {
        return new Rule(Pattern.compile(pattern), event);
    }

    /** The message without the name that servers since Volta put in front of some. */
    static String bare(LogLine line) {
        String prefix = "Volta MPS: ";
        return line.message().startsWith(prefix) ? line.message().substring(prefix.length()) : line.message();
    }

    static MpsEvent event(LogLine line) {
        String message = bare(line);
        for (Rule rule : RULES) {
            Matcher matcher = rule.pattern().matcher(message);
            if (matcher.matches()) {
                return built(rule, line, matcher).orElseGet(() -> new MpsEvent.Unknown(line.message()));
            }
        }
        return new MpsEvent.Unknown(line.message());
    }

    private static Optional<MpsEvent> built(Rule rule, LogLine line, Matcher matcher) {
        try {
            return Optional.of(rule.event().apply(line, matcher.toMatchResult()));
        } catch (IllegalArgumentException outOfRange) {
            return Optional.empty();
        }
    }

    private static long number(MatchResult match, int group) {
        return Long.parseLong(match.group(group));
    }
}
