// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.NvmlFunction.nvmlDeviceGetPowerUsage;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

class AnswerTest {
    private final Answer<Long> value = new Answer.Value<>(81_818L);
    private final Answer<Long> refused = new Answer.Refused<>(nvmlDeviceGetPowerUsage, NvmlReturn.GPU_IS_LOST);
    private final Answer<Long> unavailable = new Answer.Unavailable<>(nvmlDeviceGetPowerUsage);

    @Test
    void onlyAValueHasOne() {
        assertThat(value.value()).contains(81_818L);
        assertThat(refused.value()).isEmpty();
        assertThat(unavailable.value()).isEmpty();
    }

    @Test
    void onlyAValueIsMapped() {
        assertThat(value.map(milliwatts -> milliwatts / 1000.0)).isEqualTo(new Answer.Value<>(81.818));
        assertThat(refused.map(milliwatts -> milliwatts / 1000.0)).isEqualTo(refused);
        assertThat(unavailable.map(milliwatts -> milliwatts / 1000.0)).isEqualTo(unavailable);
    }

    @Test
    void whoCannotGoOnWithoutAValueLearnsWhatWasCalledAndWhatItReturned() {
        assertThat(value.orThrow()).isEqualTo(81_818);
        assertThatThrownBy(refused::orThrow)
                .isInstanceOfSatisfying(NvmlException.class, e -> {
                    assertThat(e.function()).isEqualTo(nvmlDeviceGetPowerUsage);
                    assertThat(e.code()).isEqualTo(NvmlReturn.GPU_IS_LOST);
                })
                .hasMessage("nvmlDeviceGetPowerUsage returned NVML_ERROR_GPU_IS_LOST");
        assertThatThrownBy(unavailable::orThrow)
                .isInstanceOf(NoSuchElementException.class)
                .hasMessage("nvmlDeviceGetPowerUsage succeeded and has no value to give");
    }
}
