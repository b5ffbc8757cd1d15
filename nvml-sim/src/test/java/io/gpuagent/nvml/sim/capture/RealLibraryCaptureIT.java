// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.nvml.NvmlLibrary;
import io.gpuagent.nvml.binding.SmallLibrary;
import io.gpuagent.nvml.sim.SimProfile;
import io.gpuagent.nvml.sim.SimulatedDriver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** A library that the C compiler has made is captured, with the instances of MIG that it has. Needs gcc. */
@EnabledIfSystemProperty(named = "gpuagent.full", matches = "true")
class RealLibraryCaptureIT {
    @TempDir
    Path folder;

    @Test
    void libraryIsCapturedAndReplayed() throws Exception {
        SmallLibrary small = new SmallLibrary(folder);
        small.install("580.1", "-DWITH_MIG");
        String captured;
        try (NvmlLibrary library = NvmlLibrary.open(Optional.of(small.link()))) {
            captured = Capture.take(library, () -> 0, false, Capture.Deadlines.DEFAULT)
                    .json("A test.");
        }

        assertThat(captured)
                .contains("\"gpu0\"", "\"gpu0/gpu-instance0\"", "\"gpu0/gpu-instance0/compute-instance0\"")
                .contains("\"gpu0/mig-device0\"", "\"device\":\"gpu0\"", "\"placement.start\":4")
                .contains("MIG-00000002-0000-4000-8000-000000000000", "\"pid\":5001000")
                .doesNotContain("a1b2c3d4", "12345678-90ab");
        Path file = Files.writeString(folder.resolve("capture.json"), captured);
        SimulatedDriver replay = SimulatedDriver.start(SimProfile.parse(file.toString()), () -> 0);
        assertThat(replay.address("nvmlDeviceGetSerial")).isEmpty();
        // The names are replaced already, and what is kept is what was replaced.
        assertThat(Capture.take(replay, () -> 0, true, Capture.Deadlines.DEFAULT)
                        .json("A test."))
                .isEqualTo(captured.replace("\"identifiers-replaced\" : true", "\"identifiers-replaced\" : false"));
        assertThat(replay.calls().failures()).isEmpty();
    }
}
