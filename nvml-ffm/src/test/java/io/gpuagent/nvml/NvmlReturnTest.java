// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.nvml.abi.HeaderParser;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class NvmlReturnTest {
    private static final Pattern ENUM = Pattern.compile("(?s)enum nvmlReturn_enum\\s*\\{(.*?)}\\s*nvmlReturn_t;");
    private static final Pattern CONSTANT = Pattern.compile("(?m)^\\s*(NVML_\\w+)\\s*=\\s*([0-9]+)");

    private static final Map<Integer, String> HEADER = new TreeMap<>();

    @BeforeAll
    static void readHeader() throws IOException {
        Matcher body = ENUM.matcher(Files.readString(HeaderParser.nativeFolder().resolve("nvml.h")));
        assertThat(body.find()).isTrue();
        Matcher constant = CONSTANT.matcher(body.group(1));
        while (constant.find()) {
            HEADER.put(Integer.valueOf(constant.group(2)), constant.group(1));
        }
    }

    @Test
    void codesHaveTheHeadersNames() {
        assertThat(HEADER).hasSize(32);
        for (int code = -1; code <= 1_000; code++) {
            assertThat(new NvmlReturn(code).cName()).isEqualTo(HEADER.getOrDefault(code, "NVML_ERROR_" + code));
        }
    }

    @Test
    void constantsAreNamedLikeTheCodeTheyHold() throws IllegalAccessException {
        for (Field field : NvmlReturn.class.getFields()) {
            NvmlReturn constant = (NvmlReturn) field.get(null);
            String name = field.getName().equals("SUCCESS") ? "NVML_SUCCESS" : "NVML_ERROR_" + field.getName();
            assertThat(HEADER.get(constant.code())).isEqualTo(name);
        }
    }

    @Test
    void codeNewerThanTheHeaderStaysReadable() {
        assertThat(new NvmlReturn(77)).hasToString("NVML_ERROR_77").isEqualTo(new NvmlReturn(77));
    }
}
