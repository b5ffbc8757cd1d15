// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.gpuagent.model.time.ManualClock;
import io.gpuagent.mps.DaemonFolders;
import io.gpuagent.mps.PipeDirectory;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogTailTest {
    @TempDir
    Path folder;

    private Path file;
    private LogTail tail;

    @BeforeEach
    void open() {
        file = folder.resolve("server.log");
        tail = LogTail.fromStart(file);
    }

    @AfterEach
    void close() throws IOException {
        tail.close();
    }

    private void write(String text) throws IOException {
        write(text.getBytes(StandardCharsets.UTF_8));
    }

    private void write(byte[] bytes) throws IOException {
        Files.write(file, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private void cut() throws IOException {
        Files.write(file, new byte[0], StandardOpenOption.TRUNCATE_EXISTING);
    }

    @Test
    void aFileThatIsNotThereYetIsWaitedFor() throws IOException {
        assertThat(tail.poll()).isEmpty();
        write("one\ntwo\n");
        assertThat(tail.poll()).containsExactly("one", "two");
        assertThat(tail.poll()).isEmpty();
    }

    @Test
    void aLineIsGivenOutOnceItHasItsEnd() throws IOException {
        write("one\ntw");
        assertThat(tail.poll()).containsExactly("one");
        write("o\r\nthree\n");
        assertThat(tail.poll()).containsExactly("two", "three");
    }

    @Test
    void aFileThatIsCutIsReadFromItsBeginning() throws IOException {
        write("a long first line\nhalf");
        tail.poll();
        cut();
        assertThat(tail.poll()).isEmpty();
        write("new\n");
        assertThat(tail.poll()).containsExactly("new");
    }

    @Test
    void aFileThatIsCutAndGrowsBeyondItsOldLengthIsReadFromItsBeginning() throws IOException {
        write("old one\nold two\n");
        tail.poll();
        cut();
        write("new one\nnew two\nnew three\n");
        assertThat(tail.poll()).containsExactly("new one", "new two", "new three");
    }

    @Test
    void aWriterThatGoesOnAtItsOldPlaceAfterACutLeavesAHoleThatIsSkipped() throws IOException {
        write("old one\n");
        tail.poll();
        cut();
        try (RandomAccessFile writer = new RandomAccessFile(file.toFile(), "rw")) {
            writer.seek(8);
            writer.write("new one\n".getBytes(StandardCharsets.UTF_8));
        }
        assertThat(tail.poll()).containsExactly("new one");
    }

    @Test
    void aRenamedFileIsReadToItsEndBeforeTheNewOne() throws IOException {
        write("one\n");
        tail.poll();
        write("two\n");
        Files.move(file, folder.resolve("server.log.1"));
        assertThat(tail.poll()).containsExactly("two");
        Files.writeString(folder.resolve("server.log.1"), "three\n", StandardOpenOption.APPEND);
        write("four\n");
        assertThat(tail.poll()).containsExactly("three", "four");
    }

    @Test
    void aLongLineIsCutAndTheNextOneIsWhole() throws IOException {
        write("x".repeat(10_000) + "\nnext\n");
        assertThat(tail.poll()).containsExactly("x".repeat(LogTail.LONGEST_LINE), "next");
        write("y".repeat(LogTail.LONGEST_LINE) + "\nlast\n");
        assertThat(tail.poll()).containsExactly("y".repeat(LogTail.LONGEST_LINE), "last");
    }

    @Test
    void bytesThatAreNoTextAreReplacedAndNulsSkipped() throws IOException {
        write(new byte[] {'a', (byte) 0xff, 'b', 0, 'c', '\n'});
        write("grün\n");
        assertThat(tail.poll()).containsExactly("a\ufffdbc", "grün");
    }

    @Test
    void muchAtOnceIsReadInPieces() throws IOException {
        String line = "0123456789".repeat(10);
        for (int i = 0; i < 30; i++) {
            write((line + "\n").repeat(1000));
        }
        List<Integer> pieces = new ArrayList<>();
        for (List<String> lines = tail.poll(); !lines.isEmpty(); lines = tail.poll()) {
            assertThat(lines).containsOnly(line);
            pieces.add(lines.size());
        }
        assertThat(pieces).hasSize(3);
        assertThat(pieces.stream().mapToInt(Integer::intValue).sum()).isEqualTo(30_000);
    }

    @Test
    void theEndOfAFileIsReadFromItsFirstWholeLine() throws IOException {
        write("one\ntwo\nthree\n");
        try (LogTail cutLine = LogTail.fromEnd(file, 8);
                LogTail wholeLine = LogTail.fromEnd(file, 10);
                LogTail all = LogTail.fromEnd(file, 1000);
                LogTail nothing = LogTail.fromEnd(file, 0)) {
            assertThat(cutLine.poll()).containsExactly("three");
            assertThat(wholeLine.poll()).containsExactly("two", "three");
            assertThat(all.poll()).containsExactly("one", "two", "three");
            assertThat(nothing.poll()).isEmpty();
            write("four\n");
            assertThat(nothing.poll()).containsExactly("four");
        }
    }

    @Test
    void whatIsNoRegularFileIsRefusedAtOnce() throws IOException {
        Files.createDirectory(file);
        assertThatExceptionOfType(IOException.class).isThrownBy(tail::poll).withMessage(file + " is no regular file");
        Files.delete(file);
        Files.createSymbolicLink(file, Files.writeString(folder.resolve("elsewhere"), "secret\n"));
        assertThatExceptionOfType(IOException.class).isThrownBy(tail::poll);
    }

    @Test
    void aLogThatIsTooLongIsCutAndLosesNoLine() throws IOException {
        DaemonFolders folders = new DaemonFolders(new PipeDirectory(folder.resolve("pipe")), folder);
        try (DaemonLog log = DaemonLog.fromStart(folders, new ManualClock())) {
            List<MpsEvent> events = new ArrayList<>();
            for (int server = 0; server < 100; server++) {
                write("[2021-06-27 07:30:26.216 Server    17] Client {PID: " + server + ", Context ID: 0} connected\n");
                log.poll().forEach(entry -> events.add(entry.event()));
                DaemonLog.cap(folders, 500);
            }

            assertThat(events).hasSize(100).endsWith(new MpsEvent.ClientConnected(17, 99, 0));
            assertThat(Files.size(file)).isLessThanOrEqualTo(500);
            assertThat(Files.size(folder.resolve("server.log.1"))).isEqualTo(500);
        }
    }
}
