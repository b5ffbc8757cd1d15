// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpuagent.health.catalogue.XidCatalogue;
import io.gpuagent.health.fold.HealthFold;
import io.gpuagent.health.fold.Moment;
import io.gpuagent.health.fold.NodeFacts;
import io.gpuagent.health.fold.NodeView;
import io.gpuagent.health.fold.Observation;
import io.gpuagent.model.health.HealthSource;
import io.gpuagent.model.health.Incident;
import io.gpuagent.model.health.NodeHealth;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is stored comes back, whatever happened to the file. */
class HealthStoreTest {
    private static final String BOOT = "5f8ad1a3-8a3b-4c0e-9d5e-0d2f3c4b5a69";
    private static final String GPU = "GPU-509665ad-b600-ac93-3616-d754b23d636d";

    @TempDir
    Path folder;

    private final HealthFold fold = new HealthFold(XidCatalogue.builtIn());
    private Moment now = new Moment(1_000_000_000_000L, Instant.parse("2026-12-01T10:00:00Z"));
    private NodeFacts facts = NodeFacts.NOTHING;
    private long sequence;

    private HealthStore store() {
        return HealthStore.in(folder.resolve("health"));
    }

    private void pass(Duration time) {
        now = new Moment(now.nanos() + time.toNanos(), now.wall().plus(time));
    }

    private void kernel(String text) {
        pass(Duration.ofMillis(10));
        facts = fold.after(facts, new Observation.KernelMessage(now, BOOT, sequence++, true, HealthSource.KMSG, text));
    }

    private void xid(String rest) {
        kernel("NVRM: Xid (PCI:0000:9b:00): " + rest);
    }

    private void begin() {
        facts = fold.after(facts, new Observation.Started(now, BOOT));
        kernel("NVRM: GPU at PCI:0000:9b:00: " + GPU);
    }

    /** All but the sources, which are of this process. */
    private NodeHealth view(NodeFacts of) {
        NodeHealth view = NodeView.of(of, now, XidCatalogue.builtIn());
        return new NodeHealth(
                view.takenAt(),
                view.state(),
                view.action(),
                view.gpus(),
                view.reasons(),
                List.of(),
                view.incidents(),
                view.catalogue());
    }

    @Test
    void whatWasStoredComesBack() throws IOException {
        begin();
        xid("31, pid=1942, name=a\tname\\with\nends, MMU Fault");
        xid("62, pid=7, name=b, PMU Halt");
        xid("45, pid=8, name=c, Ch 00000001 caused by previous Xid 62");
        xid("64, remap failed");
        HealthStore store = store();
        store.write(facts, now);
        String id = NodeView.of(facts, now, XidCatalogue.builtIn())
                .incidents()
                .getFirst()
                .id();
        facts = fold.after(facts, new Observation.Acknowledged(now, id, "ops", "a reason\nof two lines"));
        pass(Duration.ofSeconds(1));
        store.write(facts, now);

        HealthStore.Loaded loaded = store().load(now);
        assertThat(loaded.problem()).isEmpty();
        assertThat(view(loaded.facts())).isEqualTo(view(facts));
        assertThat(loaded.facts().events()).isEqualTo(facts.events());
        assertThat(loaded.facts().sequence()).isEqualTo(facts.sequence());
    }

    @Test
    void aTornTailIsLeftOutAndTheRestComesBack() throws IOException {
        begin();
        xid("31, pid=7, name=a, MMU Fault");
        HealthStore store = store();
        store.write(facts, now);
        NodeFacts whole = facts;
        xid("31, pid=7, name=a, MMU Fault");
        xid("48, DBE");
        store.write(facts, now);
        Path file = folder.resolve("health/events");
        byte[] bytes = Files.readAllBytes(file);
        int first = 0;
        for (int cut = 0; cut < bytes.length; cut++) {
            Files.write(file, Arrays.copyOf(bytes, cut));
            NodeFacts read = store().load(now).facts();
            if (read.revision() == 0) {
                assertThat(first).as("all of the first batch or nothing").isZero();
                continue;
            }
            first = cut;
            assertThat(view(read).incidents()).isEqualTo(view(whole).incidents());
            Files.createDirectories(folder.resolve("health"));
        }
        assertThat(first).isPositive();
    }

