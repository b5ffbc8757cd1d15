// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.agent.config.Problem;
import io.gpuagent.agent.config.Problems;
import io.gpuagent.model.GpuIdentity;
import io.gpuagent.model.PciAddress;
import io.gpuagent.model.layout.GpuMatch;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LayoutTargetsTest {
    private static final List<GpuMatch.Candidate> NODE = List.of(
            gpu(0, "GPU-5c3d0000", "NVIDIA H200", 0x233510DE),
            gpu(1, "GPU-5c3e0000", "NVIDIA H200", 0x233510DE),
            gpu(2, "GPU-90000000", "NVIDIA A30", 0x20B710DE));

    private final Problems problems = new Problems("node.yaml");

    private static GpuMatch.Candidate gpu(int index, String uuid, String model, int device) {
        return new GpuMatch.Candidate(
                new GpuIdentity(index, uuid),
                model,
                Optional.of(new PciAddress(0, 0x3b + index, 0)),
                Optional.of(device));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            index: 1           | 1
            uuid: GPU-5C3E     | 1
            pci: '3d:00.0'     | 2
            model: '*h200*'    | 0 1
            model: 'NVIDIA A?0'| 2
            model: '*'         | 0 1 2
            """)
    void findsTheGpusOfAMatch(String match, String indices) throws Exception {
        assertThat(targets("{version: 1, gpus: [{match: {" + match + "}, mig: []}]}"))
                .isEqualTo(indices);
        assertThat(problems.sorted()).isEmpty();
    }

    @Test
    void twoEntriesAboutOneGpuAreAMistake() throws Exception {
        targets("""
                version: 1
                gpus:
                  - match: {model: "*H200*"}
                    mig: []
                  - match: {index: 1}
                    keep: true
                """);

        assertThat(problems.sorted())
                .extracting(Problem::toString)
                .containsExactly(
                        "node.yaml:5:5: this entry and the one in line 3 are both about GPU 1; name each GPU once");
    }

    @Test
    void aGpuThatIsNotThereIsAMistakeAndAModelThatIsNotIsANote() throws Exception {
        LayoutTargets found = LayoutTargets.of(LayoutText.read("node.yaml", """
                        version: 1
                        gpus:
                          - match: {index: 7}
                            mig: []
                          - match: {model: "*B200*"}
                            mig: []
                        mps-groups:
                          - {name: pair, gpus: [0, 9]}
                        """, Optional.empty()), NODE, problems);

        assertThat(found.notes()).containsExactly("line 5: no GPU of this node is meant by model \"*B200*\"");
        assertThat(problems.sorted())
                .extracting(Problem::toString)
                .containsExactly(
                        "node.yaml:3:5: there is no GPU 7; this node has 0, 1, 2",
                        "node.yaml:8:5: the group \"pair\" names GPU 9, which is not there; this node has 0, 1, 2");
    }

    @Test
    void theBeginningOfAUuidThatFitsTwoGpusIsAMistake() throws Exception {
        targets("{version: 1, gpus: [{match: {uuid: GPU-5c3}, mig: []}]}");

        assertThat(problems.sorted())
                .extracting(Problem::toString)
                .containsExactly("node.yaml:1:21: the beginning of a UUID GPU-5c3 fits GPUs 0, 1; write more of it");
    }

    @Test
    void aFilterOfMigPartedChoosesByPciDevice() throws Exception {
        assertThat(targets("""
                version: v1
                mig-configs:
                  one:
                    - {device-filter: "0x20B710DE", devices: all, mig-enabled: false}
                    - {device-filter: ["0x233510DE"], devices: [1], mig-enabled: true, mig-devices: {}}
                """)).isEqualTo("1 2");
    }

    private String targets(String text) throws LayoutException {
        Optional<String> config = text.contains("mig-configs") ? Optional.of("one") : Optional.empty();
        StringBuilder indices = new StringBuilder();
        LayoutTargets.of(LayoutText.read("node.yaml", text, config), NODE, problems)
                .targets()
                .forEach(target ->
                        indices.append(target.gpu().identity().index()).append(' '));
        return indices.toString().strip();
    }
}
