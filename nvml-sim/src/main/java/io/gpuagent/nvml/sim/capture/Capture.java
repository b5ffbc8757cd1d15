// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim.capture;

import io.gpuagent.nvml.SymbolSource;
import io.gpuagent.nvml.sim.Abi;
import io.gpuagent.nvml.sim.CFunction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.LongSupplier;

/**
 * Asks an NVML everything on the list and keeps what it answers. Nothing is changed. Each GPU is asked on a thread of its
 * own; one whose call does not return is left alone from then on, and so is NVML: it is not shut down under a call.
 */
public final class Capture {
    private static final int SUCCESS = 0;

    private final NativeFunctions functions;
    private final Deadlines deadlines;
    private final Identifiers identifiers;
    private final KnownHandles handles = new KnownHandles();
    private final CaptureDocument document;
    private final Map<String, CaptureThread> threads = new LinkedHashMap<>();

    private Capture(SymbolSource symbols, LongSupplier nanos, boolean keepsIdentifiers, Deadlines deadlines) {
        this.functions = new NativeFunctions(symbols, nanos);
        this.deadlines = deadlines;
        this.identifiers = new Identifiers(keepsIdentifiers);
        this.document = new CaptureDocument(!keepsIdentifiers);
    }

    /**
     * How long a call may take before it counts as hung.
     *
     * @param call a question with its repetitions
     * @param attach initialising the library, and the first call for a GPU
     */
    public record Deadlines(Duration call, Duration attach) {
        /** On a loaded machine, a driver without persistence mode takes many seconds to attach a GPU. */
        public static final Deadlines DEFAULT = new Deadlines(Duration.ofSeconds(10), Duration.ofSeconds(60));
    }

    /**
     * Takes a capture.
     *
     * @param symbols the library, or a simulation of it
     * @param nanos a monotonic clock in nanoseconds
     * @param keepsIdentifiers whether UUIDs, serial numbers and process ids are told as they are
     * @param deadlines how long calls may take
     * @return all that was answered
     * @throws InterruptedException when the waiting thread is interrupted
     */
    public static CaptureDocument take(
            SymbolSource symbols, LongSupplier nanos, boolean keepsIdentifiers, Deadlines deadlines)
            throws InterruptedException {
        Capture capture = new Capture(symbols, nanos, keepsIdentifiers, deadlines);
        try {
            capture.run();
        } finally {
            capture.threads.values().forEach(CaptureThread::close);
        }
        return capture.document;
    }

    private void run() throws InterruptedException {
        Abi.get().functions().keySet().stream()
                .filter(name -> !functions.has(name))
                .sorted()
                .forEach(document::addMissing);
        CapturedObject node = new CapturedObject(CapturedObject.NODE, CapturedObject.Kind.NODE, 0);
        document.add(node);
        if (!initialise(node)) {
            return;
        }
        askAll(node, new Questions(List.of(), identifiers));
        List<CapturedObject> gpus = attach(node);
        for (CapturedObject gpu : gpus) {
            if (gpu.handle() != 0) {
                Questions questions = new Questions(
                        gpus.stream().filter(other -> other.handle() != 0).toList(), identifiers);
                askAll(gpu, questions);
                askFields(gpu);
                askInstances(questions);
            }
        }
        if (threads.values().stream().noneMatch(CaptureThread::isHung)) {
            thread(node).run(() -> functions.call(function("nvmlShutdown"), new Object[0]), deadlines.attach());
        }
    }

    private boolean initialise(CapturedObject node) throws InterruptedException {
        CFunction function = function(functions.has("nvmlInit_v2") ? "nvmlInit_v2" : "nvmlInit");
        Optional<NativeFunctions.Returned> returned =
                thread(node).run(() -> functions.call(function, new Object[0]), deadlines.attach());
        // Under one name, whichever the library has: a replay looks there.
        document.add(
                node,
                function("nvmlInit_v2"),
                returned.map(call -> CapturedCall.once(Map.of(), call, Map.of()))
                        .orElseGet(() -> CapturedCall.hung(Map.of())));
        return returned.isPresent() && returned.get().code() == SUCCESS;
    }

