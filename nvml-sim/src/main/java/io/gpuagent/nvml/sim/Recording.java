// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What a capture found on a node. Its objects are named {@code node}, {@code gpu0}, {@code gpu0/mig-device1},
 * {@code gpu0/gpu-instance1}, {@code gpu0/gpu-instance1/compute-instance0}: handles are recorded by these names.
 *
 * @param objects by name
 */
record Recording(Map<String, RecordedObject> objects) {
    static final String NODE = "node";
    private static final String GPU = "gpu";
    private static final Pattern NAME = Pattern.compile("node|gpu[0-9]{1,4}(/[a-z-]+[0-9]+)*");

    static Recording parse(JsonTree listed) {
        Map<String, RecordedObject> objects = new LinkedHashMap<>();
        for (String name : listed.members().keySet()) {
            if (!NAME.matcher(name).matches()) {
                throw new IllegalArgumentException(listed.place() + "." + name + " is not the name of an object");
            }
            objects.put(name, RecordedObject.parse(listed.object(name)));
        }
        Recording recording = new Recording(objects);
        for (String name : objects.keySet()) {
            if (!name.equals(NODE) && gpuOf(name) >= recording.gpus()) {
                throw new IllegalArgumentException(
                        listed.place() + "." + name + " is there, but not all GPUs up to that one are");
            }
        }
        return recording;
    }

    static String gpu(int index) {
        return GPU + index;
    }

    /** The index of the GPU that an object is, or is a part of. */
    static int gpuOf(String object) {
        int end = object.indexOf('/');
        return Integer.parseInt(object, GPU.length(), end < 0 ? object.length() : end, 10);
    }

    int gpus() {
        int count = 0;
        while (objects.containsKey(gpu(count))) {
            count++;
        }
        return count;
    }

    RecordedObject object(String name) {
        return objects.getOrDefault(name, RecordedObject.SILENT);
    }
}
