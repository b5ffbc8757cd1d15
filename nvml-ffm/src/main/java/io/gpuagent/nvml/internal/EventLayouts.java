// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.internal;

import static io.gpuagent.nvml.internal.Layouts.pointer;
import static io.gpuagent.nvml.internal.Layouts.struct;
import static io.gpuagent.nvml.internal.Layouts.u32;
import static io.gpuagent.nvml.internal.Layouts.u64;

import java.lang.foreign.StructLayout;

/** Structs of events. */
public final class EventLayouts {
    public static final StructLayout nvmlEventData_t = struct(
            "nvmlEventData_t",
            pointer("device"),
            u64("eventType"),
            u64("eventData"),
            u32("gpuInstanceId"),
            u32("computeInstanceId"));

    public static final StructLayout nvmlSystemEventSetCreateRequest_v1_t =
            struct("nvmlSystemEventSetCreateRequest_v1_t", u32("version"), pointer("set"));

    public static final StructLayout nvmlSystemEventSetFreeRequest_v1_t =
            struct("nvmlSystemEventSetFreeRequest_v1_t", u32("version"), pointer("set"));

    public static final StructLayout nvmlSystemRegisterEventRequest_v1_t =
            struct("nvmlSystemRegisterEventRequest_v1_t", u32("version"), u64("eventTypes"), pointer("set"));

    public static final StructLayout nvmlSystemEventSetWaitRequest_v1_t = struct(
            "nvmlSystemEventSetWaitRequest_v1_t",
            u32("version"),
            u32("timeoutms"),
            pointer("set"),
            pointer("data"),
            u32("dataSize"),
            u32("numEvent"));

    public static final StructLayout nvmlSystemEventData_v1_t =
            struct("nvmlSystemEventData_v1_t", u64("eventType"), u32("gpuId"));

    private EventLayouts() {}
}
