// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Answers calls with what a capture recorded for the same question to the same object. */
final class Replay {
    private static final String FIELD_VALUES = "nvmlDeviceGetFieldValues";
    private static final String HANDLE_BY_INDEX = "nvmlDeviceGetHandleByIndex_v2";

    private final Recording recording;
    private final Map<String, Long> handleByObject = new HashMap<>();
    private final Map<Long, String> objectByHandle = new HashMap<>();

    /**
     * Prepares a replay.
     *
     * @param recording what was captured
     * @param gpus the GPUs, by index
     * @param gpuHandles theirs
     * @param handles where all other objects get one
     */
    Replay(Recording recording, List<SimulatedGpu> gpus, List<Long> gpuHandles, Handles handles) {
        this.recording = recording;
        for (int i = 0; i < gpuHandles.size(); i++) {
            // Several GPUs of one described card all answer as that card does.
            int recorded = Math.min(i, Math.max(recording.gpus() - 1, 0));
            objectByHandle.put(gpuHandles.get(i), Recording.gpu(recorded));
            handleByObject.putIfAbsent(Recording.gpu(i), gpuHandles.get(i));
        }
        for (String object : recording.objects().keySet()) {
            if (object.indexOf('/') > 0 && Recording.gpuOf(object) < gpus.size()) {
                long handle = handles.add(new ReplayedInstance(gpus.get(Recording.gpuOf(object)), object));
                handleByObject.put(object, handle);
                objectByHandle.put(handle, object);
            }
        }
    }

    /** Makes every call hang that hung when it was captured. */
    void hang(Faults node, List<SimulatedGpu> gpus) {
        recording
                .objects()
                .forEach((object, recorded) -> recorded.calls().forEach((function, calls) -> {
                    for (RecordedCall call : calls) {
                        if (!call.isHung()) {
                            continue;
                        }
                        if (!object.equals(Recording.NODE)) {
                            gpus.get(Recording.gpuOf(object)).faults().hang(function);
                        } else if (function.equals(HANDLE_BY_INDEX)
                                && call.in().get("index") instanceof Long index
                                && index >= 0
                                && index < gpus.size()) {
                            gpus.get(index.intValue()).faults().hang(function);
                        } else {
                            node.hang(function);
                        }
                    }
                }));
    }

    /** What initialising the library answered. */
    int initCode() {
        List<RecordedCall> calls = recording.object(Recording.NODE).calls().getOrDefault("nvmlInit_v2", List.of());
        return calls.isEmpty() ? Code.SUCCESS : calls.getFirst().code();
    }

    /**
     * Answers.
     *
     * @param call the call
     * @return its code; empty where the node itself was asked something that is not in the capture
     */
    OptionalInt answer(Call call) {
        String object = object(call);
        RecordedObject recorded = recording.object(object);
        String name = call.function().name();
        if (name.equals(FIELD_VALUES) && !recorded.fields().isEmpty()) {
            answerFields(call, recorded);
            return OptionalInt.of(Code.SUCCESS);
        }
        @Nullable List<RecordedCall> answers = recorded.calls().get(name);
        if (answers == null) {
            // A GPU says nothing that it did not say when it was captured.
            return object.equals(Recording.NODE) ? OptionalInt.empty() : OptionalInt.of(Code.NOT_SUPPORTED);
        }
        @Nullable RecordedCall answer = match(call, answers);
        if (answer == null) {
            return OptionalInt.of(Code.INVALID_ARGUMENT);
        }
        if (answer.code() == Code.SUCCESS) {
            new ReplayedOutput(call, answer.in(), handleByObject).write(answer.out());
        }
        return OptionalInt.of(answer.code());
    }

    /** How long the call took when it was captured, in microseconds. */
    double micros(Call call) {
        RecordedObject recorded = recording.object(object(call));
        if (call.function().name().equals(FIELD_VALUES)) {
            double sum = 0;
            for (int i = 0; i < call.integer(1); i++) {
                @Nullable FieldDescription field = recorded.fields().get(key(call.element(2, i)));
                sum += field == null ? 0 : field.micros();
            }
            return sum;
        }
        @Nullable
        RecordedCall answer =
                match(call, recorded.calls().getOrDefault(call.function().name(), List.of()));
        return answer == null ? 0 : answer.micros();
    }

    private String object(Call call) {
        return call.function().kinds().startsWith("P")
                ? objectByHandle.getOrDefault(call.value(0), Recording.NODE)
                : Recording.NODE;
    }

    private static long key(StructView field) {
        return RecordedObject.fieldKey(field.getInt("fieldId"), field.getInt("scopeId"));
    }

    private static void answerFields(Call call, RecordedObject recorded) {
        int count = call.integer(1);
        if (count < 1 || call.isNull(2)) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
        for (int i = 0; i < count; i++) {
            StructView out = call.element(2, i);
            @Nullable FieldDescription field = recorded.fields().get(key(out));
            if (field == null) {
                FieldValues.writeUnknown(out);
            } else {
                FieldValues.write(
                        out, field, field.value(), call.machine().clock().epochMicros());
            }
        }
    }

    private @Nullable RecordedCall match(Call call, List<RecordedCall> answers) {
        for (RecordedCall answer : answers) {
            if (answer.in().entrySet().stream().allMatch(asked -> asks(call, asked.getKey(), asked.getValue()))) {
                return answer;
            }
        }
        return null;
    }

    private boolean asks(Call call, String what, Object wanted) {
        int dot = what.indexOf('.');
        int index = call.function().index(dot < 0 ? what : what.substring(0, dot));
        if (dot >= 0) {
            return wanted.equals(call.struct(index).get(what.substring(dot + 1)));
        }
        return wanted instanceof String object
                ? wanted.equals(objectByHandle.get(call.value(index)))
                        || call.value(index) == handleByObject.getOrDefault(object, 0L)
                : wanted.equals(call.value(index));
    }
}
