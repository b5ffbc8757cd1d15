// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.health.line.KernelLine.SxidWord;
import io.gpuagent.health.line.XidMessage;
import io.gpuagent.model.health.ClearsOn;
import io.gpuagent.model.health.HealthAction;
import io.gpuagent.model.health.HealthState;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The tables, as a whole and at the places where tools contradict each other. */
class XidCatalogueTest {
    private final XidCatalogue catalogue = XidCatalogue.builtIn();

    /** NVIDIA's catalogue ends at 172, nverror.h of 595.45.04 adds four; 177 to 184 are in neither. */
    @Test
    void everyXidThatNvidiaHasToldOfHasARow() {
        assertThat(catalogue.codes())
                .containsAll(IntStream.rangeClosed(1, 176).boxed().toList())
                .contains(185, 999);
        assertThat(catalogue.xid(177)).isEqualTo(XidMeaning.UNKNOWN);
        assertThat(catalogue.version()).isEqualTo("2026.12.1");
    }

    @Test
    void whatIsBadForTheGpuSaysWhatHelpsAndDoesNotGoByItself() {
        for (int code : catalogue.codes()) {
            XidMeaning row = catalogue.xid(code);
            assertThat(row.text()).isNotBlank().doesNotEndWith(".");
            if (row.state() == HealthState.CRITICAL) {
                assertThat(row.action()).as("Xid %d", code).isNotEqualTo(HealthAction.NONE);
                assertThat(row.clearsOn()).as("Xid %d", code).isNotEqualTo(ClearsOn.QUIET);
            }
            if (row.isOneProgram()) {
                assertThat(row.state()).as("Xid %d", code).isIn(HealthState.OK, HealthState.WARN);
            }
        }
    }

    @Test
    void thePlacesWhereToolsContradictEachOther() {
        assertThat(catalogue.xid(94).state()).isEqualTo(HealthState.DEGRADED);
        assertThat(catalogue.xid(94).action()).isEqualTo(HealthAction.RESTART_APP);
        assertThat(catalogue.xid(64).action()).isEqualTo(HealthAction.RMA_CHECK);
        assertThat(catalogue.xid(133).engine()).as("another tool has no 133").contains("ce");
        assertThat(catalogue.xid(172).follows()).hasValue(48);
    }

    @Test
    void aSwitchesWordIsBelievedBeforeTheTable() {
        assertThat(catalogue.sxid(12028, Optional.empty())).isEqualTo(HealthState.CRITICAL);
        assertThat(catalogue.sxid(12028, Optional.of(SxidWord.NON_FATAL))).isEqualTo(HealthState.WARN);
        assertThat(catalogue.sxid(1, Optional.empty())).isEqualTo(HealthState.WARN);
        assertThat(catalogue.sxid(10001, Optional.of(SxidWord.FATAL))).isEqualTo(HealthState.CRITICAL);
    }

    private HealthAction action(int xid, String unit, long intrInfo, long status, String driver) {
        XidMessage.Nvlink link = new XidMessage.Nvlink(
                unit, false, false, OptionalInt.of(1), Optional.of(intrInfo), Optional.of(status));
        return catalogue.xid(xid, link, Optional.of(driver)).action();
    }

    /** The same status word: a reset for one unit, a question to the GPU for the other. */
    @Test
    void nvlinkIsDecodedByUnitAndStatus() {
        assertThat(action(145, "RLW_SRC_TRACK", 7, 1, "580.159.04")).isEqualTo(HealthAction.DRAIN_AND_RESET);
        assertThat(action(145, "RLW_REMAP", 4, 1, "580.159.04")).isEqualTo(HealthAction.NONE);
        assertThat(action(146, "TLW_RX_PIPE0", 0, 4, "580.159.04")).isEqualTo(HealthAction.DRAIN_AND_RESET);
        assertThat(action(147, "TREX", 0, 4, "580.159.04")).isEqualTo(HealthAction.NONE);
    }

    /** The unit's number lies in bits 5 to 9 before R575, and in bits 0 to 6 since. */
    @Test
    void theLayoutOfTheRegisterFollowsTheDriversVersion() {
        long before = 0b00111_00010;
        long since = 0b0000111;
        assertThat(action(145, "RLW_SRC_TRACK", before, 1, "570.86.15")).isEqualTo(HealthAction.DRAIN_AND_RESET);
        assertThat(action(145, "RLW_SRC_TRACK", since, 1, "570.86.15"))
                .as("not its number")
                .isEqualTo(HealthAction.NONE);
        assertThat(action(145, "RLW_SRC_TRACK", since, 1, "580.159.04")).isEqualTo(HealthAction.DRAIN_AND_RESET);
        assertThat(action(145, "RLW_SRC_TRACK", before, 1, "580.159.04"))
                .as("not its number")
                .isEqualTo(HealthAction.NONE);
    }
}
