// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two processes and one folder. */
class OwnerLockIT {
    private static final ProcessIdentity SELF = ProcessIdentity.self(HostView.real());

    @TempDir
    Path folder;

    @Test
    void theSecondProcessIsRefusedWithTheFirstOnesPidUntilThatIsDead() throws Exception {
        Process owner = startOwner();
        try {
            assertThat(OwnerLock.acquire(folder, SELF))
                    .isEqualTo(new OwnerLock.Refused(folder, Optional.of(owner.pid())));
        } finally {
            owner.destroyForcibly().waitFor();
        }
        assertThat(OwnerLock.acquire(folder, SELF))
                .isInstanceOfSatisfying(
                        OwnerLock.Held.class, held -> held.lock().close());
    }

    @Test
    void beingRefusedDoesNotFreeAnotherLockOfThisProcess() throws Exception {
        if (!(OwnerLock.acquire(folder, SELF) instanceof OwnerLock.Held(OwnerLock mine))) {
            throw new AssertionError("not held");
        }
        try (mine) {
            assertThat(OwnerLock.acquire(folder, SELF)).isInstanceOf(OwnerLock.Refused.class);
            Process other = start();
            assertThat(readLine(other)).isEqualTo("refused " + SELF.pid());
            other.waitFor();
        }
    }

    private Process startOwner() throws IOException {
        Process process = start();
        assertThat(readLine(process)).isEqualTo("held");
        return process;
    }

    @SuppressWarnings("resource") // The stream ends with the process.
    private static String readLine(Process process) throws IOException {
        BufferedReader reader = process.inputReader();
        return reader.readLine();
    }

    private Process start() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xshare:auto",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Owner.class.getName(),
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** The other process: takes the folder, says how that went and waits to be killed. */
    static final class Owner {
        private Owner() {}

        public static void main(String[] arguments) throws Exception {
            switch (OwnerLock.acquire(Path.of(arguments[0]), ProcessIdentity.self(HostView.real()))) {
                case OwnerLock.Held _ -> {
                    System.out.println("held");
                    System.in.read();
                }
                case OwnerLock.Refused refused ->
                    System.out.println("refused " + refused.ownerPid().orElseThrow());
            }
        }
    }
}
