// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.nvml.abi.HeaderParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Each function of the header is bound or listed in unwrapped-functions.txt, with a reason. */
class UnwrappedFunctionsTest {
    private static Set<String> header;
    private static List<String> lines;

    @BeforeAll
    static void read() throws IOException {
        header = HeaderParser.ofVendoredHeader().functions().keySet();
        lines = Files.readAllLines(Path.of("unwrapped-functions.txt"));
    }

    private static Set<String> bound() {
        return Stream.of(NvmlFunction.values())
                .flatMap(function -> function.candidates().stream())
                .collect(toCollection(TreeSet::new));
    }

    private static Set<String> listed() {
        return lines.stream().map(line -> line.split("\t", -1)[0]).collect(toCollection(TreeSet::new));
    }

    @Test
    void everyFunctionIsBoundOrListed() {
        Set<String> accounted = new TreeSet<>(bound());
        accounted.addAll(listed());

        assertThat(accounted).containsAll(header);
    }

    @Test
    void noFunctionIsBoundAndListed() {
        assertThat(listed()).doesNotContainAnyElementsOf(bound());
    }

    @Test
    void listNamesFunctionsOfTheHeaderOnly() {
        assertThat(header).containsAll(listed());
    }

    @Test
    void eachLineIsANameATabAndAReason() {
        assertThat(lines).allSatisfy(line -> assertThat(line).matches("nvml\\w+\t\\S.*\\S"));
    }

    @Test
    void listIsSortedAndNamesNothingTwice() {
        assertThat(lines.stream().map(line -> line.split("\t", -1)[0])).containsExactlyElementsOf(listed());
    }
}
