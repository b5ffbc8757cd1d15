// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.exporters.DcgmCounters.Parsed;
import io.gpuagent.exporters.DcgmCounters.Warning;
import io.gpuagent.model.SampleSnapshots;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Counters files as dcgm-exporter takes them. */
class DcgmCountersTest {
    @Test
    void chooseFieldsTheirOrderAndTheirHelp() {
        Parsed parsed = DcgmCounters.parse("""
                # Format,,
                # DCGM FIELD, Prometheus metric type, help message

                DCGM_FI_DEV_GPU_TEMP,    gauge, GPU temperature (in C).
                DCGM_FI_DEV_DEC_UTIL ,   gauge, Decoder utilization, in % of the time.
                DCGM_FI_DEV_ECC_DBE_VOL_TOTAL, counter, "Double-bit ""volatile"" errors"
                DCGM_FI_DRIVER_VERSION,  label, Driver Version
                """);

        assertThat(parsed.warnings()).isEmpty();
        assertThat(parsed.counters().labels()).containsExactly(DcgmLabel.DCGM_FI_DRIVER_VERSION);
        assertThat(parsed.counters().fields())
                .extracting(chosen -> chosen.field().name() + ": " + chosen.help())
                .containsExactly(
                        "DCGM_FI_DEV_GPU_TEMP: GPU temperature (in C).",
                        "DCGM_FI_DEV_DEC_UTIL: Decoder utilization, in % of the time.",
                        "DCGM_FI_DEV_ECC_DBE_VOL_TOTAL: Double-bit \"volatile\" errors");
    }

    // NVIDIA/dcgm-exporter#66: an unknown field ended the exporter.
    @Test
    void passOverWhatGivesNothingAndSaySo() {
        Parsed parsed = DcgmCounters.parse("""
                DCGM_FI_DEV_GPU_TEMP, gauge, x
                DCGM_FI_DEV_NO_SUCH_THING, gauge, x
                DCGM_FI_PROF_DRAM_ACTIVE, gauge, x
                DCGM_FI_DEV_GPU_TEMP, gauge, again
                DCGM_FI_DEV_BRAND, label, x
                nonsense
                """);

        assertThat(parsed.counters().fields()).hasSize(1);
        assertThat(parsed.warnings())
                .containsExactly(
                        new Warning(2, "this agent knows no field DCGM_FI_DEV_NO_SUCH_THING"),
                        new Warning(3, "DCGM_FI_PROF_DRAM_ACTIVE is not read by this agent"),
                        new Warning(4, "DCGM_FI_DEV_GPU_TEMP was named before"),
                        new Warning(5, "this agent has no label DCGM_FI_DEV_BRAND"),
                        new Warning(6, "it is no row of the form FIELD, type, help"));
    }

    // NVIDIA/dcgm-exporter#417: what was called a counter went down.
    @Test
    void doNotMakeACounterOfWhatGoesDown() {
        Parsed parsed = DcgmCounters.parse("DCGM_FI_DEV_SM_CLOCK, counter, x\n");

        assertThat(parsed.warnings())
                .containsExactly(
                        new Warning(1, "DCGM_FI_DEV_SM_CLOCK is a gauge and stays one; the file says \"counter\""));
        String page = new String(
                DcgmPage.of(SampleSnapshots.h200(1), new DcgmStyle(parsed.counters(), "", "")), StandardCharsets.UTF_8);
        assertThat(page).startsWith("# HELP DCGM_FI_DEV_SM_CLOCK x\n# TYPE DCGM_FI_DEV_SM_CLOCK gauge\n");
    }

    @Test
    void mayChooseNothing() {
        assertThat(DcgmCounters.parse("# all of it is commented out\n")
                        .counters()
                        .fields())
                .isEmpty();
    }
}
