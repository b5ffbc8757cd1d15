// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.fold;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.host.kernel.UnitActivity;
import io.gpuagent.model.GpuCondition;
import io.gpuagent.model.PcieLink;
import io.gpuagent.model.health.HealthReason;
import io.gpuagent.model.health.HealthSource;
import io.gpuagent.model.health.HealthState;
import io.gpuagent.model.health.NodeHealth;
import io.gpuagent.model.health.SourceStatus;
import io.gpuagent.model.health.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Keeps docs/health.md in step with the fold: each row is played. */
class VerdictTableTest {
    private static final Path DOCUMENT = Path.of("../docs/health.md");
    private static final String START = "<!-- table: written by VerdictTableTest with -Dgolden.update=true -->\n";
    private static final String END = "<!-- end of the table -->\n";
    private static final String UNKNOWN = "not known";
    private static final String FOR_EVER = "unhealthy for ever";

    private record Situation(String title, Consumer<Scene> happens, String kubernetes, String gpud, String dcgm) {}

    private static Situation of(String title, Consumer<Scene> happens, String kubernetes, String gpud, String dcgm) {
        return new Situation(title, happens, kubernetes, gpud, dcgm);
    }

    private static final List<Situation> SITUATIONS = List.of(
            of("nothing happened, all sources speak", _ -> {}, "healthy", "healthy", "pass"),
            of(
                    "Xid 31, a program's page fault",
                    node -> node.xid("31, pid=7, name=a, MMU Fault"),
                    "ignored",
                    "warning, check the program",
                    "warn (memory)"),
            of(
                    "Xid 43, a program's channel was reset",
                    node -> node.xid("43, pid=7, name=a, Ch 1"),
                    "ignored",
                    "warning, check the program",
                    "warn (memory)"),
            of(
                    "Xid 45 a thousand times, from programs that end",
                    node -> {
                        for (int i = 0; i < 1_000; i++) {
                            node.xid("45, pid=" + i + ", name=a, Ch 00000001");
                        }
                    },
                    "ignored",
                    "warning, ignored",
                    "nothing"),
            of(
                    "Xid 13 at one place under three programs",
                    node -> {
                        for (int pid = 1; pid <= 3; pid++) {
                            node.xid("13, pid=" + pid
                                    + ", name=a, Graphics SM Warp Exception on (GPC 3, TPC 1, SM 0): x");
                        }
                    },
                    "ignored",
                    "warning, check the program",
                    "nothing"),
            of(
                    "Xid 94 in MIG instance 5, row remap pending",
                    node -> node.kernel(
                                    "NVRM: Xid (PCI:0000:9b:00 GPU-I:05): 94, pid=7, name=a, Contained: x. RST: No, D-RST: No")
                            .poll(node.reading(0, true, false)),
                    FOR_EVER,
                    "no match for the line",
                    "warn; the log's line is dropped"),
            of(
                    "Xid 95, uncontained; the GPU asks for a reset",
                    node -> node.xid("95, pid=7, Uncontained: LTC TAG (0x2, 0x1). RST: Yes, D-RST: No")
                            .poll(node.reading(1, false, false)),
                    FOR_EVER,
                    "fatal, reboot",
                    "fail"),
            of(
                    "Xid 48; the GPU has no field 230",
                    node -> node.xid("48, An uncorrectable double bit error"),
                    FOR_EVER,
                    "fatal, reboot",
                    "fail"),
            of(
                    "Xid 48; the GPU asks for nothing",
                    node -> node.xid("48, An uncorrectable double bit error")
                            .pass(Duration.ofSeconds(15))
                            .poll(node.good()),
                    FOR_EVER,
                    "fatal, reboot",
                    "fail"),
            of(
                    "Xid 63, row remap pending",
                    node -> node.xid("63, pid=7, Row Remapper: New row marked for remapping")
                            .poll(node.reading(0, true, false)),
                    FOR_EVER,
                    "from NVML's rows",
                    "warn"),
            of(
                    "Xid 64, a row remap failed; the GPU asks for a reset",
                    node -> node.xid("64, Row Remapper: failed").poll(node.reading(1, false, true)),
                    FOR_EVER,
                    "from NVML's rows",
                    "fail"),
            of(
                    "Xid 79, not probed yet",
                    node -> node.xid("79, GPU has fallen off the bus."),
                    "often not delivered",
                    "fatal, reboot",
                    "fail"),
            of(
                    "Xid 79, and NVML says lost",
                    node -> node.xid("79, GPU has fallen off the bus.").poll(Scene.LOST),
                    "often not delivered",
                    "fatal, reboot",
                    "fail"),
            of(
                    "Xid 109; the GPU asks for a reset",
                    node -> node.xid("109, pid=7, name=a, CTX SWITCH TIMEOUT")
                            .pass(Duration.ofSeconds(2))
                            .poll(node.reading(1, false, false)),
                    "ignored",
                    "warning",
                    "nothing"),
            of(
                    "Xid 119, one of 30 printed",
                    node -> node.xid("119, pid=7, name=a, Timeout waiting for RPC from GSP!")
                            .kernel(
                                    "NVRM: Rate limiting GSP RPC error prints for GPU at PCI:0000:9b:00 (printing 1 of every 30)."),
                    "often not delivered",
                    "fatal, reboot",
                    "fail; makes no call any more"),
            of(
                    "Xid 145, Nonfatal in the line",
                    node -> node.xid("145, RLW_REMAP Nonfatal XC1 i0 Link 12 (0x00000004 0x00000001 0x00000000)"),
                    FOR_EVER,
                    "warning, reboot",
                    "nothing"),
            of(
                    "Xid 250, which nobody knows",
                    node -> node.xid("250, something new"),
                    FOR_EVER,
                    "dropped",
                    "a line of debug log"),
            of(
                    "17,700 corrected errors a second, all flags clean",
                    node -> {
                        for (int i = 0; i < 3; i++) {
                            node.pass(Duration.ofSeconds(15)).poll(node.with(Scene.ecc(i * 265_500L, 0)));
                        }
                    },
                    "healthy",
                    "healthy",
                    "pass"),
            of(
                    "a busy GPU whose PCIe link runs at generation 1",
                    node -> {
                        for (int i = 0; i < 3; i++) {
                            node.pass(Duration.ofSeconds(15))
                                    .poll(node.withLinks(
                                            new GpuPoll.Pcie(
                                                    Optional.of(new PcieLink(1, 16)),
                                                    Optional.of(new PcieLink(5, 16)),
                                                    OptionalDouble.of(0.9),
                                                    OptionalLong.empty()),
                                            List.of(),
                                            Optional.empty()));
                        }
                    },
                    "healthy",
                    UNKNOWN,
                    "replays only"),
            of(
                    "a call of the driver does not return",
                    node -> node.poll(Scene.UNRESPONSIVE),
                    "blocks, stays healthy",
                    "the component blocks",
                    "stops all calls after Xid 119"),
            of(
                    "NVML answers UNKNOWN three times",
                    node -> node.poll(Scene.FAILING).poll(Scene.FAILING).poll(Scene.FAILING),
                    UNKNOWN,
                    UNKNOWN,
                    UNKNOWN),
            of(
                    "a GPU is on the PCI bus and not in NVML",
                    node -> node.poll(node.other(GpuCondition.OK))
                            .bus(Set.of(Scene.PCI, Scene.OTHER_PCI), Set.of(Scene.GPU)),
                    UNKNOWN,
                    UNKNOWN,
                    UNKNOWN),
            of(
                    "the kernel's log may not be read, NVML's events do not come",
                    node -> node.source(Sources.NVML_EVENTS, SourceStatus.State.DISABLED, "not supported")
                            .source(Sources.KERNEL_LOG, SourceStatus.State.DENIED, "/dev/kmsg may not be read"),
                    "healthy",
                    UNKNOWN,
                    "pass"),
            of(
                    "the driver's library on disk is newer than the module",
                    node -> node.versions("580.95.05", "580.159.04"),
                    "healthy",
                    "healthy",
                    "pass"),
            of(
                    "Fabric Manager is installed and does not run",
                    node -> {
                        for (int i = 0; i < 2; i++) {
                            node.units(Map.of("nvidia-fabricmanager.service", UnitActivity.INACTIVE));
                        }
                    },
                    "healthy",
                    UNKNOWN,
                    UNKNOWN),
            of(
                    "a program writes \"NVRM: Xid ...: 79\" to /dev/kmsg",
                    node -> node.see(new Observation.KernelMessage(
                            node.now(),
                            Scene.BOOT,
                            900,
                            false,
                            HealthSource.KMSG,
                            Scene.XID + "79, GPU has fallen off the bus.")),
                    "healthy",
                    "fatal, reboot",
                    "fail"));

