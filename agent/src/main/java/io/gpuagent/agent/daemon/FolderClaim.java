// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import static java.lang.System.Logger.Level.WARNING;

import io.gpuagent.agent.config.AgentException;
import io.gpuagent.host.FolderOwnership;
import io.gpuagent.host.HostException;
import io.gpuagent.host.HostView;
import io.gpuagent.host.MachineId;
import io.gpuagent.host.OwnerLock;
import io.gpuagent.host.ProcessIdentity;
import io.gpuagent.host.RuntimeFolders;
import io.gpuagent.host.StateOrigin;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The folders of a running agent: made, checked, locked against a second agent, and marked with their origin. */
final class FolderClaim implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(FolderClaim.class.getName());

    private final List<OwnerLock> locks;

    private FolderClaim(List<OwnerLock> locks) {
        this.locks = locks;
    }

    static FolderClaim take(RuntimeFolders.Chosen folders, HostView host) throws AgentException {
        List<OwnerLock> locks = new ArrayList<>();
        try {
            new FolderOwnership(host).prepare(folders);
            // The same folder may be both.
            Set<Path> each = new LinkedHashSet<>(List.of(folders.runtime(), folders.state()));
            for (Path folder : each) {
                switch (OwnerLock.acquire(folder, ProcessIdentity.self(host))) {
                    case OwnerLock.Held held -> locks.add(held.lock());
                    case OwnerLock.Refused refused ->
                        throw new AgentException(AgentException.FAILED, refused.sentence());
                }
            }
            StateOrigin origin = new StateOrigin(
                    folders.simulated() ? StateOrigin.Source.SIMULATED : StateOrigin.Source.DRIVER,
                    MachineId.read(host));
            origin.claim(folders.state()).ifPresent(warning -> LOG.log(WARNING, "{0}", warning));
            return new FolderClaim(locks);
        } catch (HostException e) {
            release(locks);
            throw new AgentException(
                    e.denied() ? AgentException.NOT_ALLOWED : AgentException.FAILED, String.valueOf(e.getMessage()), e);
        } catch (AgentException e) {
            release(locks);
            throw e;
        }
    }

    @Override
    public void close() {
        release(locks);
    }

    private static void release(List<OwnerLock> locks) {
        List<OwnerLock> reversed = new ArrayList<>(locks);
        Collections.reverse(reversed);
        reversed.forEach(OwnerLock::close);
    }
}
