// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.fold;

import io.gpuagent.model.health.ClearsOn;
import io.gpuagent.model.health.HealthAction;
import io.gpuagent.model.health.HealthSource;
import io.gpuagent.model.health.HealthState;

/** Events that NVML delivers; nvml.h, nvmlEventType…. The type is looked at before the data, which is 0 for all but Xids. */
final class NvmlEvents {
    private static final long XID = 0x8;
    private static final long GPU_UNAVAILABLE = 0x4000;
    private static final long XIDS = 100_000;

    private final XidRules xids;
    private final Effects effects;

    NvmlEvents(XidRules xids, Effects effects) {
        this.xids = xids;
        this.effects = effects;
    }

    void event(Draft node, Observation.NvmlEvent event) {
        node.source(Sources.NVML_EVENTS, source -> source.received(1));
        GpuDraft gpu = node.gpu(event.uuid());
        if (event.type() == XID && event.data() > 0 && event.data() < XIDS) {
            xids.event(gpu, (int) event.data(), event.gpuInstance(), event.computeInstance());
        } else if (event.type() == GPU_UNAVAILABLE) {
            // Raised for an Xid 79 and a fatal GSP timeout, which NVML does not deliver as Xids; a reading tells more.
            new Condition(
                            "gpu_unavailable",
                            "",
                            new Effect(HealthState.CRITICAL, HealthAction.NONE),
                            ClearsOn.QUIET,
                            HealthSource.NVML_EVENT,
                            "NVML says that the GPU is not available")
                    .once(gpu);
            effects.weigh(gpu);
        }
        // A new recovery action comes without its number: it is read, not taken from here.
    }
}
