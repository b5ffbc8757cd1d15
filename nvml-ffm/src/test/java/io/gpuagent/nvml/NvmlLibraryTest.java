// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Only named files are opened here: a search could find the real library of this machine. */
class NvmlLibraryTest {
    @Test
    void fileThatIsNotThereIsNamed(@TempDir Path folder) {
        Path missing = folder.resolve("libnvidia-ml.so.1");

        assertThatThrownBy(() -> NvmlLibrary.open(Optional.of(missing)))
                .isInstanceOf(NvmlLibrary.NotFound.class)
                .hasMessage("could not load " + missing);
    }

    @Test
    void fileThatIsNoLibraryIsNamed(@TempDir Path folder) throws IOException {
        Path text = Files.writeString(folder.resolve("libnvidia-ml.so.1"), "not a library");

        assertThatThrownBy(() -> NvmlLibrary.open(Optional.of(text)))
                .isInstanceOf(NvmlLibrary.NotFound.class)
                .hasMessage("could not load " + text);
    }

    @Test
    void libraryThatIsNoNvmlGivesNoSession() throws NvmlLibrary.NotFound {
        try (NvmlLibrary mathematics = NvmlLibrary.open(Optional.of(Path.of("libm.so.6")))) {
            assertThat(mathematics.path()).isEqualTo("libm.so.6");
            assertThat(mathematics.address("cos")).isPresent();
            assertThat(mathematics.address("nvmlInit_v2")).isEmpty();

            Answer<Nvml> session = Nvml.open(mathematics, CallObserver.NONE, () -> 0);

            assertThat(session)
                    .isEqualTo(new Answer.Refused<>(NvmlFunction.nvmlInit_v2, NvmlReturn.FUNCTION_NOT_FOUND));
        }
    }
}
