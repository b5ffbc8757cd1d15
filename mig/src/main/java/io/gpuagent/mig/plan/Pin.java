// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import io.gpuagent.mig.GpuInstance;
import java.util.OptionalInt;

/**
 * A reason why a GPU instance must stay.
 *
 * @param instance the GPU instance
 * @param kind what kind of reason
 * @param computeInstance the compute instance it is about; empty where it is about all of the GPU instance
 * @param why in plain words, such as {@code process 4711 (python) runs on it}
 */
public record Pin(GpuInstance instance, PinKind kind, OptionalInt computeInstance, String why) {
    /**
     * Says it in one sentence.
     *
     * @return such as {@code GPU instance 11 (1g.18gb at 4) is busy: process 4711 (python) runs on it}
     */
    public String sentence() {
        String where = computeInstance.isPresent() && instance.computes().size() > 1
                ? "compute instance " + computeInstance.getAsInt() + " of "
                : "";
        return where + instance.label() + " is " + kind.word() + ": " + why;
    }
}
