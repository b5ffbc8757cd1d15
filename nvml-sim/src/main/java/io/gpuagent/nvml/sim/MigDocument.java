// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** MIG of one GPU as it is kept in a file. Used under the lock of the GPU. */
final class MigDocument {
    private final SimulatedMig mig;
    private final MigInstances instances;

    MigDocument(SimulatedMig mig) {
        this.mig = mig;
        this.instances = mig.instances();
    }

    Map<String, Object> saved() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("made", instances.made());
        members.put(
                "instances", instances.all().stream().map(MigGpuInstance::saved).toList());
        members.put("holders", mig.holders());
        List<Object> list = new ArrayList<>();
        mig.held()
                .forEach((holder, what) -> list.add(
                        switch (what) {
                            case MigGpuInstance instance -> List.of(holder, instance.id());
                            case MigComputeInstance compute ->
                                List.of(holder, compute.owner().id(), compute.id());
                            default -> List.of(holder);
                        }));
        members.put("held", list);
        return members;
    }

    /** Makes and destroys what another process has made and destroyed; handles of what is still there stay alive. */
    void restore(JsonTree saved) {
        instances.made(saved.integer("made"));
        destroyAllBut(numbers(saved));
        saved.objects("instances").forEach(this::restoreInstance);
        mig.holders(saved.integer("holders"));
        mig.held().clear();
        for (Object entry : saved.list("held")) {
            if (!(entry instanceof List<?> ids && ids.getFirst() instanceof Long holder)) {
                throw new IllegalArgumentException(saved.place() + ".held is not a list of lists of numbers");
            }
            mig.held().put(holder, held(ids));
        }
    }

    private static Set<Long> numbers(JsonTree saved) {
        Set<Long> numbers = new HashSet<>();
        for (JsonTree instance : saved.objects("instances")) {
            numbers.add(instance.integer("number"));
            instance.objects("computes").forEach(compute -> numbers.add(compute.integer("number")));
        }
        return numbers;
    }

    private void destroyAllBut(Set<Long> kept) {
        for (MigGpuInstance instance : List.copyOf(instances.all())) {
            for (MigComputeInstance compute : List.copyOf(instance.computes().values())) {
                if (!kept.contains(compute.number())) {
                    instances.remove(compute);
                }
            }
            if (!kept.contains(instance.number())) {
                instances.remove(instance);
            }
        }
    }

    private void restoreInstance(JsonTree saved) {
        int id = saved.smallInteger("id");
        MigGpuInstance instance = instances.find(id).orElseGet(() -> {
            MigProfile profile =
                    instances.card().byId(saved.smallInteger("profile")).orElseThrow(() -> unknownProfile(saved));
            return instances.add(saved.integer("number"), id, profile, place(saved));
        });
        instance.restoreCount(saved);
        for (JsonTree each : saved.objects("computes")) {
            @Nullable MigComputeInstance compute = instance.computes().get(each.smallInteger("id"));
            if (compute == null) {
                ComputeProfile profile =
                        instance.computeProfile(each.smallInteger("profile")).orElseThrow(() -> unknownProfile(each));
                compute =
                        instances.add(instance, each.integer("number"), each.smallInteger("id"), profile, place(each));
            }
            compute.percent(each.optionalInteger("percent"));
        }
    }

    private static Placement place(JsonTree saved) {
        return new Placement(saved.smallInteger("start"), saved.smallInteger("size"));
    }

    private static IllegalArgumentException unknownProfile(JsonTree saved) {
        return new IllegalArgumentException(
                saved.place() + ".profile " + saved.integer("profile") + " is none of this card");
    }

    private Object held(List<?> ids) {
        return switch (ids.size()) {
            case 1 -> mig.gpu();
            case 2 -> instances.byId(((Long) ids.get(1)).intValue());
            default -> instances.byId(((Long) ids.get(1)).intValue(), ((Long) ids.get(2)).intValue());
        };
    }
}
