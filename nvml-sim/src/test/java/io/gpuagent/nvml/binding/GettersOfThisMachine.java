// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.binding;

import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.CallObserver;
import io.gpuagent.nvml.Gpu;
import io.gpuagent.nvml.Nvml;
import io.gpuagent.nvml.NvmlLibrary;
import java.util.Map;
import java.util.Optional;

/**
 * A program, not a test: calls every getter of the binding once on this machine's own NVML, in a session that changes
 * nothing, and prints what each answered. docs/hardware/one-gpu.sh runs it where there is a GPU.
 */
final class GettersOfThisMachine {
    private static final int LONGEST = 160;

    private GettersOfThisMachine() {}

    public static void main(String[] arguments) throws NvmlLibrary.NotFound {
        NvmlLibrary library = NvmlLibrary.open(Optional.empty());
        Nvml nvml = Nvml.open(library, CallObserver.NONE, System::nanoTime).orThrow();
        Gpu gpu = nvml.gpu(0).orThrow();

        Map<String, Object> answers = Getters.callAll("gpu", gpu);
        answers.putAll(Getters.callAll("nvml", nvml));
        answers.forEach((getter, answer) -> System.out.println(getter + " = " + text(answer)));

        long values = answers.values().stream()
                .filter(answer -> answer instanceof Answer.Value<?>)
                .count();
        System.out.println(answers.size() + " getters: " + values + " values, " + (answers.size() - values)
                + " reasons why there is none; shut down: " + nvml.close());
    }

    private static String text(Object answer) {
        String text = String.valueOf(answer).replace('\n', ' ');
        return text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
    }
}
