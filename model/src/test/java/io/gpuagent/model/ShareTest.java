// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShareTest {
    @ParameterizedTest
    @CsvSource({"25%, 25", "25, 25", "12.5, 12.5", "12.50%, 12.5", "' 25 % ', 25", "100, 100", "60.0, 60", "0.1, 0.1"})
    void aPercentageIsReadAsPeopleAndDaemonsWriteIt(String text, String sent) {
        assertThat(ThreadPercentage.parse(text).commandForm()).isEqualTo(sent);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "0%",
                "0.0",
                "-5",
                "150",
                "100.1",
                "abc",
                "NaN",
                "Infinity",
                "",
                " ",
                "%",
                "1e1",
                "12,5",
                "0x10",
                "+5",
                "12.55",
                "0.05",
                ".5",
                "5.",
                "25%%",
                "99999999999999999999",
                "٢٥"
            })
    void whatIsNoPercentageIsRefusedInOneSentence(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ThreadPercentage.parse(text))
                .withMessageStartingWith("the thread percentage \"" + text + "\" ")
                .withMessageEndingWith(": write a number above 0 and at most 100, such as 25% or 12.5");
    }

    /** Captured on an H200 (132) and published for a card of 188 multiprocessors. */
    @ParameterizedTest
    @CsvSource({
        "60, 132, 78",
        "25, 132, 32",
        "10, 132, 12",
        "100, 132, 132",
        "50, 188, 94",
        "25, 188, 46",
        "75, 188, 140"
    })
    void multiprocessorsAreRoundedDownToAnEvenCount(String percentage, int ofGpu, int expected) {
        assertThat(ThreadPercentage.parse(percentage).multiprocessors(ofGpu)).isEqualTo(expected);
    }

    @Test
    void everyPercentageReadsBackAsItself() {
        for (int tenths = 1; tenths <= 1000; tenths++) {
            ThreadPercentage percentage = new ThreadPercentage(tenths);
            assertThat(ThreadPercentage.parse(percentage.toString())).isEqualTo(percentage);
            assertThat(ThreadPercentage.parse(percentage.commandForm())).isEqualTo(percentage);
            assertThat(percentage.multiprocessors(132)).isEven().isBetween(0, 132);
        }
    }

    @Test
    void whatADaemonSaysIsInForceIsReadToATenth() {
        assertThat(ThreadPercentage.fromDaemon("60.0\n")).isEqualTo(ThreadPercentage.parse("60"));
        assertThat(ThreadPercentage.fromDaemon("33.000000")).isEqualTo(ThreadPercentage.parse("33"));
        assertThat(ThreadPercentage.fromDaemon("33.37")).isEqualTo(ThreadPercentage.parse("33.4"));
        for (String text : new String[] {"", "Server 1 not found", "0.0", "-5", "999999999"}) {
            assertThatIllegalArgumentException().isThrownBy(() -> ThreadPercentage.fromDaemon(text));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "8GiB, 8192M",
        "16G, 16384M",
        "512m, 512M",
        "512MiB, 512M",
        "1T, 1048576M",
        "1TiB, 1048576M",
        "20 GiB, 20480M",
        "1048576B, 1M",
        "2097152b, 2M",
        "2048K, 2M",
        "1.5GiB, 1536M",
        "0.5g, 512M",
        "'  8gib ', 8192M"
    })
    void aLimitIsSentInWholeMegabytesWhateverTheUnit(String text, String sent) {
        assertThat(PinnedMemoryLimit.parse(text).commandForm()).isEqualTo(sent);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "20",
                "",
                "G",
                "abc",
                "-1G",
                "0G",
                "0.0M",
                "1B",
                "1KiB",
                "1.0001M",
                "8GB",
                "512mb",
                "1P",
                "1GiBs",
                "1e3M",
                "9223372036854775807G",
                "8796093022208M",
                "99999999999999999999M",
                "1,5G",
                "٢G"
            })
    void whatIsNoLimitIsRefusedInOneSentence(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PinnedMemoryLimit.parse(text))
                .withMessageStartingWith("the memory limit \"" + text + "\" ")
                .withMessageEndingWith(": write a number and a binary unit, such as 8GiB or 512M");
    }

    @Test
    void aLimitWithoutUnitOrWithADecimalOneIsToldWhy() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PinnedMemoryLimit.parse("20"))
                .withMessageContaining("has no unit");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PinnedMemoryLimit.parse("8GB"))
                .withMessageContaining("GB, which is a power of ten to some and of two to others");
    }

    @Test
    void anyLimitReadsBackAsItselfFromWhatIsSentAndFromWhatIsShown() {
        SplittableRandom random = new SplittableRandom(580_159_04);
        for (int i = 0; i < 5_000; i++) {
            PinnedMemoryLimit limit = new PinnedMemoryLimit(random.nextLong(1, 1L << random.nextInt(1, 43)));
            assertThat(PinnedMemoryLimit.parse(limit.toString())).isEqualTo(limit);
            assertThat(PinnedMemoryLimit.fromDaemon(limit.commandForm())).contains(limit);
            assertThat(PinnedMemoryLimit.ofBytes(limit.bytes())).isEqualTo(limit);
        }
    }

    /** Captured on an H200, driver 580.159.04. */
    @ParameterizedTest
    @CsvSource({"1000M, 1000M", "1023M, 1023M", "1025M, 1G", "2047M, 1G", "8193M, 8G", "12800M, 12G", "143771M, 140G"})
    void aDaemonTellsALimitInWholeGigabytesFromOneOnAndMeansTheExactOne(String set, String told) {
        assertThat(PinnedMemoryLimit.fromDaemon(told))
                .contains(PinnedMemoryLimit.parse(set).asToldByDaemon());
    }

    @Test
    void noneTakesALimitOffAndIsNotTheSameAsSayingNothing() {
        Share limited = Share.UNLIMITED.withMemory(PinnedMemoryLimit.parse("8GiB"));

        assertThat(Share.UNLIMITED.withMemory(PinnedMemoryLimit.parse("None")).over(limited))
                .isEqualTo(Share.UNLIMITED);
        assertThat(Share.UNLIMITED.over(limited)).isEqualTo(limited);
        assertThat(PinnedMemoryLimit.parse(PinnedMemoryLimit.NONE.toString())).isEqualTo(PinnedMemoryLimit.NONE);
        assertThat(PinnedMemoryLimit.NONE.commandForm()).isEqualTo("0M");
    }

    @Test
    void noUnitIsEverTakenForAnother() {
        String[] units = {"MiB", "GiB", "TiB"};
        for (int unit = 0; unit < units.length; unit++) {
            for (long amount = 1; amount < 100; amount++) {
                assertThat(BigInteger.valueOf(
                                PinnedMemoryLimit.parse(amount + units[unit]).bytes()))
                        .isEqualTo(BigInteger.valueOf(amount).multiply(BigInteger.TWO.pow(20 + 10 * unit)));
            }
        }
    }

    /** Captured on an H200, driver 580.159.04. */
    @Test
    void whatTheDaemonReadsBackIsUnderstood() {
        assertThat(PinnedMemoryLimit.fromDaemon("20G")).contains(PinnedMemoryLimit.parse("20GiB"));
        assertThat(PinnedMemoryLimit.fromDaemon("20G").orElseThrow().bytes()).isEqualTo(21_474_836_480L);
        assertThat(PinnedMemoryLimit.fromDaemon("512m\n")).contains(PinnedMemoryLimit.parse("512MiB"));
        assertThat(PinnedMemoryLimit.fromDaemon("")).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PinnedMemoryLimit.fromDaemon("Server 1 not found"))
                .withMessage("\"Server 1 not found\" is no memory limit of a control daemon");
    }

    @Test
    void aPriorityHasTwoWordsAndTwoNumbers() {
        for (ClientPriority priority : ClientPriority.values()) {
            assertThat(ClientPriority.parse(priority.label())).isEqualTo(priority);
            assertThat(ClientPriority.fromDaemon(priority.commandForm())).isEqualTo(priority);
        }
        assertThat(ClientPriority.parse("below-normal").commandForm()).isEqualTo("1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClientPriority.parse("high"))
                .withMessage("the client priority \"high\" is unknown: write normal or below-normal");
    }

    @Test
    void aShareKeepsOfTheOneBelowWhatItDoesNotName() {
        Share below =
                Share.UNLIMITED.withThreads(ThreadPercentage.parse("50%")).withMemory(PinnedMemoryLimit.parse("8GiB"));
        Share over = Share.UNLIMITED
                .withThreads(ThreadPercentage.parse("25%"))
                .withPriority(ClientPriority.BELOW_NORMAL)
                .over(below);
        assertThat(over.threads()).contains(ThreadPercentage.parse("25%"));
        assertThat(over.memory()).contains(PinnedMemoryLimit.parse("8GiB"));
        assertThat(over.priority()).contains(ClientPriority.BELOW_NORMAL);
    }
}
