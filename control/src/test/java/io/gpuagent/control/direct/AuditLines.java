// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.direct;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/** Reads an audit log as an auditor would: each line's checksum first, then its members, those of the request too. */
public final class AuditLines {
    private static final String SUM = ",\"crc32c\":\"";

    private AuditLines() {}

    public static List<Map<String, String>> read(Path log) throws IOException {
        List<Map<String, String>> lines = new ArrayList<>();
        for (String line : Files.exists(log) ? Files.readAllLines(log) : List.<String>of()) {
            int end = line.lastIndexOf(SUM);
            CRC32C sum = new CRC32C();
            sum.update(line.substring(0, end).getBytes(StandardCharsets.UTF_8));
            assertThat(line.substring(end)).isEqualTo(SUM + "%08x".formatted(sum.getValue()) + "\"}");
            lines.add(members(line));
        }
        return lines;
    }

    private static Map<String, String> members(String line) throws IOException {
        Map<String, String> members = new LinkedHashMap<>();
        try (JsonParser parser = new JsonFactory().createParser(line)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token.isScalarValue() && parser.currentName() != null) {
                    members.put(parser.currentName(), parser.getText());
                }
            }
        }
        return members;
    }
}
