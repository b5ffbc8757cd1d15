// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.fake;

import io.gpuagent.host.HostView;
import io.gpuagent.mps.DaemonFolders;
import io.gpuagent.mps.PipeDirectory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/**
 * The stand-ins for whoever runs in another process, such as a benchmark: writes the programs into the folder that is its
 * argument, then starts a CUDA program for each line {@code PIPE LOG} on its standard input, and ends them all with it.
 */
final class FakeNode {
    private FakeNode() {}

    public static void main(String[] arguments) throws IOException {
        try (FakeMps fake = FakeMps.install(Path.of(arguments[0]));
                BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            System.out.println("installed");
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split(" ", -1);
                DaemonFolders folders = new DaemonFolders(new PipeDirectory(Path.of(words[0])), Path.of(words[1]));
                FakeClient client = fake.startClient(folders, HostView.real().uid(), Map.of());
                client.awaitState("RUNNING");
                System.out.println(client.pid());
            }
        }
    }
}
