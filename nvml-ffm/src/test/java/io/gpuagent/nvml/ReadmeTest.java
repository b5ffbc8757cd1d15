// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.nvml.abi.HeaderParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The README keeps what others ask of it; its program is run where there is a simulator. */
class ReadmeTest {
    @Test
    void noticeOfTheHeaderIsRepeatedWordByWord() throws IOException {
        String header = Files.readString(HeaderParser.nativeFolder().resolve("nvml.h"));
        String notice = words(header.substring(header.indexOf("/*") + 2, header.indexOf("*/")), "*");

        assertThat(notice).contains("Disclaimer and U.S. Government End Users Notice");
        assertThat(words(Files.readString(Path.of("README.md")), ">")).contains(notice);
    }

    /** The words of a text whose lines may begin with a mark. */
    private static String words(String text, String mark) {
        return text.lines()
                .map(String::strip)
                .map(line -> line.startsWith(mark) ? line.substring(mark.length()) : line)
                .reduce("", (whole, line) -> whole + " " + line)
                .replaceAll("\\s+", " ")
                .strip();
    }
}
