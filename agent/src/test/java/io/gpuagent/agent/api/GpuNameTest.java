// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.gpuagent.agent.config.BadValueException;
import io.gpuagent.model.GpuIdentity;
import io.gpuagent.model.PciAddress;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GpuNameTest {
    private record Gpu(GpuIdentity identity, Optional<PciAddress> pci) {}

    private static final List<Gpu> GPUS = List.of(
            gpu(0, "GPU-5c3d0000-0000-0000-0000-000000000001", new PciAddress(0, 0x3b, 0)),
            gpu(1, "GPU-5c3e0000-0000-0000-0000-000000000002", new PciAddress(0, 0x86, 0)),
            gpu(2, "GPU-0f0f0000-0000-0000-0000-000000000003", new PciAddress(1, 0x86, 0)),
            new Gpu(new GpuIdentity(3, "GPU-1f0f0000-0000-0000-0000-000000000004"), Optional.empty()));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "00",
                "GPU-5c3d0000-0000-0000-0000-000000000001",
                "gpu-5C3D",
                "GPU-5c3d",
                "00000000:3B:00.0",
                "0000:3b:00.0",
                "0:3b:0.0",
                "3b:00.0",
                "3b:00"
            })
    void aGpuHasManyNames(String name) throws BadValueException {
        assertThat(resolve(name).identity().index()).isZero();
    }

    @Test
    void theDomainTellsTwoGpusApart() throws BadValueException {
        assertThat(resolve("0001:86:00.0").identity().index()).isEqualTo(2);
        assertThat(resolve("0000:86:00.0").identity().index()).isEqualTo(1);
        assertThat(sentence("86:00.0"))
                .isEqualTo("\"86:00.0\" names 2 GPUs: 1 (GPU-5c3e0000-0000-0000-0000-000000000002), 2"
                        + " (GPU-0f0f0000-0000-0000-0000-000000000003); write more of the name");
    }

    @Test
    void aBeginningMustBeOfOneGpuOnly() {
        assertThat(sentence("GPU-5c3"))
                .startsWith("\"GPU-5c3\" names 2 GPUs: 0 (")
                .endsWith("; write more of the name");
        assertThat(sentence("GPU-")).startsWith("\"GPU-\" names 4 GPUs: ");
    }

    @Test
    void anUnknownNameIsAnsweredWithTheKnownOnes() throws BadValueException {
        assertThat(sentence("7"))
                .startsWith("there is no GPU \"7\"; this node has 0 (GPU-5c3d0000-0000-0000-0000-000000000001), 1 (");
        GpuName name = GpuName.parse("0");
        assertThat(catchThrowableOfType(
                                BadValueException.class, () -> name.resolve(List.<Gpu>of(), Gpu::identity, Gpu::pci))
                        .right())
                .isEqualTo("this node has none");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", " ", "-1", "1.5", "99999", "0x0", "all", "GPU_1", "GPU-xyz", "3b:20.0", "3b:00.1", "3b", "3b:",
                ":::", "*", "\u0661"
            })
    void whatCanNameNoGpuIsRefused(String name) {
        assertThatThrownBy(() -> GpuName.parse(name))
                .isInstanceOf(BadValueException.class)
                .hasMessage("\"" + name + "\" names no GPU");
    }

    @Test
    void aMigInstanceIsNoGpu() {
        assertThatThrownBy(() -> GpuName.parse("MIG-5c3d0000-0000-0000-0000-000000000001"))
                .hasMessageEndingWith(" names a MIG instance, not a GPU");
    }

    private static Gpu gpu(int index, String uuid, PciAddress pci) {
        return new Gpu(new GpuIdentity(index, uuid), Optional.of(pci));
    }

    private static Gpu resolve(String name) throws BadValueException {
        return GpuName.parse(name).resolve(GPUS, Gpu::identity, Gpu::pci);
    }

    private static String sentence(String name) {
        BadValueException e = catchThrowableOfType(BadValueException.class, () -> resolve(name));
        return e.what() + "; " + e.right();
    }
}
