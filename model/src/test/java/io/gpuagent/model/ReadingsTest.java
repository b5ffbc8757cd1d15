// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ReadingsTest {
    private static final long READ_AT = Duration.ofHours(1).toNanos();

    private final Readings readings = Readings.EMPTY.toBuilder()
            .put(ReadingKeys.POWER_AVERAGE, Reading.of(71.5, READ_AT))
            .put(ReadingKeys.ENERGY, Reading.of(2606.8, READ_AT))
            .put(ReadingKeys.NAME, Reading.of("NVIDIA H200", READ_AT))
            .put(ReadingKeys.UTILIZATION, Reading.absent(Absence.NOT_SUPPORTED, "NVML_ERROR_NOT_SUPPORTED", READ_AT))
            .build();

    @Test
    void whatWasNeverReadIsAbsentAndNotZero() {
        assertThat(readings.value(ReadingKeys.PSTATE)).isEmpty();
        assertThat(readings.get(ReadingKeys.PSTATE)).isEqualTo(Reading.absent(Absence.NOT_READ_YET, null, 0));
    }

    @Test
    void aFastValueIsServedForThreeSecondsAndASlowOneForFortyFive() {
        assertThat(after(3_000).value(ReadingKeys.POWER_AVERAGE)).contains(71.5);
        assertThat(after(3_001).get(ReadingKeys.POWER_AVERAGE))
                .isEqualTo(Reading.absent(Absence.TOO_OLD, null, READ_AT));
        assertThat(after(45_000).value(ReadingKeys.ENERGY)).contains(2606.8);
        assertThat(after(45_001).value(ReadingKeys.ENERGY)).isEmpty();
    }

    @Test
    void configuredIntervalsStretchTheAges() {
        PollIntervals rare = new PollIntervals(Duration.ofSeconds(10), Duration.ofMinutes(1));

        assertThat(readings.agedTo(READ_AT + Duration.ofSeconds(30).toNanos(), rare, Absence.TOO_OLD)
                        .value(ReadingKeys.POWER_AVERAGE))
                .contains(71.5);
    }

    @Test
    void aStaticValueDoesNotAgeAndAReasonStaysTheReason() {
        Readings muchLater = after(Duration.ofDays(300).toMillis());

        assertThat(muchLater.value(ReadingKeys.NAME)).contains("NVIDIA H200");
        assertThat(muchLater.get(ReadingKeys.UTILIZATION)).isEqualTo(readings.get(ReadingKeys.UTILIZATION));
    }

    @Test
    void readingsThatAreAllFreshAreNotCopied() {
        assertThat(after(1_000)).isSameAs(readings);
    }

    @Test
    void aBuilderLeavesTheReadingsItStartedFromAlone() {
        Readings changed = readings.toBuilder()
                .put(ReadingKeys.POWER_AVERAGE, Reading.of(80.0, READ_AT))
                .build();

        assertThat(changed.value(ReadingKeys.POWER_AVERAGE)).contains(80.0);
        assertThat(readings.value(ReadingKeys.POWER_AVERAGE)).contains(71.5);
    }

    @Test
    void whatIsPutAfterReadingsWereBuiltDoesNotReachThem() {
        Readings.Builder builder = readings.toBuilder();
        Readings first = builder.build();
        Readings second = builder.put(ReadingKeys.POWER_AVERAGE, Reading.of(80.0, READ_AT))
                .build();
        builder.put(ReadingKeys.POWER_AVERAGE, Reading.of(90.0, READ_AT));

        assertThat(first.value(ReadingKeys.POWER_AVERAGE)).contains(71.5);
        assertThat(second.value(ReadingKeys.POWER_AVERAGE)).contains(80.0);
    }

    @Test
    void everyKeyHasANameOfItsOwn() {
        Set<String> names = ReadingKeys.ALL.stream().map(ReadingKey::name).collect(Collectors.toSet());

        assertThat(names).hasSize(ReadingKeys.ALL.size());
        assertThat(names).allMatch(name -> name.matches("[a-z][a-z0-9_.]*"));
    }

    @Test
    void aReasonNewerThanOursIsToldAsSuch() {
        assertThat(ClockEventReason.of(0x1)).containsExactly(ClockEventReason.GPU_IDLE);
        assertThat(ClockEventReason.of(0x8000_0000_0000_0104L))
                .containsExactlyInAnyOrder(
                        ClockEventReason.SW_POWER_CAP, ClockEventReason.DISPLAY_CLOCK_SETTING, ClockEventReason.OTHER);
        assertThat(ClockEventReason.of(0x1FF)).hasSize(9).doesNotContain(ClockEventReason.OTHER);
    }

    @Test
    void aBusIdReadsAsNvidiaSmiPrintsIt() {
        assertThat(new PciAddress(0, 0x3b, 0).busId()).isEqualTo("00000000:3B:00.0");
        assertThat(new PciAddress(0x10000, 0xaf, 0x1f).busId()).isEqualTo("00010000:AF:1F.0");
    }

    private Readings after(long millis) {
        return readings.agedTo(READ_AT + Duration.ofMillis(millis).toNanos(), PollIntervals.DEFAULT, Absence.TOO_OLD);
    }
}
