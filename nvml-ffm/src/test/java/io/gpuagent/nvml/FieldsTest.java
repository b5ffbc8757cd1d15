// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.nvml.internal.Calls;
import io.gpuagent.nvml.internal.Handle;
import io.gpuagent.nvml.internal.Layouts;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Field values, each with a type of its own (nvml.h: nvmlValueType_t). */
class FieldsTest {
    private static final long STRIDE = Layouts.nvmlFieldValue_t.byteSize();
    private static final NvmlFunction FUNCTION = NvmlFunction.nvmlDeviceGetFieldValues;

    /** Fields of a GPU whose library answers every batch like this. */
    private static Fields of(FakeLibrary.Body batch) {
        FakeLibrary library = new FakeLibrary().with(FUNCTION.name(), batch);
        return new Fields(new Handle(
                new Calls(library, CallObserver.NONE, () -> 0, Access.READ_ONLY), MemorySegment.ofAddress(0x1000), 0));
    }

    /** What is read of a field with this type, into whose union the writer puts something. */
    private static Answer<Number> answered(int type, Consumer<MemorySegment> writer) {
        Fields fields = of(arguments -> {
            MemorySegment field = FakeLibrary.memory(arguments[2], STRIDE);
            field.set(JAVA_INT, Layouts.offset(Layouts.nvmlFieldValue_t, "valueType"), type);
            writer.accept(field.asSlice(Layouts.offset(Layouts.nvmlFieldValue_t, "value")));
            return 0;
        });
        return fields.read(Fields.POWER_INSTANT).getFirst();
    }

    @Test
    void eachTypeIsReadFromItsOwnMemberOfTheUnion() {
        assertThat(answered(0, union -> union.set(JAVA_DOUBLE, 0, 1.5))).isEqualTo(new Answer.Value<>(1.5));
        assertThat(answered(1, union -> union.set(JAVA_INT, 0, 0xFFFF_FFFE)))
                .isEqualTo(new Answer.Value<>(4_294_967_294L));
        assertThat(answered(2, union -> union.set(JAVA_LONG, 0, 7))).isEqualTo(new Answer.Value<>(7L));
        assertThat(answered(3, union -> union.set(JAVA_LONG, 0, 8))).isEqualTo(new Answer.Value<>(8L));
        assertThat(answered(4, union -> union.set(JAVA_LONG, 0, -9))).isEqualTo(new Answer.Value<>(-9L));
        assertThat(answered(5, union -> union.set(JAVA_INT, 0, -8))).isEqualTo(new Answer.Value<>(-8));
        assertThat(answered(6, union -> union.set(JAVA_SHORT, 0, (short) 0xFFFE)))
                .isEqualTo(new Answer.Value<>(65_534));
    }

    @Test
    void allOnesIsNoUnsignedValue() {
        Answer<Number> unavailable = new Answer.Unavailable<>(FUNCTION);

        assertThat(answered(1, union -> union.set(JAVA_INT, 0, -1))).isEqualTo(unavailable);
        assertThat(answered(3, union -> union.set(JAVA_LONG, 0, -1))).isEqualTo(unavailable);
    }

    @Test
    void minusOneIsASignedValue() {
        assertThat(answered(5, union -> union.set(JAVA_INT, 0, -1))).isEqualTo(new Answer.Value<>(-1));
    }

    @Test
    void typeNewerThanTheHeaderCannotBeRead() {
        assertThat(answered(7, union -> union.set(JAVA_LONG, 0, 1))).isEqualTo(new Answer.Unavailable<>(FUNCTION));
    }

    @Test
    void aFieldThatIsRefusedDoesNotDisturbTheOthers() {
        Fields fields = of(arguments -> {
            for (int i = 0; i < arguments[1]; i++) {
                MemorySegment field = FakeLibrary.memory(arguments[2] + i * STRIDE, STRIDE);
                int id = field.get(JAVA_INT, 0);
                field.set(JAVA_INT, Layouts.offset(Layouts.nvmlFieldValue_t, "valueType"), 1);
                field.set(JAVA_INT, Layouts.offset(Layouts.nvmlFieldValue_t, "nvmlReturn"), id == 82 ? 3 : 0);
                field.set(JAVA_INT, Layouts.offset(Layouts.nvmlFieldValue_t, "value"), id * 10);
            }
            return 0;
        });

        assertThat(fields.read(186, 82, 230))
                .isEqualTo(List.of(
                        new Answer.Value<>(1860L),
                        new Answer.Refused<>(FUNCTION, NvmlReturn.NOT_SUPPORTED),
                        new Answer.Value<>(2300L)));
    }

    @Test
    void callThatIsRefusedRefusesAllFields() {
        Fields fields = of(arguments -> NvmlReturn.GPU_IS_LOST.code());

        assertThat(fields.read(186, 82))
                .hasSize(2)
                .containsOnly(new Answer.Refused<>(FUNCTION, NvmlReturn.GPU_IS_LOST));
    }

    @Test
    void fieldThatTheDriverLeavesUntouchedHasNoValue() {
        // nvml.h's zeros would read as the double 0.0: an H200 does so with NVSWITCH_CONNECTED_LINK_COUNT.
        Fields fields = of(arguments -> 0);

        assertThat(fields.read(147)).containsExactly(new Answer.Unavailable<>(FUNCTION));
    }

    @Test
    void scopeIsAskedForAndTimesAreTold() {
        Fields fields = of(arguments -> {
            for (int i = 0; i < arguments[1]; i++) {
                FakeSession.Struct field = FakeSession.struct(arguments[2] + i * STRIDE, Layouts.nvmlFieldValue_t);
                field.set("valueType", 3)
                        .set("value", 100L * field.getInt("fieldId") + field.getInt("scopeId"))
                        .set("timestamp", i == 0 ? 1_796_095_303_000_000L : 0)
                        .set("latencyUsec", i == 0 ? 12L : 0);
            }
            return 0;
        });
        FieldRequest linkFour = FieldRequest.of(FieldId.NVLINK_THROUGHPUT_DATA_TX, 4);
        FieldRequest allLinks = FieldRequest.of(FieldId.NVLINK_THROUGHPUT_DATA_TX, FieldRequest.ALL_LINKS);

        assertThat(fields.read(List.of(linkFour, allLinks)))
                .containsExactly(
                        new FieldValue(
                                linkFour,
                                new Answer.Value<>(13_804L),
                                OptionalLong.of(1_796_095_303_000_000L),
                                OptionalLong.of(12)),
                        new FieldValue(
                                allLinks, new Answer.Value<>(13_799L), OptionalLong.empty(), OptionalLong.empty()));
    }

    @Test
    void clearingIsAChangeWithACodePerField() {
        FakeLibrary.Body body = arguments -> {
            FakeSession.struct(arguments[2] + STRIDE, Layouts.nvmlFieldValue_t).set("nvmlReturn", 3);
            return 0;
        };
        List<FieldRequest> two = List.of(FieldRequest.of(FieldId.PCIE_COUNT_TX_BYTES), FieldRequest.of(FieldId.ENERGY));

        assertThat(new FakeSession(Access.CONTROL)
                        .with("nvmlDeviceClearFieldValues", body)
                        .gpu(0)
                        .fields()
                        .clear(two))
                .containsExactly(NvmlReturn.SUCCESS, NvmlReturn.NOT_SUPPORTED);
        assertThat(new FakeSession()
                        .with("nvmlDeviceClearFieldValues", body)
                        .gpu(0)
                        .fields()
                        .clear(two))
                .containsOnly(NvmlReturn.NO_PERMISSION);
    }
}
