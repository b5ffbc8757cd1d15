// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.line;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.gpuagent.health.line.KernelLine.SxidWord;
import io.gpuagent.model.PciAddress;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines as the driver writes them: from public reports, and from its source where that is said. */
class KernelLinesTest {
    private static KernelLine.Xid xid(String bus, int code, long pid, String name, String start) {
        return new KernelLine.Xid(
                pci(bus),
                OptionalInt.empty(),
                OptionalInt.empty(),
                code,
                pid < 0 ? OptionalLong.empty() : OptionalLong.of(pid),
                Optional.ofNullable(name),
                start);
    }

    private static PciAddress pci(String text) {
        return new Scanner(text).pci().orElseThrow();
    }

    static Stream<Arguments> xids() {
        return Stream.of(
                arguments(
                        "NVRM: Xid (PCI:0000:9b:00): 119, pid=2024380, name=nvidia-smi, Timeout after 6s of waiting for RPC response from GPU4 GSP! Expected function 103 (GSP_RM_ALLOC) (0x2081 0x4).",
                        xid("0000:9b:00", 119, 2024380, "nvidia-smi", "Timeout after 6s")),
                arguments(
                        "NVRM: Xid (PCI:0000:61:00): 119, pid=1346198, name=nvidia-smi, Timeout waiting for RPC from GSP! Expected function 76 (GSP_RM_CONTROL) (0x20800110 0x84).",
                        xid("0000:61:00", 119, 1346198, "nvidia-smi", "Timeout waiting")),
                arguments(
                        "NVRM: Xid (PCI:0000:3b:00): 120, pid='<unknown>', name=<unknown>, GSP Error: Task 1 raised error code 0x5 for reason 0x0 at 0x63f01ac (0 more errors skipped)",
                        xid("0000:3b:00", 120, -1, null, "GSP Error: Task 1")),
                arguments(
                        "NVRM: Xid (PCI:0000:05:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.",
                        xid("0000:05:00", 79, -1, null, "GPU has fallen off the bus.")),
                arguments(
                        "NVRM: Xid (PCI:0004:01:00): 79, GPU has fallen off the bus.",
                        xid("0004:01:00", 79, -1, null, "GPU has fallen off the bus.")),
                arguments(
                        "NVRM: Xid (PCI:0000:c6:00): 79, pid=1101234, name=nvc:[driver], GPU has fallen off the bus.",
                        xid("0000:c6:00", 79, 1101234, "nvc:[driver]", "GPU has fallen")),
                arguments(
                        "NVRM: Xid (PCI:0000:01:00): 95, pid=7062, Uncontained: LTC TAG (0x2, 0x1). RST: Yes, D-RST: No",
                        xid("0000:01:00", 95, 7062, null, "Uncontained: LTC TAG")),
                arguments(
                        "NVRM: Xid (PCI:0000:dc:00): 45, pid=1818990, name=python3, Ch 00000001 caused by previous Xid 149",
                        xid("0000:dc:00", 45, 1818990, "python3", "Ch 00000001 caused by")),
                arguments(
                        "NVRM: Xid (PCI:0009:01:00): 149, NETIR_LINK_EVT  Fatal   XC0 i0 Link 01 (0x021425c6 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000)",
                        xid("0009:01:00", 149, -1, null, "NETIR_LINK_EVT  Fatal")),
                arguments(
                        "NVRM: Xid (PCI:0018:01:00): 145, pid=876767, name=ray::WorkerDict, RLW_RXPIPE Nonfatal XC0 i0 Link 13 (0x0409a0c2 0x00000008 0x00000001 0x00000000 0x00100000 0x00000004)",
                        xid("0018:01:00", 145, 876767, "ray::WorkerDict", "RLW_RXPIPE Nonfatal")),
                arguments(
                        "NVRM: Xid (PCI:0000:c5:00): 145, RLW_SRC_TRACK Nonfatal XC1 i0 Link 17 (0x04084507 0x00000004 0x00000000 0x00000000 0x00000000 0x00000000",
                        xid("0000:c5:00", 145, -1, null, "RLW_SRC_TRACK Nonfatal")),
                arguments(
                        "NVRM: Xid (PCI:0019:01:00): 154, GPU recovery action changed from 0x4 (Drain and Reset) to 0x1 (GPU Reset Required)",
                        xid("0019:01:00", 154, -1, null, "GPU recovery action changed")),
                arguments(
                        "NVRM: Xid (PCI:0000:07:00): 48, pid='<unknown>', name=<unknown>, An uncorrectable double bit error (DBE) has been detected on GPU in the framebuffer at physAddr 0x7fdf0de80 partition 5, subpartition 1",
                        xid("0000:07:00", 48, -1, null, "An uncorrectable double bit error")),
                arguments(
                        "NVRM: Xid (PCI:0000:10:1c): 63, pid=1896, Row Remapper: New row marked for remapping, reset gpu to activate.",
                        xid("0000:10:1c", 63, 1896, null, "Row Remapper")),
                arguments(
                        "NVRM: Xid (PCI:0000:c1:00): 74, pid='<unknown>', name=<unknown>, NVLink: fatal error detected on link 1",
                        xid("0000:c1:00", 74, -1, null, "NVLink: fatal error")),
                arguments(
                        "NVRM: Xid (PCI:0000:2b:00): 31, pid=1942, name=llama-bench, channel 0x00000002, intr 00000000. MMU Fault: ENGINE GRAPHICS GPC6 GPCCLIENT_T1_13 faulted @ 0x6f6f_320c2000. Fault is of type FAULT_PDE ACCESS_TYPE_VIRT_READ",
                        xid("0000:2b:00", 31, 1942, "llama-bench", "channel 0x00000002, intr")),
                arguments(
                        "NVRM: Xid (PCI:0000:cb:00): 109, pid=1797828, name=pt_main_thread, Ch 00000008, errorString CTX SWITCH TIMEOUT, Info 0x58005",
                        xid("0000:cb:00", 109, 1797828, "pt_main_thread", "Ch 00000008, errorString")),
                arguments("NVRM: Xid (0000:03:00): 14, Channel 00000001", xid("0000:03:00", 14, -1, null, "Channel")));
    }

