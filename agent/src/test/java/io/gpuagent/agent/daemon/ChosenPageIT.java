// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpuagent.agent.config.ConfigException;
import io.gpuagent.agent.config.DcgmConfig;
import io.gpuagent.agent.config.MetricsConfig;
import io.gpuagent.agent.config.MetricsFormat;
import io.gpuagent.exporters.FamilyFilter;
import io.gpuagent.exporters.NamePattern;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages with other names, or with some of the families only. */
class ChosenPageIT {
    private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0";

    @TempDir
    Path folder;

    @Test
    void dcgmNamesForWhoeverAsks() throws Exception {
        try (ServedNode node = ServedNode.start("h200x8", folder)) {
            node.settle();

            HttpResponse<String> page = node.get("/metrics?format=dcgm", "Accept", OPEN_METRICS);

            assertThat(page.headers().firstValue("content-type")).contains("text/plain; version=0.0.4; charset=utf-8");
            assertThat(page.body().lines().filter(line -> line.startsWith("DCGM_FI_DEV_GPU_TEMP{")))
                    .hasSize(8)
                    .allMatch(line -> line.matches("DCGM_FI_DEV_GPU_TEMP\\{gpu=\"[0-7]\",UUID=\"GPU-[0-9a-f-]+\","
                            + "pci_bus_id=\"[0-9A-F:.]+\",device=\"nvidia[0-7]\",modelName=\"NVIDIA H200\","
                            + "Hostname=\"[^\"]+\",DCGM_FI_DRIVER_VERSION=\"[0-9.]+\"} [0-9]+"));
            assertThat(page.body()).doesNotContain("gpu_power_watts", "gpu_agent_");
            assertThat(node.get("/metrics").body()).contains("gpu_power_watts{").doesNotContain("DCGM_");
        }
    }

    @Test
    void dcgmNamesForAllAndNativeOnesForWhoeverAsks() throws Exception {
        Path counters = Files.writeString(
                folder.resolve("counters.csv"),
                "DCGM_FI_DEV_GPU_TEMP, gauge, Hot\nDCGM_FI_PROF_DRAM_ACTIVE, gauge, not read\n");
        DcgmConfig dcgm = new DcgmConfig(Optional.of(counters), "hostname");
        try (ServedNode node = ServedNode.startWith(
                "h200",
                folder,
                usual -> new MetricsConfig(
                        usual.listen(), MetricsFormat.DCGM, FamilyFilter.ALL, dcgm, Optional.empty()))) {
            node.settle();

            assertThat(node.get("/metrics").body())
                    .startsWith("# HELP DCGM_FI_DEV_GPU_TEMP Hot\n# TYPE DCGM_FI_DEV_GPU_TEMP gauge\n")
                    .contains(",hostname=\"")
                    .hasLineCount(3);
            assertThat(node.get("/metrics?format=native", "Accept", OPEN_METRICS)
                            .body())
                    .contains("gpu_power_watts{")
                    .endsWith("# EOF\n");
        }
    }

    @Test
    void aGpuThatIsLostLeavesTheDcgmPageAndTheOthersStay() throws Exception {
        try (ServedNode node = ServedNode.start("h200x2", folder)) {
            node.settle();
            node.driver.gpu(1).lose();
            node.passSeconds(4);

            String page = node.get("/metrics?format=dcgm").body();
            assertThat(page)
                    .contains("DCGM_FI_DEV_GPU_TEMP{gpu=\"0\"")
                    .doesNotContain("DCGM_FI_DEV_GPU_TEMP{gpu=\"1\"");
        }
    }

    @Test
    void aCountersFileThatChoosesNothingStopsTheStart() throws Exception {
        Path counters = Files.writeString(folder.resolve("counters.csv"), "# nothing\n");
        assertThatThrownBy(() -> ServedNode.startWith(
                        "h200",
                        folder,
                        usual -> new MetricsConfig(
                                usual.listen(),
                                usual.format(),
                                usual.families(),
                                new DcgmConfig(Optional.of(counters), "Hostname"),
                                Optional.empty())))
                .isInstanceOfSatisfying(
                        ConfigException.class,
                        e -> assertThat(e.problems())
                                .singleElement()
                                .asString()
                                .contains("counters.csv: it names no field that this agent reads"));
    }

    @Test
    void someOfTheFamiliesOnly() throws Exception {
        FamilyFilter some = new FamilyFilter(
                List.of(new NamePattern("gpu_power_*"), new NamePattern("gpu_agent_http_*")),
                List.of(new NamePattern("*_limit_*")));
        try (ServedNode node = ServedNode.startWith(
                "h200",
                folder,
                usual -> new MetricsConfig(usual.listen(), usual.format(), some, usual.dcgm(), usual.webConfig()))) {
            node.settle();
            node.get("/-/healthy");
            node.passSeconds(1);

            assertThat(node.get("/metrics").body().lines().filter(line -> line.startsWith("# TYPE")))
                    .containsExactlyInAnyOrder(
                            "# TYPE gpu_power_watts gauge", "# TYPE gpu_agent_http_requests_total counter");
        }
    }
}
