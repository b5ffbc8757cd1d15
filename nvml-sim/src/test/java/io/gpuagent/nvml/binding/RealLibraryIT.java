// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.CallObserver;
import io.gpuagent.nvml.Gpu;
import io.gpuagent.nvml.Nvml;
import io.gpuagent.nvml.NvmlFunction;
import io.gpuagent.nvml.NvmlLibrary;
import io.gpuagent.nvml.NvmlReturn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The binding loads a library that the C compiler has made, as it loads the driver's: from a file, with symbols missing,
 * and again after an upgrade has put another file in its place. Needs gcc, and fails without it.
 */
@EnabledIfSystemProperty(named = "gpuagent.full", matches = "true")
class RealLibraryIT {
    @TempDir
    Path folder;

    @Test
    void libraryIsLoadedAndAnswers() throws Exception {
        install("580.1");

        try (NvmlLibrary library = open()) {
            assertThat(library.path()).isEqualTo(versioned("580.1"));
            Nvml nvml = session(library);
            assertThat(nvml.driverVersion().orThrow()).isEqualTo("580.1");
            assertThat(nvml.gpuCount().orThrow()).isEqualTo(1);
            Gpu gpu = nvml.gpu(0).orThrow();
            assertThat(gpu.identity().name().orThrow()).isEqualTo("NVIDIA Small");
            assertThat(gpu.power().usage())
                    .isEqualTo(new Answer.Refused<>(NvmlFunction.nvmlDeviceGetPowerUsage, NvmlReturn.NOT_SUPPORTED));
            assertThat(nvml.gpu(1))
                    .isEqualTo(new Answer.Refused<>(
                            NvmlFunction.nvmlDeviceGetHandleByIndex_v2, NvmlReturn.INVALID_ARGUMENT));
            assertThat(nvml.close()).isTrue();
        }
    }

    @Test
    void missingSymbolsAreMissedOneByOne() throws Exception {
        install("580.1");

        try (NvmlLibrary library = open()) {
            Nvml nvml = session(library);
            Gpu gpu = nvml.gpu(0).orThrow();
            assertThat(library.address("nvmlDeviceGetUUID")).isEmpty();
            assertThat(gpu.identity().uuid())
                    .isEqualTo(new Answer.Refused<>(NvmlFunction.nvmlDeviceGetUUID, NvmlReturn.FUNCTION_NOT_FOUND));
            assertThat(gpu.utilization().jpeg())
                    .isEqualTo(new Answer.Refused<>(
                            NvmlFunction.nvmlDeviceGetJpgUtilization, NvmlReturn.FUNCTION_NOT_FOUND));
            assertThat(gpu.memory().use().orThrow().reserved())
                    .as("the older function stands in for nvmlDeviceGetMemoryInfo_v2")
                    .isEmpty();
            assertThat(gpu.memory().use().orThrow().total()).isEqualTo(1L << 34);
            assertThat(gpu.thermal().gpu().orThrow()).isEqualTo(42);
            assertThat(nvml.close()).isTrue();
        }
    }

    @Test
    void libraryThatTookTheOldOnesPlaceIsLoadedNext() throws Exception {
        install("580.1");
        NvmlLibrary old = open();
        Nvml first = session(old);
        install("590.2", "-DWITH_JPEG");

        assertThat(first.driverVersion().orThrow()).as("what is loaded stays").isEqualTo("580.1");
        assertThat(first.close()).isTrue();
        old.close();

        try (NvmlLibrary upgraded = open()) {
            assertThat(upgraded.path()).isEqualTo(versioned("590.2"));
            Nvml second = session(upgraded);
            assertThat(second.driverVersion().orThrow()).isEqualTo("590.2");
            assertThat(second.gpu(0).orThrow().utilization().jpeg().orThrow()).isEqualTo(7);
            assertThat(first.driverVersion())
                    .as("the session of the unloaded library makes no call")
                    .isEqualTo(new Answer.Refused<>(NvmlFunction.nvmlSystemGetDriverVersion, NvmlReturn.UNINITIALIZED));
            assertThat(second.close()).isTrue();
        }
    }

    @Test
    void libraryThatLostItsFileIsNotFoundAfterItWasUnloaded() throws Exception {
        install("580.1");
        open().close();
        Files.delete(link());

        assertThatThrownBy(this::open).isInstanceOf(NvmlLibrary.NotFound.class).hasMessage("could not load " + link());
    }

    private NvmlLibrary open() throws NvmlLibrary.NotFound {
        return NvmlLibrary.open(Optional.of(link()));
    }

    private static Nvml session(NvmlLibrary library) {
        return Nvml.open(library, CallObserver.NONE, () -> 0).orThrow();
    }

    private Path link() {
        return folder.resolve("libnvidia-ml.so.1");
    }

    private String versioned(String driver) throws IOException {
        return folder.toRealPath().resolve("libnvidia-ml.so." + driver).toString();
    }

    /** As a package does: a file named by its version, and a link that goes over to it in one step. */
    private void install(String driver, String... defines) throws IOException, InterruptedException {
        Path file = folder.resolve("libnvidia-ml.so." + driver);
        List<String> command = new ArrayList<>(List.of(
                "gcc",
                "-std=c17",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-shared",
                "-fPIC",
                "-Wl,-soname,libnvidia-ml.so.1",
                "-I../nvml-ffm/src/main/native",
                "-DDRIVER=\"" + driver + "\"",
                "-o",
                file.toString()));
        command.addAll(List.of(defines));
        command.add("src/test/native/small-nvml.c");
        run(command);
        Path link = Files.createSymbolicLink(folder.resolve("new"), file.getFileName());
        Files.move(link, link(), StandardCopyOption.ATOMIC_MOVE);
    }

    private void run(List<String> command) throws IOException, InterruptedException {
        Path output = Files.createTempFile(folder, "gcc", ".txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor())
                .as(String.join(" ", command) + "\n" + Files.readString(output))
                .isZero();
    }
}