    @Test
    void aDamagedByteCostsOneBatchAndIsTold() throws IOException {
        begin();
        HealthStore store = store();
        store.write(facts, now);
        for (int i = 0; i < 20; i++) {
            xid("31, pid=" + i + ", name=a, MMU Fault");
            store.write(facts, now);
        }
        Path file = folder.resolve("health/events");
        byte[] bytes = Files.readAllBytes(file);
        Random random = new Random(7);
        for (int i = 0; i < 200; i++) {
            byte[] damaged = bytes.clone();
            damaged[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            Files.write(file, damaged);
            HealthStore.Loaded loaded = store().load(now);
            assertThat(loaded.facts().sequence()).isGreaterThanOrEqualTo(0);
            assertThat(loaded.facts().sequence()).isLessThanOrEqualTo(facts.sequence());
        }
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
        HealthStore damaged = store();
        HealthStore.Loaded loaded = damaged.load(now);
        assertThat(loaded.problem()).get().asString().contains("is damaged: 1 of its batches are left out");
        assertThat(view(loaded.facts()).incidents())
                .as("the next batch has all of it")
                .isEqualTo(view(facts).incidents());
        damaged.write(facts, now);
        assertThat(store().load(now).problem()).isEmpty();
    }

    @Test
    void aFileThatGrowsIsWrittenAnewAndTheOneBeforeIsKept() throws IOException {
        begin();
        HealthStore store = new HealthStore(folder.resolve("health"), StoreDisk.REAL, 20_000);
        for (int i = 0; i < 200; i++) {
            xid("31, pid=" + i + ", name=a, MMU Fault");
            store.write(facts, now);
        }
        assertThat(Files.size(folder.resolve("health/events"))).isLessThan(25_000);
        assertThat(folder.resolve("health/events.1")).exists();
        assertThat(view(store().load(now).facts())).isEqualTo(view(facts));

        // A crash between the two renames.
        Files.move(folder.resolve("health/events"), folder.resolve("health/events.new"));
        assertThat(view(store().load(now).facts())).isEqualTo(view(facts));
    }

    @Test
    void aFileOfSomebodyElsesIsSetAside() throws IOException {
        Files.createDirectories(folder.resolve("health"));
        Files.writeString(folder.resolve("health/events"), "hello\n");
        HealthStore store = store();
        HealthStore.Loaded loaded = store.load(now);
        assertThat(loaded.facts()).isEqualTo(NodeFacts.NOTHING);
        assertThat(loaded.problem()).get().asString().contains("holds nothing that can be read");
        assertThat(folder.resolve("health/events.damaged")).hasContent("hello\n");
        begin();
        store.write(facts, now);
        assertThat(store().load(now).facts().revision()).isEqualTo(facts.revision());
    }

    @Test
    void aFolderInThePlaceOfTheFileStopsNothing() throws IOException {
        Files.createDirectories(folder.resolve("health/events/x"));
        assertThat(store().load(now).problem()).isPresent();
    }

    @Test
    void afterADiskWasFullAllIsThere() throws IOException {
        for (int failAt = 0; failAt < 6; failAt++) {
            FailingDisk disk = new FailingDisk();
            HealthStore store = new HealthStore(folder.resolve("health-" + failAt), disk, HealthStore.CAP);
            facts = NodeFacts.NOTHING;
            begin();
            store.write(facts, now);
            xid("48, DBE");
            disk.failIn(failAt);
            NodeFacts more = facts;
            if (failAt == 0) {
                assertThatThrownBy(() -> store.write(more, now)).hasMessageContaining("No space left on device");
            }
            xid("31, pid=7, name=a, MMU Fault");
            write(store, 3);
            disk.failIn(-1);
            store.write(facts, now);
            NodeFacts read =
                    HealthStore.in(folder.resolve("health-" + failAt)).load(now).facts();
            assertThat(view(read)).isEqualTo(view(facts));
        }
    }

    private void write(HealthStore store, int times) {
        for (int i = 0; i < times; i++) {
            try {
                store.write(facts, now);
            } catch (IOException full) {
                assertThat(full).hasMessageContaining("No space left on device");
            }
        }
    }

    /** Writes half of what it should and then fails, from some call on. */
    private static final class FailingDisk implements StoreDisk {
        private int left = -1;

        void failIn(int calls) {
            left = calls;
        }

        private boolean fails() {
            if (left < 0) {
                return false;
            }
            return left == 0 || --left == 0;
        }

        @Override
        public void write(Path file, long offset, byte[] bytes) throws IOException {
            if (fails()) {
                StoreDisk.super.write(file, offset, Arrays.copyOf(bytes, bytes.length / 2));
                throw new IOException("No space left on device");
            }
            StoreDisk.super.write(file, offset, bytes);
        }

        @Override
        public void rename(Path from, Path to) throws IOException {
            if (fails()) {
                throw new IOException("No space left on device");
            }
            StoreDisk.super.rename(from, to);
        }
    }

    @Test
    void whatWasWrittenUnderAWrongClockHasNoNegativeAge() throws IOException {
        begin();
        xid("31, pid=7, name=a, MMU Fault");
        store().write(facts, new Moment(now.nanos(), now.wall().plus(Duration.ofDays(400))));
        NodeFacts read = store().load(now).facts();
        Incident incident = view(read).incidents().getFirst();
        assertThat(incident.last()).isBeforeOrEqualTo(now.wall());
    }

    /** Bytes that nobody wrote, and lines with right checksums that nobody meant. */
    @Test
    void noFileIsTooMuch() {
        Random random = new Random(20261201);
        long seconds = Boolean.getBoolean("gpuagent.exhaustive") ? 30 : 2;
        long end = System.nanoTime() + seconds * 1_000_000_000;
        begin();
        for (int i = 0; i < 5; i++) {
            xid("31, pid=" + i + ", name=a, MMU Fault");
        }
        String sample = new FactsWriter(now).batch(NodeFacts.NOTHING, facts);
        String[] lines = sample.split("\n", -1);
        long files = 0;
        while (System.nanoTime() < end) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < 20; i++) {
                String line = lines[random.nextInt(lines.length)];
                if (random.nextBoolean() || line.isEmpty()) {
                    text.append(line).append('\n');
                } else {
                    String[] fields = line.substring(11).split("\t", -1);
                    fields[random.nextInt(fields.length)] = junk(random);
                    StoreLine.of(line.charAt(9), (Object[]) fields).appendTo(text);
                }
            }
            byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
            for (int i = random.nextInt(3); i > 0 && bytes.length > 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            FactsReader reader = new FactsReader(now);
            reader.read(bytes);
            view(reader.facts());
            files++;
        }
        assertThat(files).isGreaterThan(1_000);
    }

    private static String junk(Random random) {
        return switch (random.nextInt(8)) {
            case 0 -> "";
            case 1 -> "-1";
            case 2 -> String.valueOf(random.nextLong());
            case 3 -> "\uD83D\t\n\\";
            case 4 -> "WARN/NONE";
            case 5 -> "1:2:3";
            case 6 -> ",,=,=";
            default -> "x".repeat(random.nextInt(100));
        };
    }
}
