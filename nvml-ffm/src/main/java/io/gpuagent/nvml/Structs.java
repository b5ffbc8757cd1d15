// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import io.gpuagent.nvml.internal.Calls;
import io.gpuagent.nvml.internal.Handle;
import io.gpuagent.nvml.internal.Layouts;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.StructLayout;
import java.util.function.Consumer;
import java.util.function.Function;

/** The ways in which getters ask that fill a struct. */
final class Structs {
    private Structs() {}

    /** {@code f(device, struct *)}, where the struct has no version. */
    static <T> Answer<T> plain(Handle device, NvmlFunction function, StructLayout layout, Function<Struct, T> reader) {
        return ask(device, function, layout, struct -> {}, reader);
    }

    /** {@code f(device, unsigned int selector, struct *)}, where the struct has no version. */
    static <T> Answer<T> plain(
            Handle device, NvmlFunction function, int selector, StructLayout layout, Function<Struct, T> reader) {
        Struct struct = new Struct(layout, Scratch.fresh().take(layout));
        int code = device.calls().call(function, device, selector, struct.memory());
        return Queries.answer(function, code, struct.memory(), memory -> new Answer.Value<>(reader.apply(struct)));
    }

    /** {@code f(device, struct *)}, where the struct has a version. */
    static <T> Answer<T> versioned(
            Handle device, NvmlFunction function, StructLayout layout, int version, Function<Struct, T> reader) {
        return versioned(device, function, layout, version, question -> {}, reader);
    }

    /** {@code f(device, struct *)}, where the struct has a version and members that say what is asked for. */
    static <T> Answer<T> versioned(
            Handle device,
            NvmlFunction function,
            StructLayout layout,
            int version,
            Consumer<Struct> question,
            Function<Struct, T> reader) {
        return ask(
                device,
                function,
                layout,
                struct -> {
                    struct.set("version", Layouts.version(layout, version));
                    question.accept(struct);
                },
                reader);
    }

    /** {@code f(device, struct *)}, where members say what is asked for, the version among them. */
    static <T> Answer<T> ask(
            Handle device,
            NvmlFunction function,
            StructLayout layout,
            Consumer<Struct> question,
            Function<Struct, T> reader) {
        Struct struct = new Struct(layout, Scratch.fresh().take(layout));
        question.accept(struct);
        int code = device.calls().call(function, device, struct.memory());
        return Queries.answer(function, code, struct.memory(), memory -> new Answer.Value<>(reader.apply(struct)));
    }

    /** {@code f(struct *)}, where the struct has no version. */
    static <T> Answer<T> plain(Calls calls, NvmlFunction function, StructLayout layout, Function<Struct, T> reader) {
        Struct struct = new Struct(layout, Scratch.fresh().take(layout));
        int code = calls.call(function, struct.memory());
        return Queries.answer(function, code, struct.memory(), memory -> new Answer.Value<>(reader.apply(struct)));
    }

    /** {@code f(struct *)}, where the struct has a version. */
    static <T> Answer<T> versioned(
            Calls calls, NvmlFunction function, StructLayout layout, int version, Function<Struct, T> reader) {
        Struct struct = versioned(Scratch.fresh(), layout, version);
        int code = calls.call(function, struct.memory());
        return Queries.answer(function, code, struct.memory(), memory -> new Answer.Value<>(reader.apply(struct)));
    }

    /** A struct with its version, for a call that takes more than it. */
    static Struct versioned(Scratch scratch, StructLayout layout, int version) {
        Struct struct = new Struct(layout, scratch.take(layout));
        struct.set("version", Layouts.version(layout, version));
        return struct;
    }
}
