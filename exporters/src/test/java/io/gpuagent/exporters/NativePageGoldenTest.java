// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import io.gpuagent.model.SampleMps;
import io.gpuagent.model.SampleSnapshots;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class NativePageGoldenTest {
    @Test
    void twoHealthyGpus() throws IOException {
        GoldenFile.page("h200.prom")
                .assertSame(PageText.of(SampleSnapshots.h200(2)).text());
    }

    @Test
    void aHealthyGpuInOpenMetrics() throws IOException {
        byte[] page = PageFormat.OPEN_METRICS.render(NativePage.of(SampleSnapshots.h200(1)));
        GoldenFile.page("h200.openmetrics").assertSame(new String(page, StandardCharsets.UTF_8));
    }

    @Test
    void noUsableDriver() throws IOException {
        GoldenFile.page("driver-down.prom")
                .assertSame(PageText.of(SampleSnapshots.driverDown()).text());
    }

    @Test
    void theSecondGpuDoesNotAnswer() throws IOException {
        GoldenFile.page("unresponsive.prom")
                .assertSame(PageText.of(SampleSnapshots.unresponsive()).text());
    }

    @Test
    void anH200InMigModeWithBusyInstances() throws IOException {
        GoldenFile.page("mig-busy.prom")
                .assertSame(PageText.of(SampleSnapshots.migOn()).text());
    }

    @Test
    void clientsShareAGpu() throws IOException {
        GoldenFile.page("mps-shared.prom")
                .assertSame(mpsPart(PageText.of(SampleSnapshots.h200(1), SampleMps.shared())));
    }

    @Test
    void muchIsWrongWithMps() throws IOException {
        GoldenFile.page("mps-troubled.prom")
                .assertSame(mpsPart(PageText.of(SampleSnapshots.h200(2), SampleMps.troubled())));
    }

    /** The other families stand in the other files. */
    private static String mpsPart(PageText page) {
        return page.text()
                .lines()
                .filter(line -> line.contains("gpu_mps_"))
                .collect(Collectors.joining("\n", "", "\n"));
    }
}
