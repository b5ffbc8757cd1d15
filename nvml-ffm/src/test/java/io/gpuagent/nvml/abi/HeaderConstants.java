// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.abi;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The constants of {@code nvml.h}: plain decimal numbers, by name less a prefix. */
public final class HeaderConstants {
    private final String header;

    private HeaderConstants(String header) {
        this.header = header;
    }

    /**
     * Reads the header vendored in this module.
     *
     * @return its constants
     * @throws IOException when it cannot be read
     */
    public static HeaderConstants ofVendoredHeader() throws IOException {
        return new HeaderConstants(
                Files.readString(HeaderParser.nativeFolder().resolve("nvml.h"), StandardCharsets.UTF_8));
    }

    /**
     * Macros that are numbers.
     *
     * @param prefix how their names begin
     * @return number by the rest of the name
     */
    public Map<String, Integer> defines(String prefix) {
        return numbers("(?m)^#define " + prefix + "(\\w+)[ \t]+(\\d+)\\b");
    }

    /**
     * Constants of enums.
     *
     * @param prefix how their names begin
     * @return number by the rest of the name
     */
    public Map<String, Integer> enumConstants(String prefix) {
        return numbers("(?m)^[ \t]+" + prefix + "(\\w+)[ \t]*=[ \t]*(\\d+)\\b");
    }

    /**
     * Macros that are other macros.
     *
     * @param prefix how their names, and those of the others, begin
     * @return the other's full name by the rest of the name
     */
    public Map<String, String> aliases(String prefix) {
        return matches("(?m)^#define " + prefix + "(\\w+)[ \t]+(" + prefix + "\\w+)");
    }

    private Map<String, Integer> numbers(String pattern) {
        Map<String, Integer> numbers = new LinkedHashMap<>();
        matches(pattern).forEach((name, number) -> numbers.put(name, Integer.valueOf(number)));
        return numbers;
    }

    private Map<String, String> matches(String pattern) {
        Map<String, String> matches = new LinkedHashMap<>();
        Matcher matcher = Pattern.compile(pattern).matcher(header);
        while (matcher.find()) {
            matches.put(matcher.group(1), matcher.group(2));
        }
        return matches;
    }
}