    @ParameterizedTest
    @MethodSource("xids")
    void anXidIsTakenApart(String line, KernelLine.Xid expected) {
        assertThat(KernelLines.parse(line)).get().isInstanceOfSatisfying(KernelLine.Xid.class, xid -> {
            assertThat(xid.message()).startsWith(expected.message());
            assertThat(xid).usingRecursiveComparison().ignoringFields("message").isEqualTo(expected);
        });
    }

    /** Other tools have no match for these: their expressions end at the bus id. */
    @Test
    void anXidOfAMigInstanceNamesItsInstances() {
        assertThat(
                        KernelLines.parse(
                                "NVRM: Xid (PCI:0000:01:00 GPU-I:05): 94, pid=7194, Contained: CE User Channel (0x9). RST: No, D-RST: No"))
                .get()
                .isInstanceOfSatisfying(KernelLine.Xid.class, xid -> {
                    assertThat(xid.gpuInstance()).hasValue(5);
                    assertThat(xid.computeInstance()).isEmpty();
                    assertThat(xid.pid()).hasValue(7194);
                    assertThat(XidMessage.of(94, xid.message())).isEqualTo(new XidMessage.Containment(true, false));
                });
        assertThat(KernelLines.parse(
                        "NVRM: Xid (PCI:0000:3b:00 GPU-I:01 GPU-CI:02): 13, pid=9, name=a, Graphics Exception"))
                .contains(new KernelLine.Xid(
                        pci("0000:3b:00"),
                        OptionalInt.of(1),
                        OptionalInt.of(2),
                        13,
                        OptionalLong.of(9),
                        Optional.of("a"),
                        "Graphics Exception"));
    }

