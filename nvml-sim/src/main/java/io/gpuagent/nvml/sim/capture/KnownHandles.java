// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim.capture;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The objects whose handles have been met. Instances of MIG are met in answers, and asked in their turn. */
final class KnownHandles {
    private final Map<Long, CapturedObject> byHandle = new HashMap<>();
    private final Map<String, Integer> counts = new HashMap<>();
    private final List<CapturedObject> unasked = new ArrayList<>();

    synchronized void add(CapturedObject object) {
        byHandle.put(object.handle(), object);
    }

    /** The name of an object, where its handle is known. */
    synchronized Optional<String> name(long handle) {
        return Optional.ofNullable(byHandle.get(handle)).map(CapturedObject::name);
    }

    /**
     * The name of an object that an answer has given.
     *
     * @param handle its handle
     * @param type the C type of the handle
     * @param owner who gave it
     * @return its name, a new one where it was not known
     */
    synchronized String meet(long handle, String type, CapturedObject owner) {
        return byHandle.computeIfAbsent(handle, key -> {
                    CapturedObject.Kind kind = CapturedObject.Kind.ofHandle(type);
                    String prefix = owner.name() + "/" + kind.section();
                    int number = counts.merge(prefix, 1, Integer::sum) - 1;
                    CapturedObject met = new CapturedObject(prefix + number, kind, handle);
                    unasked.add(met);
                    return met;
                })
                .name();
    }

    /** The objects met since the last time. */
    synchronized List<CapturedObject> takeUnasked() {
        List<CapturedObject> taken = List.copyOf(unasked);
        unasked.clear();
        return taken;
    }
}
