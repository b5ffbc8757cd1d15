// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.model.PinnedMemoryLimit;
import io.gpuagent.model.Share;
import io.gpuagent.mps.control.Answer;
import io.gpuagent.mps.control.ControlClient;
import io.gpuagent.mps.control.Limits;
import java.util.Optional;

/**
 * Reads and sets what a daemon and its servers allow, on all devices of the daemon.
 *
 * @param control the way to the daemon
 * @param devices how many it has
 */
record DaemonLimits(ControlClient control, int devices) {
    Answer<Share> defaults(Share wanted) {
        return read(control.defaults(), wanted)
                .then(share -> control.defaultPriority().map(share::withPriority));
    }

    /** A server's priority cannot be asked for. */
    Answer<Share> ofServer(long server, Share wanted) {
        return read(control.limits(server), wanted);
    }

    /** Of several devices, one that differs from what is wanted is told. */
    private Answer<Share> read(Limits limits, Share wanted) {
        Answer<Optional<PinnedMemoryLimit>> memory = new Answer.Value<>(wanted.memory());
        for (int device = 0; device < devices; device++) {
            int ordinal = device;
            memory = memory.then(known -> known.equals(wanted.memory())
                    ? limits.memory(ordinal).map(told -> exact(told, wanted.memory()))
                    : new Answer.Value<>(known));
        }
        Answer<Optional<PinnedMemoryLimit>> told = memory;
        return limits.threads()
                .then(threads -> told.map(limit -> new Share(Optional.of(threads), limit, Optional.empty())));
    }

    /** A daemon rounds what it tells, and what fits the limit that it was given is that one. */
    private static Optional<PinnedMemoryLimit> exact(
            Optional<PinnedMemoryLimit> told, Optional<PinnedMemoryLimit> wanted) {
        return told.equals(wanted.map(PinnedMemoryLimit::asToldByDaemon)) ? wanted : told;
    }

    /** Sets those parts that are there. */
    Answer<Share> setDefaults(Share share) {
        Answer<Share> done = set(control.defaults(), share);
        if (share.priority().isPresent()) {
            done = done.then(
                    _ -> control.setDefaultPriority(share.priority().get()).map(_ -> share));
        }
        return done;
    }

    Answer<Share> setServer(long server, Share share) {
        return set(control.limits(server), share);
    }

    private Answer<Share> set(Limits limits, Share share) {
        Answer<Share> done = new Answer.Value<>(share);
        if (share.threads().isPresent()) {
            done = done.then(_ -> limits.setThreads(share.threads().get()).map(_ -> share));
        }
        if (share.memory().isPresent()) {
            for (int device = 0; device < devices; device++) {
                int ordinal = device;
                done = done.then(
                        _ -> limits.setMemory(ordinal, share.memory().get()).map(_ -> share));
            }
        }
        return done;
    }
}