    static Stream<Arguments> others() {
        return Stream.of(
                arguments(
                        "NVRM: GPU at PCI:0000:9b:00: GPU-509665ad-b600-ac93-3616-d754b23d636d",
                        new KernelLine.GpuAt(pci("0000:9b:00"), "GPU-509665ad-b600-ac93-3616-d754b23d636d")),
                arguments(
                        "NVRM: Rate limiting GSP RPC error prints for GPU at PCI:0000:9b:00 (printing 1 of every 30).  The GPU likely needs to be reset.",
                        new KernelLine.RateLimited(pci("0000:9b:00"), 30)),
                arguments(
                        "NVRM: GPU 0000:29:00.0: GPU has fallen off the bus.",
                        new KernelLine.OffBus(pci("0000:29:00"))),
                arguments(
                        "NVRM: The NVIDIA GPU 0000:b3:00.0\nNVRM: (PCI ID: 10de:26b5) installed in this system has\nNVRM: fallen off the bus and is not responding to commands.",
                        new KernelLine.OffBus(pci("0000:b3:00"))),
                arguments(
                        "NVRM: GPU 0000:00:06.0: RmInitAdapter failed! (0x11:0x45:2540)",
                        new KernelLine.InitFailed(Optional.of(pci("0000:00:06")), "0x11:0x45:2540")),
                arguments(
                        "NVRM: GPU 0000:00:06.0: rm_init_adapter failed, device minor number 0",
                        new KernelLine.InitFailed(Optional.of(pci("0000:00:06")), "device minor number 0")),
                arguments(
                        "NVRM: RmInitAdapter failed! (0x30:0xffff:660)",
                        new KernelLine.InitFailed(Optional.empty(), "0x30:0xffff:660")),
                arguments(
                        "NVRM: API mismatch: the client 'nvidia-smi' (pid 4711)\nNVRM: has the version 580.95.05, but this kernel module has\nNVRM: the version 580.159.04.  Please\nNVRM: make sure that this kernel module and all NVIDIA driver\nNVRM: components have the same version.",
                        new KernelLine.VersionMismatch("nvidia-smi", "580.95.05", "580.159.04")),
                arguments(
                        "NVRM: Attempting to remove device 0000:18:00.0 with non-zero usage count!",
                        new KernelLine.RemovedInUse(pci("0000:18:00"))),
                arguments(
                        "nvidia-nvswitch0: SXid (PCI:0000:00:00.0): 20034, Fatal, Link 30 LTSSM Fault Up",
                        new KernelLine.Sxid(
                                "nvswitch0",
                                pci("0000:00:00"),
                                20034,
                                Optional.of(SxidWord.FATAL),
                                OptionalInt.of(30),
                                "LTSSM Fault Up")),
                arguments(
                        "nvidia-nvswitch3: SXid (PCI:0000:05:00.0): 12028, Non-fatal, Link 32 egress non-posted PRIV error (First)",
                        new KernelLine.Sxid(
                                "nvswitch3",
                                pci("0000:05:00"),
                                12028,
                                Optional.of(SxidWord.NON_FATAL),
                                OptionalInt.of(32),
                                "egress non-posted PRIV error (First)")),
                arguments(
                        "nvidia-nvswitch0: SXid (PCI:0000:a9:00.0): 20034, Severity 1 Engine instance 30 Sub-engine instance 00",
                        new KernelLine.Sxid(
                                "nvswitch0",
                                pci("0000:a9:00"),
                                20034,
                                Optional.empty(),
                                OptionalInt.empty(),
                                "Severity 1 Engine instance 30 Sub-engine instance 00")),
                arguments(
                        "nvidia-nvswitch0: SXid (PCI:0000:a9:00.0): 20034, Data {0x50610002, 0x10100030}",
                        new KernelLine.Sxid(
                                "nvswitch0",
                                pci("0000:a9:00"),
                                20034,
                                Optional.empty(),
                                OptionalInt.empty(),
                                "Data {0x50610002, 0x10100030}")));
    }

