// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.fold;

import io.gpuagent.model.health.HealthSource;
import io.gpuagent.model.health.SourceStatus;
import java.util.OptionalInt;

/** Something that was seen. */
public sealed interface Observation {
    /**
     * When.
     *
     * @return the moment
     */
    Moment at();

    /**
     * The agent has started, on this boot.
     *
     * @param at now
     * @param boot the boot's id
     */
    record Started(Moment at, String boot) implements Observation {}

    /**
     * A record of the kernel's log.
     *
     * @param at when it was written
     * @param boot the boot it belongs to
     * @param sequence its number within the boot; -1 where it has none, as in the journal
     * @param isFromKernel whether the kernel wrote it; what a program wrote changes nothing
     * @param source {@link HealthSource#KMSG} or {@link HealthSource#JOURNAL}
     * @param text the message
     */
    record KernelMessage(Moment at, String boot, long sequence, boolean isFromKernel, HealthSource source, String text)
            implements Observation {}

    /**
     * Records of the kernel's log were overwritten before they could be read.
     *
     * @param at now
     * @param records how many
     */
    record KernelLogLost(Moment at, long records) implements Observation {}

    /**
     * Something in the kernel's log was no record.
     *
     * @param at now
     */
    record KernelLogBroken(Moment at) implements Observation {}

    /**
     * A source has begun or ceased to speak.
     *
     * @param at now
     * @param name {@link Sources#KERNEL_LOG} or another of {@link Sources}
     * @param state how it is
     * @param detail one sentence; empty where all is well
     */
    record SourceChanged(Moment at, String name, SourceStatus.State state, String detail) implements Observation {}

    /**
     * An event that NVML delivered.
     *
     * @param at when it was taken
     * @param uuid the GPU; remembered from the registration, for a lost GPU cannot be asked any more
     * @param type the one bit of {@code nvmlEventType…}
     * @param data the Xid for {@code nvmlEventTypeXidCriticalError}, without meaning otherwise
     * @param gpuInstance the MIG GPU instance; empty for 0xFFFFFFFF
     * @param computeInstance the compute instance; empty for 0xFFFFFFFF
     */
    record NvmlEvent(Moment at, String uuid, long type, long data, OptionalInt gpuInstance, OptionalInt computeInstance)
            implements Observation {}

    /**
     * A GPU was read.
     *
     * @param at when
     * @param poll what it said
     */
    record GpuPolled(Moment at, GpuPoll poll) implements Observation {}

    /**
     * The node was looked at.
     *
     * @param at when
     * @param poll what there is
     */
    record NodePolled(Moment at, NodePoll poll) implements Observation {}

    /**
     * A GPU is known to have been reset, or its driver to have been loaded anew.
     *
     * @param at when
     * @param uuid the GPU
     * @param evidence how it is known
     */
    record ResetSeen(Moment at, String uuid, String evidence) implements Observation {}

    /**
     * A person answers for an incident.
     *
     * @param at when
     * @param incident its id
     * @param who the user's name
     * @param why the reason
     */
    record Acknowledged(Moment at, String incident, String who, String why) implements Observation {}

    /**
     * Time has passed; wanted every few seconds, so that bursts end and what has not been read for long is known to be.
     *
     * @param at now
     */
    record TimePassed(Moment at) implements Observation {}
}
