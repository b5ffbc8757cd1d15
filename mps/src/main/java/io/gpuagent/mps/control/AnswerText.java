// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.control;

import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Tells refusals from values by the text alone. Captured on an H200, driver 580.159.04, where nothing else is said. */
final class AnswerText {
    private static final Pattern NO_SERVER = Pattern.compile("Server (\\d+ )?not found");

    private AnswerText() {}

    /**
     * Reads an answer.
     *
     * @param command what was sent
     * @param exchange what came back
     * @param reader makes a value of the output without its last end of line; throws IllegalArgumentException otherwise
     */
    static <T> Answer<T> read(String command, Exchange exchange, Function<String, T> reader) {
        return switch (exchange) {
            case Exchange.NotRun(String reason) -> new Answer.Refused<>(command, Refusal.NOT_RUN, reason);
            case Exchange.TimedOut(var after) ->
                new Answer.Refused<>(command, Refusal.TIMED_OUT, "nothing within " + after.toMillis() + " ms");
            case Exchange.Completed completed -> read(command, completed, reader);
        };
    }

    private static <T> Answer<T> read(String command, Exchange.Completed completed, Function<String, T> reader) {
        String output = completed.output().stripTrailing();
        Optional<Refusal> refusal =
                refusal(output).or(() -> refusal(completed.errors().strip()));
        if (refusal.isPresent()) {
            String text = output.isEmpty() ? completed.errors() : output;
            return new Answer.Refused<>(command, refusal.get(), text.strip());
        }
        if (completed.exitStatus() != 0) {
            String text = "exit status " + completed.exitStatus() + " " + output + " " + completed.errors();
            return new Answer.Refused<>(command, Refusal.UNEXPECTED, text.strip());
        }
        if (completed.cut()) {
            return new Answer.Refused<>(command, Refusal.UNEXPECTED, "more than 64 KiB");
        }
        try {
            return new Answer.Value<>(reader.apply(output));
        } catch (IllegalArgumentException e) {
            return new Answer.Refused<>(command, Refusal.UNEXPECTED, output);
        }
    }

    private static Optional<Refusal> refusal(String text) {
        if (text.startsWith("Cannot find MPS control daemon process")
                // Public report of a driver 580 that had no default for it.
                || text.startsWith("CUDA_MPS_PIPE_DIRECTORY must be set")) {
            return Optional.of(Refusal.NO_DAEMON);
        }
        // Captured while quit waited for a client.
        if (text.startsWith("Cannot send command to MPS control daemon process")) {
            return Optional.of(Refusal.ENDING);
        }
        if (NO_SERVER.matcher(text).matches()) {
            return Optional.of(Refusal.NO_SUCH_SERVER);
        }
        if (text.startsWith("Insufficient privileges") || text.startsWith("Not enough privilege")) {
            return Optional.of(Refusal.NOT_ALLOWED);
        }
        if (text.startsWith("Unknown command")) {
            return Optional.of(Refusal.UNKNOWN_COMMAND);
        }
        if (text.startsWith("Invalid priority value")) {
            return Optional.of(Refusal.BAD_VALUE);
        }
        // Public fixtures of a CUDA 13.1 daemon, which prints the %s as it stands; never seen by us.
        if (text.startsWith("Partition ") && text.contains(" in use.")) {
            return Optional.of(Refusal.IN_USE);
        }
        if (text.startsWith("Failed to fulfill the requested SM partition")) {
            return Optional.of(Refusal.BAD_VALUE);
        }
        return Optional.empty();
    }

    /** For commands that answer nothing: any text is a surprise. */
    static Accepted nothing(String output) {
        if (!output.isEmpty()) {
            throw new IllegalArgumentException(output);
        }
        return Accepted.ACCEPTED;
    }
}
