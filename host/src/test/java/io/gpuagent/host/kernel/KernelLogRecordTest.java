// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KernelLogRecordTest {
    private static Optional<KernelLogRecord> parse(String line) {
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        return KernelLogRecord.parse(bytes, 0, bytes.length);
    }

    @Test
    void aRecordIsTakenApart() {
        assertThat(parse("4,1234,98765432,-;NVRM: Xid (PCI:0000:9b:00): 79, GPU has fallen off the bus."))
                .contains(new KernelLogRecord(
                        0, 4, 1234, 98_765_432, "NVRM: Xid (PCI:0000:9b:00): 79, GPU has fallen off the bus."));
        assertThat(parse("6,1,2,-,caller=T1;x")).contains(new KernelLogRecord(0, 6, 1, 2, "x"));
        assertThat(parse("6,1,2;x")).contains(new KernelLogRecord(0, 6, 1, 2, "x"));
    }

    @Test
    void whatAProgramWroteHasAnotherFacility() {
        assertThat(parse("12,5,6,-;NVRM: Xid (PCI:0000:9b:00): 79, forged"))
                .get()
                .satisfies(log -> {
                    assertThat(log.facility()).isEqualTo(1);
                    assertThat(log.isFromKernel()).isFalse();
                });
    }

    @Test
    void escapesAreUndone() {
        assertThat(parse("4,1,2,-;NVRM: a\\x0aNVRM: b\\x5c \\xc3\\xa4 \\xzz \\x4"))
                .get()
                .extracting(KernelLogRecord::text)
                .isEqualTo("NVRM: a\nNVRM: b\\ ä \\xzz \\x4");
        assertThat(parse("4,1,2,-;bad \\xff utf-8"))
                .get()
                .extracting(KernelLogRecord::text)
                .isEqualTo("bad \uFFFD utf-8");
    }

    @Test
    void aLongTextIsCutOff() {
        assertThat(parse("4,1,2,-;" + "x".repeat(9_000)))
                .get()
                .extracting(log -> log.text().length())
                .isEqualTo(KernelLogRecord.MAX_TEXT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ";",
                "4",
                "4,1",
                "4,1,2",
                "4,1,2,-",
                "4,1;x",
                ",1,2,-;x",
                "4,,2,-;x",
                "a,1,2,-;x",
                "4,-1,2,-;x",
                "4,1,2\n,-;x",
                "4,9999999999999999999,2,-;x",
                " SUBSYSTEM=pci"
            })
    void whatIsNoRecordIsNone(String line) {
        assertThat(parse(line)).isEmpty();
    }

    @Test
    void noBytesAreTooMuch() {
        Random random = new Random(20261201);
        long seconds = Boolean.getBoolean("gpuagent.exhaustive") ? 30 : 1;
        long end = System.nanoTime() + seconds * 1_000_000_000;
        String signs = "0123456789,;\\x-\n fF";
        long records = 0;
        while (System.nanoTime() < end) {
            byte[] bytes = new byte[1 << random.nextInt(14)];
            boolean isPlain = random.nextBoolean();
            random.nextBytes(bytes);
            for (int i = 0; isPlain && i < bytes.length; i++) {
                bytes[i] = (byte) signs.charAt(random.nextInt(signs.length()));
            }
            long spent = Long.MAX_VALUE;
            for (int again = 0; again < 5 && spent >= 1_000_000; again++) {
                long start = System.nanoTime();
                KernelLogRecord.parse(bytes, 0, bytes.length);
                spent = Math.min(spent, System.nanoTime() - start);
            }
            assertThat(spent).isLessThan(1_000_000);
            records++;
        }
        assertThat(records).isGreaterThan(1_000);
    }
}
