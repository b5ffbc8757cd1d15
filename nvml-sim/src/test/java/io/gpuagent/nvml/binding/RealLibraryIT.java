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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
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

    private SmallLibrary small;

    @BeforeEach
    void inAFolderOfItsOwn() {
        small = new SmallLibrary(folder);
    }

    @Test
    void libraryIsLoadedAndAnswers() throws Exception {
        small.install("580.1");

        try (NvmlLibrary library = open()) {
            assertThat(library.path()).isEqualTo(small.versioned("580.1"));
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
        small.install("580.1");

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
        small.install("580.1");
        NvmlLibrary old = open();
        Nvml first = session(old);
        small.install("590.2", "-DWITH_JPEG");

        assertThat(first.driverVersion().orThrow()).as("what is loaded stays").isEqualTo("580.1");
        assertThat(first.close()).isTrue();
        old.close();

        try (NvmlLibrary upgraded = open()) {
            assertThat(upgraded.path()).isEqualTo(small.versioned("590.2"));
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
        small.install("580.1");
        open().close();
        Files.delete(small.link());

        assertThatThrownBy(this::open)
                .isInstanceOf(NvmlLibrary.NotFound.class)
                .hasMessage("could not load " + small.link());
    }

    private NvmlLibrary open() throws NvmlLibrary.NotFound {
        return NvmlLibrary.open(Optional.of(small.link()));
    }

    private static Nvml session(NvmlLibrary library) {
        return Nvml.open(library, CallObserver.NONE, () -> 0).orThrow();
    }
}
