// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.watch;

import io.gpuagent.host.HostView;
import io.gpuagent.host.ProcessIdentity;
import io.gpuagent.host.ProcessOwner;
import io.gpuagent.model.mps.ProcessOwnerView;
import io.gpuagent.mps.supervise.ProcessOwners;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Whom processes belong to, remembered for each process and not for its pid, which another one may get. A process that is
 * moved to another group after it was first asked for keeps the old owner. Any thread may ask.
 */
public final class CachedOwners implements ProcessOwners {
    /** How many are remembered where nothing else was said: 20 GPUs with all client places taken, twice over. */
    public static final int MOST = 2048;

    private final HostView host;
    private final Map<ProcessIdentity, ProcessOwnerView> known;

    /**
     * Remembers nothing yet.
     *
     * @param host the machine
     * @param most how many owners are remembered, 1 or more; who was not asked for longest is forgotten first
     */
    public CachedOwners(HostView host, int most) {
        this.host = host;
        this.known = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<ProcessIdentity, ProcessOwnerView> eldest) {
                return size() > most;
            }
        };
    }

    @Override
    public ProcessOwnerView of(long pid) {
        Optional<ProcessIdentity> identity = ProcessIdentity.of(host, pid);
        if (identity.isEmpty()) {
            return ProcessOwnerView.UNKNOWN;
        }
        ProcessOwnerView owner;
        synchronized (known) {
            owner = known.get(identity.get());
        }
        if (owner != null) {
            return owner;
        }
        ProcessOwnerView read = ProcessOwner.of(host, pid);
        // Not where the pid went to another process while its group was read.
        if (identity.equals(ProcessIdentity.of(host, pid))) {
            synchronized (known) {
                known.put(identity.get(), read);
            }
        }
        return read;
    }

    int size() {
        synchronized (known) {
            return known.size();
        }
    }
}
