// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.HashMap;
import java.util.Map;

/** What a simulated function does where an answer that is always the same would not do. */
@FunctionalInterface
interface Behaviour {
    /** Everything with a life of its own, by C name. */
    Map<String, Behaviour> ALL = all();

    /**
     * Answers.
     *
     * @param call the call
     * @throws Refusal for every code but SUCCESS
     */
    void answer(Call call);

    private static Map<String, Behaviour> all() {
        Map<String, Behaviour> behaviours = new HashMap<>();
        NodeBehaviours.addTo(behaviours);
        StateBehaviours.addTo(behaviours);
        SensorBehaviours.addTo(behaviours);
        ProcessBehaviours.addTo(behaviours);
        MigBehaviours.addTo(behaviours);
        ComputeInstanceBehaviours.addTo(behaviours);
        EventBehaviours.addTo(behaviours);
        SystemEventBehaviours.addTo(behaviours);
        SettingBehaviours.addTo(behaviours);
        ClockBehaviours.addTo(behaviours);
        CoolingBehaviours.addTo(behaviours);
        AccountingBehaviours.addTo(behaviours);
        DrainBehaviours.addTo(behaviours);
        GpmBehaviours.addTo(behaviours);
        SampleBehaviours.addTo(behaviours);
        Violations.addTo(behaviours);
        NvLinkBehaviours.addTo(behaviours);
        TopologyBehaviours.addTo(behaviours);
        behaviours.put("nvmlDeviceGetFieldValues", new FieldValues());
        return Map.copyOf(behaviours);
    }
}
