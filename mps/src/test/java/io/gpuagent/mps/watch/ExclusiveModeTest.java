// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.model.mps.ForeignMpsDaemon;
import io.gpuagent.model.mps.MpsState;
import io.gpuagent.mps.supervise.ComputeModes.Mode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ExclusiveModeTest {
    private static ForeignMpsDaemon foreign(String... devices) {
        return new ForeignMpsDaemon(9, OptionalLong.of(0), Optional.empty(), List.of(devices), List.of());
    }

    @Test
    void aGpuThatWaitsForADaemonThatIsNotThereIsTold() {
        var stopped = Views.daemon(MpsState.ABSENT, OptionalLong.empty(), List.of(), List.of());

        assertThat(ExclusiveMode.without(Views.GPU, Mode.EXCLUSIVE_PROCESS, List.of(stopped), List.of()))
                .hasValueSatisfying(reason -> {
                    assertThat(reason.code()).isEqualTo("mps_exclusive_without_daemon");
                    assertThat(reason.sentence()).contains(Views.GPU, "busy or unavailable", "start a daemon");
                });
    }

    @Test
    void withItsDaemonOrInAnotherModeAllIsWell() {
        var running = Views.daemon(MpsState.IDLE, OptionalLong.of(490), List.of(), List.of());

        assertThat(ExclusiveMode.without(Views.GPU, Mode.EXCLUSIVE_PROCESS, List.of(running), List.of()))
                .isEmpty();
        assertThat(ExclusiveMode.without(Views.GPU, Mode.DEFAULT, List.of(), List.of()))
                .isEmpty();
    }

    @Test
    void aDaemonOfSomebodyElseMayServeIt() {
        for (ForeignMpsDaemon may : List.of(foreign(), foreign("0"), foreign("GPU-5c3d1a2b"))) {
            assertThat(ExclusiveMode.without(Views.GPU, Mode.EXCLUSIVE_PROCESS, List.of(), List.of(may)))
                    .isEmpty();
        }
        assertThat(ExclusiveMode.without(
                        Views.GPU, Mode.EXCLUSIVE_PROCESS, List.of(), List.of(foreign("GPU-77777777"))))
                .isPresent();
    }

    @Test
    void aProgramGoesAstrayByItsEnvironment() {
        Path pipe = Views.PIPE;

        assertThat(ExclusiveMode.astray(Map.of("CUDA_MPS_PIPE_DIRECTORY", pipe.toString()), pipe))
                .isEmpty();
        assertThat(ExclusiveMode.astray(Map.of(), pipe))
                .hasValueSatisfying(sentence -> assertThat(sentence).contains("is not set", "set it to " + pipe));
        assertThat(ExclusiveMode.astray(Map.of("CUDA_MPS_PIPE_DIRECTORY", "/tmp/nvidia-mps"), pipe))
                .hasValueSatisfying(sentence -> assertThat(sentence).contains("another directory"));
    }
}
