// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpAnswerTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK/content-LENGTH: 2//hi and more",
                "HTTP/1.1 200/Content-Length: 2/Content-Length: 2//hi",
                "HTTP/1.1 200 OK/Transfer-Encoding: chunked//1;a=b/h/001/i/0//",
                "HTTP/1.1 200 OK/Transfer-Encoding: CHUNKED//2/hi/0/Trailer: x//",
                "HTTP/1.0 200 OK//hi",
                "HTTP/1.1 103 Early Hints/Link: x//HTTP/1.1 200 OK/Content-Length: 2//hi"
            })
    void readsTheContent(String answer) throws Exception {
        HttpAnswer read = read(answer);
        assertThat(read.status()).isEqualTo(200);
        assertThat(read.body()).asString(StandardCharsets.UTF_8).isEqualTo("hi");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''                                               | it closed the connection
            SSH-2.0-OpenSSH_9.2//                            | its answer is not HTTP
            HTTP/2 200//                                     | its answer is not HTTP
            HTTP/1.1 200 OK                                  | its answer is cut short
            HTTP/1.1 200 OK/no colon//                       | its answer has a damaged header
            HTTP/1.1 200 OK/Content-Length: 5//hi            | its answer is cut short
            HTTP/1.1 200 OK/Content-Length: -1//hi           | its answer has a damaged length
            HTTP/1.1 200 OK/Content-Length: 1/Content-Length: 2//hi | its answer has a damaged length
            HTTP/1.1 200 OK/Content-Length: 16777217//       | its answer has more than 16 MiB
            HTTP/1.1 200 OK/Transfer-Encoding: gzip//        | its answer is encoded in an unknown way
            HTTP/1.1 200 OK/Transfer-Encoding: chunked//x/   | its answer has a damaged chunk
            HTTP/1.1 200 OK/Transfer-Encoding: chunked//2/hi | its answer is cut short
            HTTP/1.1 200 OK/Transfer-Encoding: chunked//1/hi/ | its answer has a damaged chunk
            HTTP/1.1 200 OK/Transfer-Encoding: chunked//7fffffff/ | its answer has more than 16 MiB
            """)
    void saysWhatIsWrong(String answer, String what) {
        assertThatThrownBy(() -> read(answer))
                .isInstanceOf(HttpAnswer.MalformedException.class)
                .hasMessageStartingWith(what);
    }

    @Test
    void takesNoHeadOrContentWithoutEnd() {
        assertThatThrownBy(() -> HttpAnswer.read(endless(""))).hasMessage("its answer has a head of more than 16 KiB");
        assertThatThrownBy(() -> HttpAnswer.read(endless("HTTP/1.1 200 OK\r\n")))
                .hasMessage("its answer has a head of more than 16 KiB");
        assertThatThrownBy(() -> HttpAnswer.read(endless("HTTP/1.1 200 OK\r\n\r\n")))
                .hasMessage("its answer has more than 16 MiB");
    }

    private static InputStream endless(String start) {
        InputStream same = new InputStream() {
            @Override
            public int read() {
                return 'x';
            }
        };
        return new SequenceInputStream(new ByteArrayInputStream(start.getBytes(StandardCharsets.US_ASCII)), same);
    }

    /** A slash stands for a line's end, but for the ones that HTTP itself writes. */
    private static HttpAnswer read(String answer) throws IOException, HttpAnswer.MalformedException {
        String text = answer.strip()
                .replace("HTTP/1", "HTTP\0001")
                .replace("HTTP/2", "HTTP\0002")
                .replace("/", "\r\n")
                .replace('\0', '/');
        assertThat(text.toUpperCase(Locale.ROOT)).doesNotContain("\0");
        return HttpAnswer.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }
}
