// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * What NVML answered as a number of one of its enums. Those are open: a driver may answer with a number that is newer
 * than the header, and it stays readable.
 *
 * @param code the number
 * @param known what it stands for; empty for one that nvml.h 13.0 does not have
 * @param <E> the enum
 */
public record Coded<E extends Enum<E>>(int code, Optional<E> known) {
    static <E extends Enum<E> & CEnum> Coded<E> of(int code, Class<E> type) {
        return new Coded<>(
                code,
                Stream.of(type.getEnumConstants())
                        .filter(constant -> constant.code() == code)
                        .findFirst());
    }

    @Override
    public String toString() {
        return known.map(Enum::name).orElseGet(() -> Integer.toUnsignedString(code));
    }
}
