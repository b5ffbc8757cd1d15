// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The binding's structs are those that the C compiler sees. */
class LayoutsTest {
    private static final Pattern VERSIONED = Pattern.compile("(nvml\\w+_v([0-9]+))_t");

    private static StructFigures compiled;

    @BeforeAll
    static void readFigures() throws IOException {
        compiled = StructFigures.read();
    }

    static List<StructLayout> structs() throws Exception {
        Map<String, StructLayout> structs = new LinkedHashMap<>();
        for (Class<?> layouts : layoutClasses()) {
            for (Field constant : layouts.getFields()) {
                if (constant.getType() == StructLayout.class) {
                    assertThat(structs).doesNotContainKey(constant.getName());
                    structs.put(constant.getName(), (StructLayout) constant.get(null));
                }
            }
        }
        // A struct under a wrong name would be compared with a wrong one.
        structs.forEach((name, struct) -> assertThat(struct.name()).contains(name));
        return List.copyOf(structs.values());
    }

    /** Layouts and the classes of one topic each, whose names end in Layouts. */
    private static List<Class<?>> layoutClasses() throws Exception {
        Path folder =
                Path.of(Layouts.class.getResource("Layouts.class").toURI()).getParent();
        List<Class<?>> found = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                String name = file.getFileName().toString();
                if (name.endsWith("Layouts.class")) {
                    found.add(Class.forName(Layouts.class.getPackageName() + "." + name.replace(".class", "")));
                }
            }
        }
        return found;
    }

    @Test
    void everyStructIsFound() throws Exception {
        assertThat(structs()).hasSizeGreaterThanOrEqualTo(8);
    }

    @ParameterizedTest
    @MethodSource("structs")
    void sizeIsTheCompilers(StructLayout struct) {
        assertThat(struct.byteSize()).isEqualTo(compiled.size(name(struct)));
    }

    @ParameterizedTest
    @MethodSource("structs")
    void membersLieWhereTheCompilerPutsThem(StructLayout struct) {
        Map<String, StructFigures.Place> members = new LinkedHashMap<>();
        for (MemoryLayout member : struct.memberLayouts()) {
            member.name().ifPresent(name -> members.put(name, place(struct, name)));
        }
        // Members of an array whose struct has no type of its own follow it with dotted names.
        compiled.fields(name(struct)).keySet().stream()
                .filter(name -> name.contains("."))
                .forEach(name -> members.put(name, place(struct, name)));

        assertThat(members).isEqualTo(compiled.fields(name(struct)));
    }

    /** Where a member lies, such as {@code bus} or {@code sensor[0].target}. */
    private static StructFigures.Place place(StructLayout struct, String member) {
        return new StructFigures.Place(
                struct.byteOffset(path(member, PathElement.sequenceElement(0))),
                struct.select(path(member, PathElement.sequenceElement())).byteSize());
    }

    private static PathElement[] path(String member, PathElement first) {
        return Stream.of(member.split("\\.|(?=\\[0])", -1))
                .map(step -> step.equals("[0]") ? first : PathElement.groupElement(step))
                .toArray(PathElement[]::new);
    }

    @ParameterizedTest
    @MethodSource("structs")
    void versionWordIsThatOfTheMacro(StructLayout struct) {
        Matcher name = VERSIONED.matcher(name(struct));
        // The versions of GPM are plain numbers.
        if (compiled.fields(name(struct)).containsKey("version")
                && !name(struct).startsWith("nvmlGpm")) {
            assertThat(name.matches())
                    .as("a struct with a version has it in its name")
                    .isTrue();
            assertThat(Layouts.version(struct, Integer.parseInt(name.group(2))))
                    .isEqualTo((int) compiled.versionWord(name.group(1)));
        }
    }

    private static String name(StructLayout struct) {
        return struct.name().orElseThrow();
    }
}
