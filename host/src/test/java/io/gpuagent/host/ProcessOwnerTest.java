// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.model.mps.ProcessOwnerView;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The forms are those of public documentation, named beside each; ids are made up. */
class ProcessOwnerTest {
    private static final String ID = "3f1c0b7a5e9d2468ace013579bdf02468ace013579bdf02468ace013579bdf02";
    private static final String OUTER = "00aa11bb22cc33dd44ee55ff66007711882299aa33bb44cc55dd66ee77ff8800";
    private static final String UID = "2d5133c0-65f3-40b2-b375-c04866d418e1";

    @TempDir
    Path folder;

    private static ProcessOwnerView owner(String unit, String container, String pod) {
        return new ProcessOwnerView(
                Optional.ofNullable(unit), Optional.ofNullable(container), Optional.ofNullable(pod));
    }

    private static String filled(String line) {
        return line.replace("UID_", UID.replace('-', '_'))
                .replace("UID", UID)
                .replace("OUTER", OUTER)
                .replace("ID", ID);
    }

    /** systemd.slice(5), systemd.special(7), and "Control Group APIs and Delegation" of systemd's documentation. */
    @ParameterizedTest
    @CsvSource({
        "0::/system.slice/inference@3.service, inference@3.service",
        "0::/system.slice/system-inference.slice/inference@3.service, inference@3.service",
        "0::/system.slice/inference.service/workers/7, inference.service",
        "0::/user.slice/user-1000.slice/session-3.scope, session-3.scope",
        "0::/user.slice/user-1000.slice/user@1000.service/app.slice/train.service, train.service",
        "0::/user.slice/user-1000.slice/user@1000.service/app.slice/run-r1.scope, run-r1.scope",
        "0::/system.slice/system-gpu\\x2dagent\\x2dmps.slice/gpu-agent-mps@gpu-5c3d1a2b.service, gpu-agent-mps@gpu-5c3d1a2b.service",
        "0::/system.slice/_cpu.service, cpu.service",
        "0::/system.slice/gone.service (deleted), gone.service",
        "1:name=systemd:/system.slice/slurmd.service, slurmd.service"
    })
    void aServiceOrSessionOfSystemdIsAUnit(String line, String unit) {
        assertThat(ProcessOwner.parse(line + "\n")).isEqualTo(owner(unit, null, null));
    }

    /** Docker documentation, "Runtime metrics": both drivers, both versions of cgroups. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "0::/docker/ID",
                "0::/system.slice/docker-ID.scope",
                "12:memory:/docker/ID\n1:name=systemd:/docker/ID",
                "12:memory:/system.slice/docker-ID.scope\n1:name=systemd:/system.slice/docker-ID.scope"
            })
    void dockerPutsTheIdIntoAGroupOrAScope(String text) {
        assertThat(ProcessOwner.parse(filled(text))).isEqualTo(owner(null, ID, null));
    }

    /** Docker with version 1 beside an empty version 2: the second line only tells where dockerd's parent runs. */
    @Test
    void theUnitThatStartedAContainerIsNamedWhereSystemdSaysSo() {
        String text = "3:cpuset:/docker/ID\n1:name=systemd:/docker/ID\n0::/system.slice/containerd.service\n";

        assertThat(ProcessOwner.parse(filled(text))).isEqualTo(owner("containerd.service", ID, null));
    }

    /** containerd, docs/namespaces.md ({@code /NAMESPACE/ID}), and nerdctl with the systemd driver. */
    @ParameterizedTest
    @ValueSource(strings = {"0::/default/ID", "0::/system.slice/nerdctl-ID.scope", "0::/ecs/0123456789abcdef/ID"})
    void containerdNamesTheGroupByTheId(String line) {
        assertThat(ProcessOwner.parse(filled(line))).isEqualTo(owner(null, ID, null));
    }

    /** A container that a user named with ctr has no id that a person could look up. */
    @Test
    void aNameThatSomebodyMadeUpIsNoContainer() {
        assertThat(ProcessOwner.parse("0::/default/redis")).isEqualTo(ProcessOwnerView.UNKNOWN);
    }

