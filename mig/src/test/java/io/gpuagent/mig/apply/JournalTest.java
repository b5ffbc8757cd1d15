// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpuagent.mig.MigException;
import io.gpuagent.mig.Placement;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
    private static final Instant NOW = Instant.parse("2026-12-01T10:00:00Z");
    private static final SavedLayout BEFORE = SavedLayout.parse("19@0+1[1g.18gb/1/f/0/0] 9@4+4[1c.3g.71gb/1/p/0/2]");
    private static final SavedLayout AFTER = SavedLayout.parse("0@0+8[7g.141gb/7/f/?/?]");
    private static final Piece WHOLE = Piece.of(0, new Placement(0, 8));

    @TempDir
    Path folder;

    private Path file() {
        return folder.resolve("journal");
    }

    private Journal journal() throws MigException {
        return Journal.open(Disk.REAL, file());
    }

    /** Two changes, the second one open behind its first creation. */
    private void written() throws MigException {
        try (Journal journal = journal()) {
            journal.plan(NOW, AFTER, BEFORE);
            journal.note(Journal.Kind.DESTROYS, WHOLE.text());
            journal.note(Journal.Kind.DONE, WHOLE.text());
            journal.note(Journal.Kind.ROLLED_BACK, "");
            journal.plan(NOW, BEFORE, AFTER);
            journal.note(Journal.Kind.MAKES, WHOLE.text());
        }
    }

    @Test
    void whatWasWrittenIsReadBack() throws Exception {
        written();
        try (Journal journal = journal()) {
            ChangeRecord change = journal.last().orElseThrow();
            assertThat(change.isOpen()).isTrue();
            assertThat(change.before()).isEqualTo(BEFORE);
            assertThat(change.after()).isEqualTo(AFTER);
            assertThat(change.made()).containsExactly(WHOLE);
            assertThat(change.at()).isEqualTo(NOW);
        }
        assertThat(Files.size(file()))
                .as("all of its blocks are there from the start")
                .isEqualTo(Journal.SIZE);
    }

    @Test
    void aRefusedPieceIsNotOurs() throws Exception {
        written();
        try (Journal journal = journal()) {
            journal.note(Journal.Kind.REFUSED, WHOLE.text());
        }
        try (Journal journal = journal()) {
            assertThat(journal.last().orElseThrow().made()).isEmpty();
        }
    }

    @Test
    void aTailThatWasWrittenInPartDoesNotCountWhereverItWasTorn() throws Exception {
        written();
        byte[] whole = Files.readAllBytes(file());
        int end = new String(whole, StandardCharsets.UTF_8).indexOf("MAKES") + "MAKES 0@0+8\n".length();
        int last = new String(whole, 0, end - 1, StandardCharsets.UTF_8).lastIndexOf('\n') + 1;
        for (int torn = last; torn < end; torn++) {
            byte[] content = whole.clone();
            // What lay there before the write: the record of an older change, or nothing.
            for (int i = torn; i < end; i++) {
                content[i] = torn % 2 == 0 ? 0 : (byte) 'x';
            }
            Files.write(file(), content, StandardOpenOption.TRUNCATE_EXISTING);
            try (Journal journal = journal()) {
                ChangeRecord change = journal.last().orElseThrow();
                assertThat(change.before()).as("torn at %d", torn).isEqualTo(BEFORE);
                assertThat(change.made()).as("torn at %d", torn).isEmpty();
                journal.note(Journal.Kind.ROLLED_BACK, "");
            }
            try (Journal journal = journal()) {
                assertThat(journal.last().orElseThrow().isOpen()).isFalse();
            }
        }
    }

    @Test
    void recordsOfAnEarlierChangeBehindTheLastOneDoNotCount() throws Exception {
        try (Journal journal = journal()) {
            journal.plan(NOW, BEFORE, AFTER);
            for (int i = 0; i < 50; i++) {
                journal.note(Journal.Kind.MAKES, WHOLE.text());
            }
            journal.note(Journal.Kind.COMMITTED, "");
            journal.plan(NOW, BEFORE, AFTER);
        }
        try (Journal journal = journal()) {
            assertThat(journal.last().orElseThrow().isOpen()).isTrue();
            assertThat(journal.last().orElseThrow().made()).isEmpty();
        }
    }

    @Test
    void aFileOfGarbageHoldsNoChange() throws Exception {
        Files.writeString(file(), "garbage\n\nzzzzzzzz 1 0 PLANNED x\n");
        try (Journal journal = journal()) {
            assertThat(journal.last()).isEmpty();
            journal.plan(NOW, BEFORE, AFTER);
        }
        try (Journal journal = journal()) {
            assertThat(journal.last().map(ChangeRecord::after)).isEqualTo(Optional.of(AFTER));
        }
    }

    @Test
    void aFullJournalSaysSoAndTakesNoMore() throws Exception {
        try (Journal journal = journal()) {
            journal.plan(NOW, BEFORE, AFTER);
            assertThatThrownBy(() -> {
                        for (int i = 0; i < Journal.SIZE; i++) {
                            journal.note(Journal.Kind.DONE, WHOLE.text());
                        }
                    })
                    .isInstanceOf(MigException.class)
                    .hasMessage("the journal " + file() + " cannot be written, so nothing is changed: it is full");
        }
        try (Journal journal = journal()) {
            assertThat(journal.last().orElseThrow().isOpen()).isTrue();
        }
    }

    @Test
    void layoutsAreTheSameBehindTheirText() {
        for (String text : List.of(
                "-", "9@4+4[]", "15@0+2[1g.35gb/1/f/?/?]", "9@4+4[1c.3g.71gb/1/p/0/2;2c.3g.71gb/2/p/1/0] 19@0+1[]")) {
            assertThat(SavedLayout.parse(text).text()).isEqualTo(text);
        }
    }
}