    /** All GPUs; one without a handle could not be attached. */
    private List<CapturedObject> attach(CapturedObject node) throws InterruptedException {
        String byIndex = functions.has("nvmlDeviceGetHandleByIndex_v2")
                ? "nvmlDeviceGetHandleByIndex_v2"
                : "nvmlDeviceGetHandleByIndex";
        List<CapturedObject> gpus = new ArrayList<>();
        for (int i = 0; i < document.gpuCount(); i++) {
            CapturedObject gpu = new CapturedObject("gpu" + i, CapturedObject.Kind.GPU, 0);
            document.add(gpu);
            Map<String, Object> asked = Map.of("index", (long) i);
            Question question = new Question(
                    CaptureEntry.parse(byIndex + " index=" + i), node, Map.of("index", (long) i), Map.of(), Map.of());
            CallFrame frame = new CallFrame(question, 0);
            Optional<NativeFunctions.Returned> returned =
                    thread(gpu).run(() -> functions.call(question.function(), frame.arguments()), deadlines.attach());
            boolean isAttached = returned.isPresent() && returned.get().code() == SUCCESS;
            Map<String, Object> out = isAttached ? Map.of("device", gpu.name()) : Map.of();
            document.add(
                    node,
                    question.function(),
                    returned.map(call -> CapturedCall.once(asked, call, out))
                            .orElseGet(() -> CapturedCall.hung(asked)));
            if (isAttached) {
                gpu = new CapturedObject(gpu.name(), gpu.kind(), frame.handle("device"));
                handles.add(gpu);
            }
            gpus.add(gpu);
        }
        return gpus;
    }

    /** Instances give handles of further ones. */
    private void askInstances(Questions questions) throws InterruptedException {
        for (List<CapturedObject> met = handles.takeUnasked(); !met.isEmpty(); met = handles.takeUnasked()) {
            for (CapturedObject instance : met) {
                document.add(instance);
                askAll(instance, questions);
            }
        }
    }

    private void askAll(CapturedObject object, Questions questions) throws InterruptedException {
        for (CaptureEntry entry : CaptureList.get().of(object.kind())) {
            if (!functions.has(entry.function().name())) {
                continue;
            }
            for (Question question : questions.of(entry, object)) {
                if (thread(object).isHung()) {
                    return;
                }
                CapturedCall answer = ask(question);
                if (succeeded(answer)) {
                    questions.note(entry.function().name(), answer.out());
                }
            }
        }
    }

    private CapturedCall ask(Question question) throws InterruptedException {
        RepeatedCall call = new RepeatedCall(question, functions);
        Optional<RepeatedCall.Timed> timed = thread(question.object()).run(call::make, deadlines.call());
        Map<String, Object> asked = question.told(handles, identifiers);
        CapturedCall answer = timed.isEmpty() ? CapturedCall.hung(asked) : told(asked, timed.get());
        document.add(question.object(), question.function(), answer);
        return answer;
    }

    private CapturedCall told(Map<String, Object> asked, RepeatedCall.Timed timed) {
        StructReader reader = new StructReader(Abi.get().structs(), identifiers, handles);
        Map<String, Object> out = timed.code() == SUCCESS ? timed.frame().read(reader, handles, identifiers) : Map.of();
        return new CapturedCall(asked, OptionalInt.of(timed.code()), out, timed.firstMicros(), timed.micros());
    }

    private void askFields(CapturedObject gpu) throws InterruptedException {
        CFunction function = function("nvmlDeviceGetFieldValues");
        if (!functions.has(function.name())) {
            return;
        }
        FieldCalls calls = new FieldCalls(function, gpu, functions);
        for (FieldCalls.Field field : calls.plan()) {
            if (thread(gpu).isHung()) {
                return;
            }
            Optional<FieldCalls.Answer> answer = thread(gpu).run(() -> calls.ask(field), deadlines.call());
            if (answer.isEmpty()) {
                document.add(gpu, function, CapturedCall.hung(Map.of()));
            } else if (answer.get().code() != SUCCESS) {
                // The batch itself was refused; so would be all others.
                document.add(
                        gpu,
                        function,
                        new CapturedCall(Map.of(), OptionalInt.of(answer.get().code()), Map.of(), 0, 0));
                return;
            } else {
                answer.get().field().ifPresent(captured -> document.add(gpu, captured));
            }
        }
    }

    private static boolean succeeded(CapturedCall answer) {
        return answer.code().isPresent() && answer.code().getAsInt() == SUCCESS;
    }

    private static CFunction function(String name) {
        return Objects.requireNonNull(Abi.get().functions().get(name));
    }

    private CaptureThread thread(CapturedObject object) {
        int slash = object.name().indexOf('/');
        String owner = slash < 0 ? object.name() : object.name().substring(0, slash);
        return threads.computeIfAbsent(owner, CaptureThread::new);
    }
}
