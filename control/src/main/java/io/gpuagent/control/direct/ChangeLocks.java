// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.direct;

import io.gpuagent.control.ControlException;
import io.gpuagent.control.RefusalCode;
import io.gpuagent.host.HostException;
import io.gpuagent.host.HostView;
import io.gpuagent.host.OwnerLock;
import io.gpuagent.host.ProcessIdentity;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/**
 * At most one change at a time for each daemon and GPU, across all processes of this machine: a lock file for each below
 * one folder. The kernel drops a lock with its process, so a crash leaves nothing behind.
 */
final class ChangeLocks {
    private final Path folder;
    private final HostView host;

    /**
     * Locks below a folder.
     *
     * @param folder exists and is safe
     * @param host the machine
     */
    ChangeLocks(Path folder, HostView host) {
        this.folder = folder;
        this.host = host;
    }

    /** The locks of one change. */
    static final class Held implements AutoCloseable {
        private final List<OwnerLock> locks = new ArrayList<>();

        private Held() {}

        @Override
        public void close() {
            locks.forEach(OwnerLock::close);
        }
    }

    /**
     * Takes all or none; never waits.
     *
     * @param subjects names that are fit for files; sorted, so that two changes do not take each other's
     * @return held until closed
     * @throws ControlException {@code BUSY} where another change has one of them
     */
    Held take(SortedSet<String> subjects) throws ControlException {
        Held held = new Held();
        try {
            for (String subject : subjects) {
                held.locks.add(take(subject));
            }
            return held;
        } catch (ControlException e) {
            held.close();
            throw e;
        }
    }

    private OwnerLock take(String subject) throws ControlException {
        Path own = folder.resolve(subject);
        try {
            Files.createDirectory(
                    own, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        } catch (FileAlreadyExistsException earlierChange) {
            // The folder stays from one change to the next.
        } catch (IOException e) {
            throw new ControlException(
                    RefusalCode.NOT_RECORDED,
                    "the lock folder " + own + " cannot be made: " + e + "; make room, or correct the folder's owner",
                    e);
        }
        try {
            OwnerLock.Attempt attempt = OwnerLock.acquire(own, ProcessIdentity.self(host));
            if (attempt instanceof OwnerLock.Held(var lock)) {
                return lock;
            }
            Optional<Long> owner = attempt instanceof OwnerLock.Refused refused ? refused.ownerPid() : Optional.empty();
            throw new ControlException(
                    RefusalCode.BUSY,
                    "another change to " + subject + " is in flight"
                            + owner.map(pid -> " in process " + pid).orElse("") + "; wait for its end");
        } catch (HostException e) {
            throw new ControlException(RefusalCode.NOT_RECORDED, String.valueOf(e.getMessage()), e);
        }
    }
}