    /** Podman documentation, podman-run(1): {@code --cgroups} and {@code --cgroup-manager}; {@code container} is its init's. */
    @ParameterizedTest
    @CsvSource({
        "0::/machine.slice/libpod-ID.scope, ",
        "0::/machine.slice/libpod-ID.scope/container, ",
        "0::/libpod_parent/libpod-ID, ",
        "0::/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-ID.scope/container, user@1000.service",
        "0::/system.slice/web.service/libpod-payload-ID, web.service"
    })
    void podmanPutsTheIdIntoAScope(String line, String unit) {
        assertThat(ProcessOwner.parse(filled(line))).isEqualTo(owner(unit, ID, null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0::/machine.slice/libpod-conmon-ID.scope",
                "0::/kubepods.slice/kubepods-podUID_.slice/crio-conmon-ID.scope"
            })
    void theProgramThatWatchesAContainerIsNotInIt(String line) {
        assertThat(ProcessOwner.parse(filled(line)).container()).isEmpty();
    }

    /**
     * Kubernetes documentation, "About cgroup v2" and "Configuring a cgroup driver"; the names of pod groups are kubelet's
     * of both drivers, those of containers containerd's, CRI-O's and cri-dockerd's. The last but one is containerd that
     * was not told {@code SystemdCgroup = true} (runc, docs/systemd.md: {@code [slice]:[prefix]:[name]}).
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "0::/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-podUID_.slice/cri-containerd-ID.scope",
                "0::/kubepods.slice/kubepods-podUID_.slice/crio-ID.scope",
                "0::/kubepods.slice/kubepods-podUID_.slice/crio-ID.scope/container",
                "0::/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-podUID_.slice/docker-ID.scope",
                "0::/kubepods/burstable/podUID/ID",
                "11:devices:/kubepods/podUID/ID\n1:name=systemd:/kubepods/podUID/ID",
                "0::/../../kubepods-burstable-podUID_.slice/cri-containerd-ID.scope",
                "0::/kubepods-besteffort-podUID_.slice:cri-containerd:ID",
                "0::/docker/OUTER/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-podUID_.slice/cri-containerd-ID.scope"
            })
    void aContainerOfKubernetesHasAPod(String text) {
        assertThat(ProcessOwner.parse(filled(text))).isEqualTo(owner(null, ID, UID));
    }

    /** Kubernetes documentation, "Create static Pods": kubelet takes a hash of the file for the uid. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "0::/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod99dcb84d2a34f7e338778606703258c4.slice",
                "0::/kubepods/burstable/pod99dcb84d2a34f7e338778606703258c4"
            })
    void aStaticPodHasAHashForItsUid(String group) {
        assertThat(ProcessOwner.parse(filled(group + "/cri-containerd-ID.scope")))
                .isEqualTo(owner(null, ID, "99dcb84d2a34f7e338778606703258c4"));
    }

    @Test
    void containerdInsideItsOwnUnitKeepsUnitContainerAndPod() {
        String line = "0::/system.slice/containerd.service/kubepods-podUID_.slice:cri-containerd:ID";

        assertThat(ProcessOwner.parse(filled(line))).isEqualTo(owner("containerd.service", ID, UID));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0::/",
                "nonsense",
                "0::",
                "0::/..",
                "a:b",
                "::",
                "\u0000\u0001::/\n\n:::/x",
                "0::/podnothing/3f1c",
                // 63 digits, and 64 with a capital.
                "0::/docker/3f1c0b7a5e9d2468ace013579bdf02468ace013579bdf02468ace013579bdf0",
                "0::/docker/3F1C0b7a5e9d2468ace013579bdf02468ace013579bdf02468ace013579bdf02"
            })
    void whatTellsNothingIsUnknown(String text) {
        assertThat(ProcessOwner.parse(text)).isEqualTo(ProcessOwnerView.UNKNOWN);
    }

    @Test
    void readsTheFileOfAProcess() throws IOException {
        HostView host = TestHost.root(folder);
        TestHost.write(host, "/proc/42/cgroup", filled("0::/system.slice/docker-ID.scope\n"));

        assertThat(ProcessOwner.of(host, 42)).isEqualTo(owner(null, ID, null));
        assertThat(ProcessOwner.of(host, 43)).isEqualTo(ProcessOwnerView.UNKNOWN);
    }
}
