// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.bench;

import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.Clocks;
import io.gpuagent.nvml.GpmSample;
import io.gpuagent.nvml.Gpu;

/** The calls of {@code nvml-loop.c}, through the binding: what an H200 answers in 0.3 µs to 3 ms. */
enum MeasuredCall {
    /** nvmlDeviceGetUtilizationRates. */
    UTILIZATION("utilization") {
        @Override
        Answer<?> ask(Gpu gpu, GpmSample sample) {
            return gpu.utilization().rates();
        }
    },
    /** nvmlDeviceGetTemperatureV. */
    TEMPERATURE("temperature") {
        @Override
        Answer<?> ask(Gpu gpu, GpmSample sample) {
            return gpu.thermal().gpu();
        }
    },
    /** nvmlDeviceGetPowerUsage. */
    POWER("power") {
        @Override
        Answer<?> ask(Gpu gpu, GpmSample sample) {
            return gpu.power().usage();
        }
    },
    /** nvmlDeviceGetClockInfo. */
    CLOCK("clock-sm") {
        @Override
        Answer<?> ask(Gpu gpu, GpmSample sample) {
            return gpu.clocks().current(Clocks.Domain.SM);
        }
    },
    /** nvmlDeviceGetPerformanceState. */
    PSTATE("pstate") {
        @Override
        Answer<?> ask(Gpu gpu, GpmSample sample) {
            return gpu.clocks().performanceState();
        }
    },
    /** nvmlDeviceGetCurrentClocksEventReasons. */
    REASONS("reasons") {
        @Override
        Answer<?> ask(Gpu gpu, GpmSample sample) {
            return gpu.clocks().eventReasons();
        }
    },
    /** nvmlDeviceGetMemoryInfo_v2. */
    MEMORY("memory") {
        @Override
        Answer<?> ask(Gpu gpu, GpmSample sample) {
            return gpu.memory().use();
        }
    },
    /** nvmlDeviceGetComputeRunningProcesses_v3. */
    PROCESSES("processes") {
        @Override
        Answer<?> ask(Gpu gpu, GpmSample sample) {
            return gpu.processes().compute();
        }
    },
    /** nvmlGpmSampleGet. */
    GPM("gpm") {
        @Override
        Answer<?> ask(Gpu gpu, GpmSample sample) {
            return gpu.gpm().sample(sample);
        }
    },
    /** nvmlDeviceGetFieldValues, with the fields of {@code nvml-loop.c}. */
    FIELDS("fields") {
        @Override
        Answer<?> ask(Gpu gpu, GpmSample sample) {
            gpu.fields().read(FIELD_IDS);
            // One field may be refused where another is not; nvml-loop has found that the call itself is not.
            return ASKED;
        }
    },
    /** nvmlDeviceGetTotalEnergyConsumption. */
    ENERGY("energy") {
        @Override
        Answer<?> ask(Gpu gpu, GpmSample sample) {
            return gpu.power().energy();
        }
    };

    private static final Answer<Boolean> ASKED = new Answer.Value<>(true);
    private static final int[] FIELD_IDS = {
        3, 4, 5, 6, 142, 143, 144, 145, 74, 76, 185, 186, 187, 188, 189, 190, 230, 82, 94
    };

    private final String cName;

    MeasuredCall(String cName) {
        this.cName = cName;
    }

    /** What nvml-loop calls it. */
    String cName() {
        return cName;
    }

    abstract Answer<?> ask(Gpu gpu, GpmSample sample);
}