    @Test
    void isWhatTheFoldSays() throws IOException {
        StringBuilder table = new StringBuilder("""
                | what happened | state | action | reasons | clears on | k8s-device-plugin | gpud | DCGM |
                |---|---|---|---|---|---|---|---|
                """);
        for (Situation situation : SITUATIONS) {
            table.append(row(situation));
        }
        String text = Files.readString(DOCUMENT);
        int start = text.indexOf(START) + START.length();
        int end = text.indexOf(END, start);
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(DOCUMENT, text.substring(0, start) + table + text.substring(end));
            return;
        }
        assertThat(text.substring(start, end)).isEqualTo(table.toString());
        assertThat(SITUATIONS).hasSizeGreaterThanOrEqualTo(25);
    }

    private static String row(Situation situation) {
        Scene node = situation.title().contains("has no field 230") ? withoutRecoveryAction() : Scene.well();
        situation.happens().accept(node);
        NodeHealth view = node.view();
        // The worst GPU, or the node where nothing is wrong with any GPU.
        Verdict gpu = view.gpus().stream()
                .reduce((one, other) -> other.state().compareTo(one.state()) > 0 ? other : one)
                .orElseThrow();
        boolean isNodes = gpu.state() == HealthState.OK && view.state() != HealthState.OK;
        List<HealthReason> reasons = isNodes ? view.reasons() : gpu.reasons();
        HealthState state = isNodes ? view.state() : gpu.state();
        String action = isNodes ? view.action().label() : gpu.action().label();
        return "| " + situation.title()
                + " | " + (isNodes ? "node: " : "") + state.label()
                + " | " + action
                + " | " + join(reasons, reason -> "`" + reason.code() + "`")
                + " | " + join(reasons, reason -> reason.clearsOn().label())
                + " | " + situation.kubernetes()
                + " | " + situation.gpud()
                + " | " + situation.dcgm() + " |\n";
    }

    private static Scene withoutRecoveryAction() {
        Scene node = Scene.empty();
        node.see(new Observation.Started(node.now(), Scene.BOOT));
        node.source(Sources.KERNEL_LOG, SourceStatus.State.OK, "");
        return node.poll(node.reading(OptionalInt.empty(), Optional.empty()));
    }

    private static String join(List<HealthReason> reasons, Function<HealthReason, String> part) {
        return reasons.stream()
                .map(part)
                .distinct()
                .reduce((one, other) -> one + ", " + other)
                .orElse("–");
    }
}
