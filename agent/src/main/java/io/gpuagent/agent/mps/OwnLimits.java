// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mps;

import io.gpuagent.agent.config.BadValueException;
import io.gpuagent.model.Share;
import io.gpuagent.model.mps.MpsDaemonView;
import io.gpuagent.mps.supervise.GpuUse;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Limits that a program sets itself in its environment. The driver takes what it is given there: one that is beyond the
 * card limits nothing, and a percentage below one pair of multiprocessors was never seen to work.
 *
 * @param gpus the devices
 */
public record OwnLimits(GpuUse gpus) {
    /**
     * Checks limits against the devices, as far as they are known.
     *
     * @param own the program's limits
     * @param devices UUIDs of the daemon's devices
     * @throws BadValueException for a limit that the device cannot keep
     */
    public void check(Share own, List<String> devices) throws BadValueException {
        for (String uuid : devices) {
            OptionalInt all =
                    gpus.device(uuid).map(GpuUse.Device::multiprocessors).orElse(OptionalInt.empty());
            if (all.isPresent()
                    && own.threads()
                            .filter(part -> part.multiprocessors(all.getAsInt()) == 0)
                            .isPresent()) {
                throw new BadValueException(
                        "a thread percentage of " + own.threads().get() + " is less than one pair of the "
                                + all.getAsInt() + " multiprocessors of " + uuid,
                        "ask for more");
            }
            OptionalLong memory =
                    gpus.device(uuid).map(GpuUse.Device::memoryBytes).orElse(OptionalLong.empty());
            if (memory.isPresent()
                    && own.memory()
                            .filter(limit -> limit.bytes() > memory.getAsLong())
                            .isPresent()) {
                throw new BadValueException(
                        "a memory limit of " + own.memory().get() + " is more than the device " + uuid + " has, "
                                + (memory.getAsLong() >> 20) + " MiB",
                        "ask for less, or leave it out");
            }
        }
    }

    /**
     * What to know of a program that starts now.
     *
     * @param own its limits
     * @param daemon the daemon that it is to join
     * @return one sentence each, without a full stop
     */
    public static List<String> notes(Share own, MpsDaemonView daemon) {
        List<String> notes = new ArrayList<>();
        if (daemon.pid().isEmpty()) {
            notes.add("the MPS daemon " + daemon.id()
                    + " does not run now: a program that starts before it does goes without MPS and has the whole GPU;"
                    + " start it first with gpu-agent mps start " + daemon.id());
        }
        Share allowed = daemon.wanted();
        own.threads()
                .flatMap(part -> allowed.threads().filter(most -> part.compareTo(most) > 0))
                .ifPresent(most -> notes.add("the daemon gives " + most
                        + " of the multiprocessors at most, so that the larger percentage has no effect"));
        own.memory()
                .flatMap(limit -> allowed.memory().filter(most -> limit.compareTo(most) > 0))
                .ifPresent(most -> notes.add(
                        "the daemon gives " + most + " of memory at most, so that the larger limit has no effect"));
        return List.copyOf(notes);
    }
}
