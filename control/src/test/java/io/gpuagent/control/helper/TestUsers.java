// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.helper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Users of this machine that live as long as a test; needs root. */
final class TestUsers {
    private final List<String> made = new ArrayList<>();

    /** Makes a user without home and shell, or takes the one that an earlier run left behind. */
    int make(String name) throws IOException, InterruptedException {
        if (run("id", "-u", name) != 0) {
            int status = run("useradd", "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", name);
            if (status != 0) {
                throw new IOException("useradd " + name + " ended with " + status);
            }
        }
        made.add(name);
        return Integer.parseInt(output("id", "-u", name));
    }

    /** The words that run a command as a user, with no group but their own. */
    static List<String> as(String name) throws IOException, InterruptedException {
        return List.of(
                "setpriv",
                "--reuid=" + output("id", "-u", name),
                "--regid=" + output("id", "-g", name),
                "--clear-groups",
                "--inh-caps=-all");
    }

    private static int run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException(command[0] + " did not end within 30 s");
        }
        return process.exitValue();
    }

    private static String output(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readNBytes(4096), StandardCharsets.UTF_8).strip();
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + ": " + text);
        }
        return text;
    }

    /** Removes all that were made. */
    void remove() throws IOException, InterruptedException {
        for (String name : made) {
            run("userdel", name);
        }
    }
}
