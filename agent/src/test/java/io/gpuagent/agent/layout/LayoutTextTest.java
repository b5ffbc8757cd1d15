// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.gpuagent.agent.config.Problem;
import io.gpuagent.model.ClientPriority;
import io.gpuagent.model.PciAddress;
import io.gpuagent.model.PinnedMemoryLimit;
import io.gpuagent.model.Share;
import io.gpuagent.model.ThreadPercentage;
import io.gpuagent.model.layout.ComputeInstanceEntry;
import io.gpuagent.model.layout.GpuEntry;
import io.gpuagent.model.layout.GpuInstanceEntry;
import io.gpuagent.model.layout.GpuMatch;
import io.gpuagent.model.layout.Layout;
import io.gpuagent.model.layout.LayoutForm;
import io.gpuagent.model.layout.MpsEntry;
import io.gpuagent.model.layout.MpsGroupEntry;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LayoutTextTest {
    @Test
    void readsEveryKeyOfALayout() throws Exception {
        Layout layout = read("""
                version: 1
                gpus:
                  - match: {index: 0}
                    mig-mode: on
                    mig:
                      - 3g.71gb
                      - {profile: 2g.35gb, start: 0, compute: [{profile: 1c.2g.35gb, start: 1, mps: {threads: 50%}}, 1c]}
                      - {profile: 1g.18gb, count: 2, mps: {memory: 8GiB}}
                  - match: {uuid: GPU-5c3d}
                    mps: {threads: 25%, memory: 16GiB, priority: below-normal, multi-user: true, exclusive-process: true}
                  - match: {model: "*A30*"}
                    mig: []
                  - match: {pci: "3b:00.0"}
                    keep: true
                mps-groups:
                  - {name: pair, gpus: [4, 5], threads: 50%}
                """);

        assertThat(layout.form()).isEqualTo(LayoutForm.OWN);
        assertThat(layout.gpus())
                .extracting(GpuEntry::match)
                .containsExactly(
                        new GpuMatch.Index(0),
                        new GpuMatch.Uuid("GPU-5c3d"),
                        new GpuMatch.Model("*A30*"),
                        new GpuMatch.Pci(new PciAddress(0, 0x3b, 0)));
        GpuEntry first = layout.gpus().getFirst();
        assertThat(first.migMode()).contains(true);
        List<GpuInstanceEntry> instances = first.mig().orElseThrow();
        assertThat(instances).extracting(GpuInstanceEntry::profile).containsExactly("3g.71gb", "2g.35gb", "1g.18gb");
        assertThat(instances).extracting(GpuInstanceEntry::count).containsExactly(1, 1, 2);
        assertThat(instances.get(1).start()).isEqualTo(OptionalInt.of(0));
        List<ComputeInstanceEntry> computes = instances.get(1).compute().orElseThrow();
        assertThat(computes).extracting(ComputeInstanceEntry::profile).containsExactly("1c.2g.35gb", "1c");
        assertThat(computes.getFirst().start()).isEqualTo(OptionalInt.of(1));
        assertThat(computes.getFirst().mps().orElseThrow().share().threads()).contains(ThreadPercentage.parse("50%"));
        assertThat(instances.get(2).mps().orElseThrow().share().memory()).contains(PinnedMemoryLimit.parse("8GiB"));
        MpsEntry mps = layout.gpus().get(1).mps().orElseThrow();
        assertThat(mps.share())
                .isEqualTo(new Share(
                        Optional.of(ThreadPercentage.parse("25%")),
                        Optional.of(PinnedMemoryLimit.parse("16GiB")),
                        Optional.of(ClientPriority.parse("below-normal"))));
        assertThat(mps.multiUser()).isTrue();
        assertThat(mps.exclusiveProcess()).isTrue();
        assertThat(layout.gpus().get(2).mig()).contains(List.of());
        assertThat(layout.gpus().get(3).keep()).isTrue();
        assertThat(layout.groups()).extracting(MpsGroupEntry::name).containsExactly("pair");
        assertThat(layout.groups().getFirst().gpus()).containsExactly(4, 5);
    }

    @Test
    void tellsAllMistakesAtOnceWithLineAndColumn() {
        assertThat(problems("""
                version: 1
                gpus:
                  - match: {index: 0}
                    migmode: on
                    mig:
                      - {profil: 3g.71gb}
                      - {profile: 1g.18gb, count: many}
                  - match: {index: 0, model: x}
                    keep: yes
                  - mig: [1g]
                  - match: {index: 3}
                mps-groups:
                  - {name: gpu-x, gpus: [1, 1]}
                """))
                .containsExactly(
                        "node.yaml:4:5: there is no key \"migmode\" in gpus[0]; did you mean mig-mode?",
                        "node.yaml:6:9: gpus[0].mig[0] has no profile; write one, such as {profile: 3g.71gb, start: 4}",
                        "node.yaml:6:10: there is no key \"profil\" in gpus[0].mig[0]; did you mean profile?",
                        "node.yaml:7:35: gpus[0].mig[1].count: \"many\" is no whole number from 1 to 64; write one",
                        "node.yaml:8:5: gpus[1].match names GPUs in 2 ways; keep one of them",
                        "node.yaml:9:11: gpus[1].keep: \"yes\" is neither true nor false; write one of them",
                        "node.yaml:10:5: gpus[2] has no match; write one of {index: 0}, {uuid: GPU-...}, {pci: \"3b:00.0\"}"
                                + " and {model: \"*H200*\"}",
                        "node.yaml:11:5: gpus[3] wants nothing of the GPU; write mig, mig-mode or mps, or keep: true",
                        "node.yaml:13:6: mps-groups[0].name is no group's name; use up to 32 lower-case letters, digits and"
                                + " hyphens, and do not begin with gpu- or mig-",
                        "node.yaml:13:19: mps-groups[0].gpus names a GPU twice; name each once");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            version: 1                                      | node.yaml:1:1: the file has no gpus; list what GPUs are to have, as in docs/layout.md
            version: 2                                      | node.yaml:1:10: version: there is no version "2"; write 1 for a layout of gpu-agent, v1 for a file of mig-parted
            gpus: []                                        | node.yaml:1:1: the file has no version; begin it with version: 1
            `{version: 1, gpus: 3}`                         | node.yaml:1:20: gpus is a single value where a list belongs; write a list, as "[...]" or with a line "- ..." for each item
            """)
    void saysWhatIsWrongWithAFileAsAWhole(String text, String problem) {
        assertThat(problems(text)).containsExactly(problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            mig-mode: maybe                                        | gpus[0].mig-mode: "maybe" is neither on nor off; write one of them
            mig-mode: off, mig: [1g]                               | gpus[0].mig-mode is off, and instances are wanted; turn it on, or remove the instances
            keep: true, mig: []                                    | gpus[0].keep leaves the GPU as it is, and more is said of it; remove keep, or the rest
            mig: [1g], mps: {threads: 25%}                         | gpus[0].mps is for the whole GPU, which has no devices of its own in MIG mode; write mps into the entries of mig
            mps: {threads: 250%}                                   | gpus[0].mps.threads: the thread percentage "250%" is out of range; write a number above 0 and at most 100, such as 25% or 12.5
            'mig: [{profile: 2g, compute: [1c, 1c], mps: {}}]'     | gpus[0].mig[0].mps is for one compute instance, and the GPU instance has 2; write mps into the entries of compute
            mig: [{profile: 1g, start: -1}]                        | gpus[0].mig[0].start: "-1" is no whole number from 0 to 63; write one
            mig: [[1g]]                                            | gpus[0].mig[0] is a list where one value belongs; write one value
            mig: [{profile: 1g, strat: 4}]                         | there is no key "strat" in gpus[0].mig[0]; did you mean start?
            threads: 25%                                           | there is no key "threads" in gpus[0]; did you mean mps.threads?
            """)
    void saysWhatIsWrongWithAnEntry(String entry, String problem) {
        assertThat(problems("{version: 1, gpus: [{match: {index: 0}, " + entry + "}]}"))
                .anySatisfy(found -> assertThat(found).contains(problem));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            index: x          | "x" is no whole number from 0 to 63
            uuid: MIG-12      | "MIG-12" is no UUID of a GPU
            pci: 3b           | "3b" is no PCI bus id
            model: ''         | the text is empty
            name: H200        | there is no key "name" in gpus[0].match; the keys here are index, uuid, pci, model
            """)
    void saysWhatIsWrongWithAMatch(String match, String problem) {
        assertThat(problems("{version: 1, gpus: [{match: {" + match + "}, mig: []}]}"))
                .anySatisfy(found -> assertThat(found).contains(problem));
    }

    // The form of mig-parted's own example (github.com/NVIDIA/mig-parted, examples/config.yaml).
    private static final String MIG_PARTED = """
            version: v1
            mig-configs:
              all-disabled:
                - devices: all
                  mig-enabled: false
              all-enabled:
                - devices: all
                  mig-enabled: true
                  mig-devices: {}
              all-balanced:
                - device-filter: ["0x233510DE", "0x20B210DE"]
                  devices: all
                  mig-enabled: true
                  mig-devices:
                    "1g.18gb": 2
                    "2g.35gb": 1
                    "3g.71gb": 1
              custom:
                - devices: [0, 1]
                  mig-enabled: false
                - devices: [4]
                  mig-enabled: true
                  mig-devices:
                    "1g.24gb.me.all": 1
                    "1c.3g.71gb": 4
            """;

    @Test
    void readsAConfigurationOfMigParted() throws Exception {
        Layout layout = LayoutText.read("parted.yaml", MIG_PARTED, Optional.of("all-balanced"));

        assertThat(layout.form()).isEqualTo(LayoutForm.MIG_PARTED);
        GpuEntry entry = layout.gpus().getFirst();
        assertThat(entry.match()).isEqualTo(new GpuMatch.Devices(Optional.empty(), List.of(0x233510DE, 0x20B210DE)));
        assertThat(entry.migMode()).contains(true);
        assertThat(entry.mig().orElseThrow())
                .extracting(instance -> instance.count() + " x " + instance.profile())
                .containsExactly("2 x 1g.18gb", "1 x 2g.35gb", "1 x 3g.71gb");
    }

    @Test
    void anEnabledGpuWithoutDevicesOfMigPartedIsAnEmptyOne() throws Exception {
        Layout layout = LayoutText.read("parted.yaml", MIG_PARTED, Optional.of("all-enabled"));

        assertThat(layout.gpus().getFirst().mig()).contains(List.of());
    }

    @Test
    void aDisabledGpuOfMigPartedSaysNothingOfInstances() throws Exception {
        Layout layout = LayoutText.read("parted.yaml", MIG_PARTED, Optional.of("all-disabled"));

        assertThat(layout.gpus().getFirst().migMode()).contains(false);
        assertThat(layout.gpus().getFirst().mig()).isEmpty();
    }

    @Test
    void computeDevicesOfMigPartedShareInstances() throws Exception {
        Layout layout = LayoutText.read("parted.yaml", MIG_PARTED, Optional.of("custom"));

        List<GpuInstanceEntry> instances = layout.gpus().get(1).mig().orElseThrow();
        assertThat(instances)
                .extracting(GpuInstanceEntry::profile)
                .containsExactly("1g.24gb.me.all", "3g.71gb", "3g.71gb");
        assertThat(instances.get(1).compute().orElseThrow())
                .extracting(ComputeInstanceEntry::profile)
                .containsExactly("1c.3g.71gb", "1c.3g.71gb", "1c.3g.71gb");
        assertThat(instances.get(2).compute().orElseThrow()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            -         | parted.yaml:2:1: mig-configs has 4 configurations, and none was chosen; add --config with one of all-disabled, all-enabled, all-balanced, custom
            all-ballanced | parted.yaml:2:1: mig-configs has no configuration "all-ballanced"; did you mean all-balanced?
            """)
    void namesTheConfigurationsOfMigParted(String config, String problem) {
        LayoutException refused = catchThrowableOfType(
                LayoutException.class, () -> LayoutText.read("parted.yaml", MIG_PARTED, Optional.ofNullable(config)));

        assertThat(refused.problems()).extracting(Problem::toString).containsExactly(problem);
    }

    @Test
    void saysEverythingThatIsWrongWithAConfigurationOfMigParted() {
        LayoutException refused = catchThrowableOfType(
                LayoutException.class, () -> LayoutText.read("parted.yaml", """
                        version: v1
                        mig-configs:
                          bad:
                            - device-filter: "0x2335"
                              devices: some
                              mig-enabled: false
                              mig-devices: {"1g.18gb": 2}
                            - mig-enable: true
                        """, Optional.of("bad")));

        assertThat(refused.problems())
                .extracting(Problem::toString)
                .containsExactly(
                        "parted.yaml:4:22: mig-configs.bad[0].device-filter: \"0x2335\" is no PCI device id; write device and"
                                + " vendor, such as \"0x233510DE\"",
                        "parted.yaml:5:16: mig-configs.bad[0].devices: \"some\" is not all; write all, or a list of indices",
                        "parted.yaml:6:7: mig-configs.bad[0].mig-enabled is false, and mig-devices are wanted; make it true,"
                                + " or remove them",
                        "parted.yaml:8:7: mig-configs.bad[1] names no devices; write devices: all, or a list of indices",
                        "parted.yaml:8:7: mig-configs.bad[1] does not say mig-enabled; write mig-enabled: true or false",
                        "parted.yaml:8:7: there is no key \"mig-enable\" in mig-configs.bad[1]; did you mean mig-enabled?");
    }

    private static Layout read(String text) throws LayoutException {
        return LayoutText.read("node.yaml", text, Optional.empty());
    }

    private static List<String> problems(String text) {
        LayoutException refused = catchThrowableOfType(LayoutException.class, () -> read(text));
        return refused.problems().stream().map(Problem::toString).toList();
    }
}
