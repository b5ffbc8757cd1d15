// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a command writes: results to {@code out}, everything said about them to {@code err}.
 *
 * @param out standard output
 * @param err standard error
 * @param colours whether the reader is a terminal that shows colours
 * @param pipe whether {@code out} is a pipe, where a write fails for one reason only: its reader has gone
 * @param screen what {@code err} is
 */
record Output(PrintStream out, PrintStream err, boolean colours, boolean pipe, Screen screen) {
    private static final Path STANDARD_OUTPUT = Path.of("/proc/self/fd/1");
    private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

    static Output real() {
        return new Output(
                stream(FileDescriptor.out, System.getProperty("stdout.encoding")),
                stream(FileDescriptor.err, System.getProperty("stderr.encoding")),
                colours(
                        System.getenv(),
                        Optional.ofNullable(System.console())
                                .map(Console::isTerminal)
                                .orElse(false)),
                pipe(STANDARD_OUTPUT),
                Screen.of(STANDARD_ERROR, System.getenv()));
    }

    /** The message of a failed write would tell as well, but in the language of the user. */
    static boolean pipe(Path descriptor) {
        try {
            String target = Files.readSymbolicLink(descriptor).toString();
            // Some shells connect commands with sockets.
            return target.startsWith("pipe:") || target.startsWith("socket:");
        } catch (IOException unknown) {
            return false;
        }
    }

    static boolean colours(Map<String, String> environment, boolean terminal) {
        // no-color.org: any value but an empty one turns colours off.
        return terminal
                && environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !"dumb".equals(environment.get("TERM"));
    }

    private static PrintStream stream(FileDescriptor file, @Nullable String encoding) {
        Charset charset = encoding == null ? StandardCharsets.UTF_8 : Charset.forName(encoding);
        return new PrintStream(new FileOutputStream(file), false, charset);
    }

    /** Writes text whose encoding does not depend on the terminal's: JSON and metrics pages are UTF-8. */
    void utf8(String text) {
        out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    void text(String text) {
        out.print(text);
    }

    void sentence(String sentence) {
        err.println("gpu-agent: " + sentence);
        err.flush();
    }

    /** Whether the output's characters include the ellipsis; a terminal without a UTF-8 locale shows a ? instead. */
    boolean ellipsis() {
        return out.charset().newEncoder().canEncode('…');
    }

    static Output of(OutputStream out, OutputStream err) {
        return new Output(
                new PrintStream(out, false, StandardCharsets.UTF_8),
                new PrintStream(err, false, StandardCharsets.UTF_8),
                false,
                false,
                Screen.NONE);
    }
}
