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
    void oneOfEightGpusIsLost() throws IOException {
        GoldenFile.page("one-lost.prom")
                .assertSame(PageText.of(SampleSnapshots.oneLost(8, 3)).text());
    }

    @Test
    void aWorkstationCardUnderAnOlderDriver() throws IOException {
        GoldenFile.page("old-driver.prom")
                .assertSame(PageText.of(SampleSnapshots.workstation()).text());
    }

    @Test
    void oneOfEightGpusIsLostUnderDcgmNames() throws IOException {
        DcgmStyle style = new DcgmStyle(DcgmCounters.USUAL, "Hostname", "node7");
        byte[] page = DcgmPage.of(SampleSnapshots.oneLost(8, 3), style);
        GoldenFile.page("one-lost-dcgm.prom").assertSame(new String(page, StandardCharsets.UTF_8));
    }

    @Test
    void everyDcgmFieldThatIsKnown() throws IOException {
        String file = DcgmCatalogue.ALL.stream()
                .map(field -> field.name() + ", " + field.type().word() + ", " + field.help() + "\n")
                .collect(Collectors.joining());
        byte[] page = DcgmPage.of(
                SampleSnapshots.h200(1), new DcgmStyle(DcgmCounters.parse(file).counters(), "hostname", "node7"));
        GoldenFile.page("all-dcgm.prom").assertSame(new String(page, StandardCharsets.UTF_8));
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