    @ParameterizedTest
    @MethodSource("others")
    void theDriversOtherLinesAreTakenApart(String line, KernelLine expected) {
        assertThat(KernelLines.parse(line)).contains(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "NVRM:",
                "NVRM: Xid (PCI:",
                "NVRM: Xid (PCI:0000:9b:00",
                "NVRM: Xid (PCI:0000:9b:00): ",
                "NVRM: Xid (PCI:0000:9b:00): x",
                "NVRM: Xid (PCI:zz:9b:00): 79",
                "NVRM: Xid (PCI:0000:9b:00): 1234567, too many digits",
                "NVRM: GPU Board Serial Number: 1650124014249",
                "NVRM: The NVIDIA probe routine failed for 1 device(s).",
                "NVRM: loading NVIDIA UNIX Open Kernel Module for x86_64  580.159.04",
                "NVRM: GPU at PCI:0000:9b:00: GPU-no-uuid",
                "nvidia-nvswitch0: SXid (PCI:0000:00:00.0): x",
                "nvidia-nvswitch0: something else",
                "usb 1-1: new device named NVRM: Xid (PCI:0000:9b:00): 79, GPU has fallen off the bus.",
                "audit: comm=\"NVRM: Xid (PCI:0000:9b:00): 79, x\"",
            })
    void whatSaysNothingOfAGpuIsLeft(String line) {
        assertThat(KernelLines.parse(line)).isEmpty();
    }

    /** A process chooses its name: it may hold a comma and what looks like the driver's words, but not the number. */
    @Test
    void aProcessNameCannotChangeTheNumber() {
        assertThat(KernelLines.parse("NVRM: Xid (PCI:0000:2b:00): 31, pid=7, name=x): 79, y, MMU Fault"))
                .get()
                .isInstanceOfSatisfying(KernelLine.Xid.class, xid -> {
                    assertThat(xid.code()).isEqualTo(31);
                    assertThat(xid.process()).contains("x): 79");
                    assertThat(xid.message()).isEqualTo("y, MMU Fault");
                });
    }

    @Test
    void messagesSayMoreThanTheNumber() {
        assertThat(XidMessage.of(45, "Ch 00000001 caused by previous Xid 149")).isEqualTo(new XidMessage.CausedBy(149));
        assertThat(XidMessage.of(45, "Ch 00000001")).isEqualTo(new XidMessage.Plain());
        assertThat(XidMessage.of(
                        154, "GPU recovery action changed from 0x4 (Drain and Reset) to 0x1 (GPU Reset Required)"))
                .isEqualTo(new XidMessage.RecoveryAction(4, 1));
        assertThat(XidMessage.of(95, "Uncontained: LTC TAG (0x2, 0x1). RST: Yes, D-RST: No"))
                .isEqualTo(new XidMessage.Containment(false, true));
        assertThat(XidMessage.of(13, "Graphics SM Warp Exception on (GPC 3, TPC 1, SM 0): Out Of Range Address"))
                .isEqualTo(new XidMessage.Place("GPC 3, TPC 1"));
        assertThat(XidMessage.of(149, "NETIR Fatal XC0 i0 Link -1 (0x000fe406 0x00000000 0x00000000)"))
                .isEqualTo(new XidMessage.Nvlink(
                        "NETIR", true, false, OptionalInt.empty(), Optional.of(0x000fe406L), Optional.of(0L)));
        assertThat(XidMessage.of(145, "RLW_SRC_TRACK Nonfatal XC1 i0 Link 17 (0x04084507 0x00000004 0x00"))
                .isEqualTo(new XidMessage.Nvlink(
                        "RLW_SRC_TRACK", false, false, OptionalInt.of(17), Optional.of(0x04084507L), Optional.of(4L)));
    }
}
