// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpuagent.model.time.ManualClock;
import io.gpuagent.mps.DaemonFolders;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that come and go by themselves. */
class ScriptedClientsTest {
    @TempDir
    Path folder;

    private final ManualClock clock = new ManualClock();
    private final SimulatedMachine machine =
            new SimulatedMachine(List.of(SimulatedDevice.H200), 0, Duration.ZERO, clock);

    private ScriptedClients clients(String script) {
        return new ScriptedClients(machine, DaemonFolders.of(folder, folder, "gpu-00000000"), script);
    }

    @Test
    void theScriptBeginsAnewBehindItsLastLine() {
        ScriptedClients clients = clients("1 join a 0\n2 join b 1000\n3 leave a\n");
        StringBuilder seen = new StringBuilder();
        for (int second = 0; second < 8; second++) {
            clients.tick();
            seen.append(clients.names());
            clock.advance(Duration.ofSeconds(1));
        }

        assertThat(seen).hasToString("[][a][a, b][b][b][a, b][a, b][b]");
    }

    @Test
    void aLineThatIsNoneIsRefused() {
        assertThatThrownBy(() -> clients("soon join a 0"))
                .hasMessage("\"soon join a 0\" is no line of a client script: write SECONDS join NAME UID or SECONDS"
                        + " leave NAME");
    }
}
