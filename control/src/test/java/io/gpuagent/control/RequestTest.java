// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gpuagent.model.Share;
import io.gpuagent.model.ThreadPercentage;
import io.gpuagent.mps.supervise.ComputeModes;
import io.gpuagent.mps.supervise.DaemonWish;
import io.gpuagent.mps.supervise.StopMode;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestTest {
    private static final String GPU = "GPU-01234567-89ab-cdef-0123-456789abcdef";
    private static final String MIG = "MIG-01234567-89ab-cdef-0123-456789abcdef";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-a",
                "A",
                "gpu_1",
                "../x",
                "a/b",
                "a.service",
                "gpu 1",
                "gpu\n1",
                "a;reboot",
                "ı",
                "a23456789012345678901234567890123"
            })
    void anIdThatIsNoPlainNameIsRefusedByEveryVerbThatTakesOne(String id) {
        Share half = Share.UNLIMITED.withThreads(ThreadPercentage.parse("50"));
        List<Runnable> requests = List.of(
                () -> new Request.MpsStart(new DaemonWish(id, List.of(GPU), half, false, false)),
                () -> new Request.MpsStop(id, StopMode.REFUSE, Duration.ZERO),
                () -> new Request.MpsSet(id, half),
                () -> new Request.MpsTerminateClient(id, 4711),
                () -> new Request.MpsCallOffDrain(id),
                () -> new Request.MpsResume(id));

        for (Runnable request : requests) {
            assertThatIllegalArgumentException()
                    .isThrownBy(request::run)
                    .withMessageContaining("is no id of an MPS daemon; it has 1 to 32 lower-case letters");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "all",
                "GPU-0",
                "gpu-01234567-89ab-cdef-0123-456789abcdef",
                "GPU-01234567-89AB-cdef-0123-456789abcdef",
                "GPU-01234567-89ab-cdef-0123-456789abcdef,GPU-1",
                "GPU-01234567-89ab-cdef-0123-456789abcdef\nPATH=/tmp"
            })
    void aDeviceThatIsNoUuidIsRefused(String device) {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new Request.MpsStart(new DaemonWish("a", List.of(device), Share.UNLIMITED, false, false)))
                .withMessageContaining("is no UUID of a GPU or MIG device");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Request.SetComputeMode(device, ComputeModes.Mode.DEFAULT))
                .withMessageContaining("is no UUID of a GPU");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/dev/sda",
                "/dev/nvidia",
                "/dev/nvidia0/../sda",
                "dev/nvidia0",
                "/dev/nvidia-caps/../mem",
                "/dev/nvidia-caps/nvidia-cap",
                "/etc/shadow",
                "/dev/nvidia0\n"
            })
    void aNodeThatIsNotTheDriversIsRefused(String node) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Request.ListHolders(List.of(node)))
                .withMessageContaining("is no device node of the NVIDIA driver, such as /dev/nvidia0");
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 1, (1L << 22) + 1, Long.MAX_VALUE})
    void aPidThatNobodyHasIsRefusedAndSoIsTheInitProcess(long pid) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Request.MpsTerminateClient("a", pid))
                .withMessageContaining("is no process id that can be asked for; it is 2 to 4194304");
        assertThatIllegalArgumentException().isThrownBy(() -> new Request.ReadEnvironments(List.of(2L, pid)));
    }

    @Test
    void aListHasABoundAndNamesNothingTwice() {
        List<Long> tooMany = LongStream.range(2, 1027).boxed().toList();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Request.ReadEnvironments(tooMany))
                .withMessage("the list has 1025 entries of the kind process id; it must have 1 to 1024");
        assertThatIllegalArgumentException().isThrownBy(() -> new Request.ReadEnvironments(List.of()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Request.ListHolders(Collections.nCopies(2, "/dev/nvidia0")))
                .withMessage("the list names a device node twice; each must stand there once");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Request.MpsStart(new DaemonWish("a", List.of(), Share.UNLIMITED, false, false)));
    }

    @Test
    void aDaemonServesOneMigDeviceOrSeveralGpus() {
        assertThat(new Request.MpsStart(new DaemonWish("a", List.of(MIG), Share.UNLIMITED, false, false)).subjects())
                .containsExactly(MIG, "a");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        new Request.MpsStart(new DaemonWish("a", List.of(MIG, GPU), Share.UNLIMITED, false, false)))
                .withMessageContaining("name one MIG device alone");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Request.MpsStart(new DaemonWish("a", List.of(MIG), Share.UNLIMITED, false, true)))
                .withMessageContaining("has no EXCLUSIVE_PROCESS mode");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Request.SetComputeMode(MIG, ComputeModes.Mode.DEFAULT));
    }

    @Test
    void aGraceIsAtMostAQuarterOfAnHour() {
        assertThat(new Request.MpsStop("a", StopMode.DRAIN, Duration.ofMinutes(15)).deadline())
                .isEqualTo(Duration.ofMinutes(16));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Request.MpsStop("a", StopMode.DRAIN, Duration.ofSeconds(901)))
                .withMessage("a grace of 901 s is out of range; it is 0 to 900 s");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Request.MpsStop("a", StopMode.DRAIN, Duration.ofSeconds(-1)));
    }

    @Test
    void aSetThatSetsNothingIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Request.MpsSet("a", Share.UNLIMITED))
                .withMessage("nothing is to be set for the MPS daemon a; name threads, memory or priority");
    }

    @Test
    void whatComesFromOutsideIsShownShortAndPlain() {
        String hostile = "\u001b[2J" + "x".repeat(100);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Request.MpsResume(hostile))
                .withMessageStartingWith("\"?[2J" + "x".repeat(60) + "...\" is no id");
    }
}
