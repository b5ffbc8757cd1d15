// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import java.util.OptionalLong;

/**
 * The answer to a request for a field ({@code nvmlFieldValue_t}).
 *
 * @param request what was asked for
 * @param value its value, in the unit of the field
 * @param timestamp when the driver read it, microseconds since 1970; empty where it does not tell
 * @param latency how long that took, microseconds, averaged over the fields that it read together; empty where it does
 *     not tell
 */
public record FieldValue(FieldRequest request, Answer<Number> value, OptionalLong timestamp, OptionalLong latency) {}
