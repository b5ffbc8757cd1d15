// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.control;

import io.gpuagent.model.PinnedMemoryLimit;
import io.gpuagent.model.ThreadPercentage;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The limits that a daemon gives to servers it starts later, or that one server gives to clients which connect later. No
 * running client is ever changed. Those of a server are gone when it ends, and the defaults when the daemon ends.
 *
 * <p>Each setter reads back and answers the value in force; {@link Refusal#NOT_IN_FORCE} tells of another one.
 */
public final class Limits {
    private final Commands commands;
    private final int devices;
    private final String defaults;
    private final String server;

    Limits(Commands commands, int devices, OptionalLong server) {
        this.commands = commands;
        this.devices = devices;
        this.defaults = server.isPresent() ? "" : "default_";
        this.server = server.isPresent() ? " " + server.getAsLong() : "";
    }

    /**
     * The share of threads in force.
     *
     * @return rounded to a tenth of a percent
     */
    public Answer<ThreadPercentage> threads() {
        return commands.ask("get_" + defaults + "active_thread_percentage" + server, ThreadPercentage::fromDaemon);
    }

    /**
     * Sets the share of threads. The daemon refuses a value by echoing the one still in force.
     *
     * @param percentage the share
     * @return the share in force, which is the one asked for
     */
    public Answer<ThreadPercentage> setThreads(ThreadPercentage percentage) {
        String command = "set_" + defaults + "active_thread_percentage" + server + " " + percentage.commandForm();
        return commands.ask(command, ThreadPercentage::fromDaemon)
                .then(echo -> Commands.compare(command, echo, percentage));
    }

    /**
     * The limit of memory in force, as the daemon tells it: {@link PinnedMemoryLimit#asToldByDaemon}.
     *
     * @param ordinal the device, counted from 0 in the daemon's CUDA_VISIBLE_DEVICES
     * @return the limit; an empty value where none is set
     */
    public Answer<Optional<PinnedMemoryLimit>> memory(int ordinal) {
        String command = "get_" + defaults + "device_pinned_mem_limit" + server + " " + ordinal;
        return isDevice(ordinal)
                ? commands.ask(command, PinnedMemoryLimit::fromDaemon)
                : noSuchDevice(command, ordinal);
    }

    /**
     * Sets the limit of memory. By ordinal: limits by UUID are not applied on some drivers.
     *
     * @param ordinal the device, counted from 0 in the daemon's CUDA_VISIBLE_DEVICES; the daemon itself takes any number
     * @param limit the limit of each client process; {@link PinnedMemoryLimit#NONE} takes it off
     * @return the limit in force, which is the one asked for as far as the daemon tells it; empty where there is none
     */
    public Answer<Optional<PinnedMemoryLimit>> setMemory(int ordinal, PinnedMemoryLimit limit) {
        String command =
                "set_" + defaults + "device_pinned_mem_limit" + server + " " + ordinal + " " + limit.commandForm();
        Optional<PinnedMemoryLimit> wanted = Optional.of(limit).filter(one -> !one.isNone());
        return isDevice(ordinal)
                ? commands.verified(
                                command,
                                commands.ask(command, AnswerText::nothing),
                                () -> memory(ordinal),
                                wanted.map(PinnedMemoryLimit::asToldByDaemon))
                        .map(_ -> wanted)
                : noSuchDevice(command, ordinal);
    }

    private boolean isDevice(int ordinal) {
        return ordinal >= 0 && ordinal < devices;
    }

    private <T> Answer<T> noSuchDevice(String command, int ordinal) {
        return new Answer.Refused<>(
                command,
                Refusal.BAD_VALUE,
                "not sent: device " + ordinal + " is not one of this daemon's, which are 0 to " + (devices - 1));
    }
}
