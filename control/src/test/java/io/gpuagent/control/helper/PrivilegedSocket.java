// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.helper;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The socket of gpu-agent-priv.socket and what systemd does behind it, in a folder of a test's. */
final class PrivilegedSocket implements AutoCloseable {
    private static final Path PERL = Path.of("/usr/bin/perl");

    private final Path folder;
    private final Path socket;
    private final Process inetd;

    private PrivilegedSocket(Path folder, Path socket, Process inetd) {
        this.folder = folder;
        this.socket = socket;
        this.inetd = inetd;
    }

    /**
     * Listens.
     *
     * @param folder where socket and scripts go
     * @param name the socket's name
     * @param owner its owner
     * @param mode its mode, such as 0600
     * @param helper the helper's command
     */
    static PrivilegedSocket listen(Path folder, String name, int owner, String mode, List<String> helper)
            throws IOException {
        if (!Boolean.getBoolean("gpuagent.full")) {
            assumeThat(PERL).exists();
        }
        Path socket = folder.resolve(name);
        List<String> command = new ArrayList<>(List.of(
                PERL.toString(),
                script(folder, "inetd.pl").toString(),
                socket.toString(),
                Integer.toString(owner),
                mode));
        command.addAll(helper);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("journal").toFile()));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process inetd = builder.start();
        BufferedReader out = new BufferedReader(new InputStreamReader(inetd.getInputStream(), StandardCharsets.UTF_8));
        if (!"ready".equals(out.readLine())) {
            throw new IOException(Files.readString(folder.resolve("journal")));
        }
        return new PrivilegedSocket(folder, socket, inetd);
    }

    /**
     * Sends lines, each over a connection of its own.
     *
     * @param as the words in front of the command that make it another user's
     * @param lines what is sent
     * @return the last line that came back, for each
     */
    List<String> ask(List<String> as, List<String> lines) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(as);
        command.addAll(List.of(PERL.toString(), script(folder, "ask.pl").toString(), socket.toString()));
        Path input = Files.write(folder.resolve("requests"), lines);
        Path output = folder.resolve("answers");
        Process process = new ProcessBuilder(command)
                .redirectInput(input.toFile())
                .redirectOutput(output.toFile())
                .redirectErrorStream(true)
                .start();
        if (!process.waitFor(110, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException("no answer after 110 s; so far: " + Files.readString(output));
        }
        return Files.readAllLines(output);
    }

    /** The helpers that run now. */
    List<ProcessHandle> helpers() {
        return inetd.children().toList();
    }

    Path path() {
        return socket;
    }

    static Path script(Path folder, String name) throws IOException {
        Path script = folder.resolve(name);
        if (!Files.exists(script)) {
            try (InputStream in = PrivilegedSocket.class.getResourceAsStream(name)) {
                Files.copy(in, script);
            }
            Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rw-r--r--"));
        }
        return script;
    }

    @Override
    public void close() {
        inetd.destroyForcibly();
    }
}
