// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serial;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An answer in HTTP/1.1 (RFC 9112), read whole. */
final class HttpAnswer {
    /** Largest content that is taken. */
    static final int LARGEST_BODY = 16 << 20;

    private static final int LARGEST_HEAD = 16 << 10;
    private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.[01] ([1-5][0-9][0-9])( .*)?");
    private static final Pattern CHUNK_SIZE = Pattern.compile("([0-9a-fA-F]{1,8})(?:[ \t]*;.*)?");
    private static final Pattern LENGTH = Pattern.compile("[0-9]{1,12}");

    private static final String CUT = "its answer is cut short";

    private final int status;
    private final byte[] body;

    private HttpAnswer(int status, byte[] body) {
        this.status = status;
        this.body = body;
    }

    int status() {
        return status;
    }

    byte[] body() {
        return body.clone();
    }

    /** What came is no HTTP/1.1, or more than is taken. */
    static final class MalformedException extends Exception {
        @Serial
        private static final long serialVersionUID = 1L;

        MalformedException(String what) {
            super(what);
        }

        String what() {
            return String.valueOf(getMessage());
        }
    }

    static HttpAnswer read(InputStream in) throws IOException, MalformedException {
        return read(in, said -> {});
    }

    /** 1xx comes before the answer proper; there the agent says how far it is. */
    static HttpAnswer read(InputStream in, Consumer<String> progress) throws IOException, MalformedException {
        Head head = head(in);
        while (head.status() < 200) {
            head.progress().ifPresent(progress);
            head = head(in);
        }
        if (head.chunked()) {
            return new HttpAnswer(head.status(), chunks(in));
        }
        if (head.length().isPresent()) {
            long length = head.length().get();
            if (length > LARGEST_BODY) {
                throw tooLarge();
            }
            return new HttpAnswer(head.status(), exactly(in, (int) length));
        }
        byte[] body = in.readNBytes(LARGEST_BODY + 1);
        if (body.length > LARGEST_BODY) {
            throw tooLarge();
        }
        return new HttpAnswer(head.status(), body);
    }

    private record Head(int status, boolean chunked, Optional<Long> length, Optional<String> progress) {}

    private static Head head(InputStream in) throws IOException, MalformedException {
        int left = LARGEST_HEAD;
        String first = line(in, left, "it closed the connection");
        Matcher matcher = STATUS_LINE.matcher(first);
        if (!matcher.matches()) {
            throw new MalformedException("its answer is not HTTP");
        }
        boolean chunked = false;
        Optional<Long> length = Optional.empty();
        Optional<String> progress = Optional.empty();
        for (String line = line(in, left -= first.length(), CUT);
                !line.isEmpty();
                line = line(in, left -= line.length(), CUT)) {
            int colon = line.indexOf(':');
            if (colon <= 0) {
                throw new MalformedException("its answer has a damaged header");
            }
            String value = line.substring(colon + 1).strip();
            switch (line.substring(0, colon).toLowerCase(Locale.ROOT)) {
                case "transfer-encoding" -> {
                    if (!value.toLowerCase(Locale.ROOT).equals("chunked")) {
                        throw new MalformedException("its answer is encoded in an unknown way");
                    }
                    chunked = true;
                }
                case "content-length" -> {
                    if (!LENGTH.matcher(value).matches()
                            || (length.isPresent() && length.get() != Long.parseLong(value))) {
                        throw new MalformedException("its answer has a damaged length");
                    }
                    length = Optional.of(Long.parseLong(value));
                }
                case "progress" -> progress = Optional.of(value);
                default -> {}
            }
        }
        return new Head(Integer.parseInt(matcher.group(1)), chunked, length, progress);
    }

    private static String line(InputStream in, int longest, String atEnd) throws IOException, MalformedException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(64);
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new MalformedException(line.size() == 0 ? atEnd : CUT);
            }
            if (line.size() >= longest) {
                throw new MalformedException("its answer has a head of more than 16 KiB");
            }
            line.write(b);
        }
        String text = line.toString(StandardCharsets.ISO_8859_1);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }

    private static byte[] chunks(InputStream in) throws IOException, MalformedException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            Matcher size = CHUNK_SIZE.matcher(line(in, LARGEST_HEAD, CUT));
            if (!size.matches()) {
                throw new MalformedException("its answer has a damaged chunk");
            }
            long length = Long.parseLong(size.group(1), 16);
            if (body.size() + length > LARGEST_BODY) {
                throw tooLarge();
            }
            if (length == 0) {
                // Trailers may follow up to an empty line; they say nothing that is used here.
                return body.toByteArray();
            }
            body.writeBytes(exactly(in, (int) length));
            if (!line(in, LARGEST_HEAD, CUT).isEmpty()) {
                throw new MalformedException("its answer has a damaged chunk");
            }
        }
    }

    private static byte[] exactly(InputStream in, int length) throws IOException, MalformedException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new MalformedException(CUT);
        }
        return bytes;
    }

    private static MalformedException tooLarge() {
        return new MalformedException("its answer has more than 16 MiB");
    }
}
