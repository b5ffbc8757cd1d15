// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.mig.read.MigFacts;
import io.gpuagent.nvml.sim.Hang;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A change of the MIG mode whose process ends behind each NVML call and each write: no pending mode is left behind. */
class ModeCrashIT {
    private static final int IN_USE = 19;
    private static final int RESET_REQUIRED = 16;

    @TempDir
    Path folder;

    private MigRig rig(long point, OptionalInt activation) {
        MigRig rig = new MigRig("a100-40gb", folder.resolve("at-" + point));
        rig.mig().refuseActivation(activation);
        return rig;
    }

    private static boolean isCutOff(MigRig rig, long point, boolean leavePending) {
        CutPoints cut = new CutPoints(point);
        try {
            rig.executor(cut, cut).setMode(true, leavePending);
            return false;
        } catch (CutPoints.CutOff dead) {
            return true;
        }
    }

    /** mig-parted 18 and GPU operator 603: a mode that is only pending was taken for applied. */
    @ParameterizedTest
    @CsvSource({IN_USE + "", RESET_REQUIRED + ""})
    void whereverItIsCutOffNoPendingModeIsLeft(int activation) throws Exception {
        int points = 0;
        int wasPending = 0;
        for (long point = 1; ; point++) {
            MigRig rig = rig(point, OptionalInt.of(activation));
            if (!isCutOff(rig, point, false)) {
                break;
            }
            wasPending += rig.executor().look().facts().pending() ? 1 : 0;
            rig.executor().recover(Progress.NONE);

            MigFacts now = rig.executor().read();
            assertThat(now.enabled()).as("cut %d", point).isFalse();
            assertThat(now.pending()).as("cut %d", point).isFalse();
            assertThat(rig.executor().recover(Progress.NONE))
                    .as("cut %d", point)
                    .isEmpty();
            points++;
        }
        System.out.printf(
                "%d cut points of a mode that stays pending; it was pending at %d of them%n", points, wasPending);
        assertThat(wasPending).isPositive();
    }

    @Test
    void whereverAModeIsCutOffThatComesItIsOnOrOff() throws Exception {
        int on = 0;
        long point = 1;
        for (; ; point++) {
            MigRig rig = rig(point, OptionalInt.empty());
            if (!isCutOff(rig, point, false)) {
                break;
            }
            Optional<ApplyResult> recovered = rig.executor().recover(Progress.NONE);

            MigFacts now = rig.executor().read();
            assertThat(now.pending()).as("cut %d", point).isEqualTo(now.enabled());
            assertThat(recovered.filter(ApplyResult.LeftAsItIs.class::isInstance))
                    .isEmpty();
            on += now.enabled() ? 1 : 0;
        }
        assertThat(on).isBetween(1, (int) point - 2);
    }

    @Test
    void aModeThatMayStayPendingStaysSo() throws Exception {
        int pending = 0;
        for (long point = 1; ; point++) {
            MigRig rig = rig(point, OptionalInt.of(RESET_REQUIRED));
            if (!isCutOff(rig, point, true)) {
                break;
            }
            boolean before = rig.executor().look().facts().pending();
            rig.executor().recover(Progress.NONE);

            assertThat(rig.executor().read().pending()).as("cut %d", point).isEqualTo(before);
            pending += before ? 1 : 0;
        }
        assertThat(pending).isPositive();
    }

    @Test
    void whatIsLeftOpenIsToldAndTheNextChangeBringsItToItsEnd() throws Exception {
        long point = 1;
        MigRig rig = rig(point, OptionalInt.of(IN_USE));
        while (isCutOff(rig, point, false) && !rig.executor().look().facts().pending()) {
            rig = rig(++point, OptionalInt.of(IN_USE));
        }
        assertThat(rig.executor().look().unfinished())
                .contains("a change of the MIG mode was cut off; a recovery, with which every change begins, brings it"
                        + " to an end");
        rig.mig().refuseActivation(OptionalInt.empty());

        assertThat(rig.executor().setMode(true, false)).isEqualTo(new MigModeResult.Changed());

        assertThat(rig.executor().look().unfinished()).isEmpty();
    }

    /** A call past its deadline is neither repeated nor compensated. */
    @Test
    void aModeWhoseCallDoesNotReturnIsUnknownUntilItHas() throws Exception {
        MigRig rig = rig(0, OptionalInt.empty());
        MigExecutor executor = rig.executor();
        Hang hang = rig.driver.hang("nvmlDeviceSetMigMode");
        CompletableFuture<MigModeResult> result = CompletableFuture.supplyAsync(() -> executor.setMode(true, false));
        hang.awaitHeld(1);
        rig.clock.advance(Duration.ofMinutes(4));

        assertThat(result.get())
                .isInstanceOfSatisfying(
                        MigModeResult.Unknown.class,
                        unknown -> assertThat(unknown.why())
                                .startsWith(
                                        "turning the MIG mode of GPU 0 on was begun, and what became of it is not known"));
        assertThat(executor.setMode(true, false)).isInstanceOf(MigModeResult.Failed.class);
        hang.release();
    }
}
