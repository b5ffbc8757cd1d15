// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.List;
import java.util.StringJoiner;

/** Gives the answers of a description, into whatever the C signature of the function says there is to write to. */
final class CannedAnswers {
    private CannedAnswers() {}

    /** For a behaviour that has more to say after what is always the same. */
    static void giveOrRefuse(Call call) {
        int code = call.machine().still(call);
        if (code != Code.SUCCESS) {
            throw new Refusal(code);
        }
    }

    static int give(Call call, CannedAnswer answer) {
        switch (answer.content()) {
            case CannedAnswer.Refused refused -> {
                return refused.code();
            }
            case CannedAnswer.Values values -> giveValues(call, values.values());
            case CannedAnswer.Items items -> giveItems(call, items.items());
            case CannedAnswer.Fields fields -> giveFields(call, fields);
            case CannedAnswer.Cases cases -> {
                return give(call, cases.cases().getOrDefault(inputs(call), cases.otherwise()));
            }
        }
        return Code.SUCCESS;
    }

    /** Which answer was really given, for its latency. */
    static double micros(Call call, CannedAnswer answer) {
        return answer.content() instanceof CannedAnswer.Cases cases
                ? cases.cases().getOrDefault(inputs(call), cases.otherwise()).micros()
                : answer.micros();
    }

    private static void giveValues(Call call, List<?> values) {
        List<CFunction.Parameter> outputs = outputs(call);
        if (outputs.size() < values.size()) {
            throw new IllegalStateException(call.function().name() + " cannot return " + values.size() + " values");
        }
        // All pointers are looked at before the first is written to: a refused call leaves nothing behind.
        for (CFunction.Parameter output : outputs) {
            if (call.isNull(output.index())) {
                throw new Refusal(Code.INVALID_ARGUMENT);
            }
        }
        for (int i = 0; i < values.size(); i++) {
            CFunction.Parameter output = outputs.get(i);
            if (values.get(i) instanceof String text) {
                call.putText(output.index(), text);
            } else {
                call.putElement(output.index(), 0, (Long) values.get(i));
            }
        }
    }

    private static void giveItems(Call call, List<Long> items) {
        int count = outputs(call).getFirst().index();
        call.offer(count, items.size());
        for (int i = 0; i < items.size(); i++) {
            call.putElement(count + 1, i, items.get(i));
        }
    }

    private static void giveFields(Call call, CannedAnswer.Fields fields) {
        StructView struct = call.struct(outputs(call).getLast().index());
        fields.fields().forEach((name, value) -> {
            // A description may hold more than the version of the struct that the caller asks for.
            if (name.indexOf('[') >= 0 || name.indexOf('.') >= 0 || struct.has(name)) {
                struct.set(name, value);
            }
        });
    }

    private static List<CFunction.Parameter> outputs(Call call) {
        return call.function().parameters().stream()
                .filter(CFunction.Parameter::isOutput)
                .toList();
    }

    private static String inputs(Call call) {
        StringJoiner inputs = new StringJoiner(",");
        CFunction function = call.function();
        for (int i = 0; i < function.kinds().length(); i++) {
            if (function.kinds().charAt(i) == 'I' && !function.isBufferLength(i)) {
                inputs.add(Integer.toUnsignedString(call.integer(i)));
            }
        }
        return inputs.toString();
    }
}
