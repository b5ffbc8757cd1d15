// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import io.gpuagent.mig.ComputeInstance;
import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.GpuProfile;
import io.gpuagent.mig.Placement;
import java.util.OptionalInt;

/** One change, which is one call of NVML. Each carries all that is needed to undo it. */
public sealed interface Step {
    /**
     * Says it in words.
     *
     * @return such as {@code create GPU instance 2g.35gb at 4}
     */
    String words();

    /**
     * Destroys a compute instance (nvmlComputeInstanceDestroy).
     *
     * @param of its GPU instance
     * @param compute the compute instance
     */
    record DestroyCompute(GpuInstance of, ComputeInstance compute) implements Step {
        @Override
        public String words() {
            String name = of.computes().size() > 1 ? " (" + compute.name() + ")" : "";
            return "destroy compute instance " + compute.id() + name + " of " + of.label();
        }
    }

    /**
     * Destroys a GPU instance that has no compute instance any more (nvmlGpuInstanceDestroy).
     *
     * @param instance the GPU instance, as it was before the plan
     */
    record DestroyGpuInstance(GpuInstance instance) implements Step {
        @Override
        public String words() {
            return "destroy " + instance.label();
        }
    }

    /**
     * Creates a GPU instance at its place (nvmlDeviceCreateGpuInstanceWithPlacement).
     *
     * @param profile its kind
     * @param placement its place
     */
    record CreateGpuInstance(GpuProfile profile, Placement placement) implements Step {
        @Override
        public String words() {
            return "create GPU instance " + profile.name() + " at " + placement.start();
        }
    }

    /**
     * Creates a compute instance (nvmlGpuInstanceCreateComputeInstanceWithPlacement, or without where it has no start).
     *
     * @param gpuInstance the id of its GPU instance; empty where a step before makes that, at the place given here
     * @param profile the kind of its GPU instance
     * @param placement the place of its GPU instance
     * @param compute the compute instance
     */
    record CreateCompute(OptionalInt gpuInstance, GpuProfile profile, Placement placement, WantedCompute compute)
            implements Step {
        @Override
        public String words() {
            String what = compute.full()
                    ? "the full compute instance"
                    : "compute instance " + compute.name()
                            + (compute.start().isPresent()
                                    ? " at " + compute.start().getAsInt()
                                    : "");
            String id = gpuInstance.isPresent() ? " " + gpuInstance.getAsInt() : "";
            return "create " + what + " of GPU instance" + id + " (" + profile.name() + " at " + placement.start()
                    + ")";
        }
    }
}
