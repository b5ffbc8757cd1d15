// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Something that happened on a GPU ({@code nvmlEventData_t}).
 *
 * @param gpu index of the GPU; empty where NVML named one that was not registered
 * @param bits NVML's bit of what happened
 * @param type what happened; empty for a bit that nvml.h 13.0 does not know
 * @param xid number of the Xid error; empty for other events, and where the driver does not know it (999)
 * @param gpuInstanceId the GPU instance that an Xid error belongs to; empty where it belongs to none, or to all
 * @param computeInstanceId the compute instance that it belongs to, likewise
 */
public record Event(
        OptionalInt gpu,
        long bits,
        Optional<EventType> type,
        OptionalLong xid,
        OptionalInt gpuInstanceId,
        OptionalInt computeInstanceId) {}
