// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.mig;

import io.gpuagent.control.LastUse;
import io.gpuagent.mig.Claim;
import io.gpuagent.mig.Holder;
import io.gpuagent.mig.read.HostClaims;
import io.gpuagent.mig.read.MigDeviceFacts;
import io.gpuagent.model.GpuIdentity;
import java.util.ArrayList;
import java.util.List;

/**
 * What the host knows, and beside it what the agent has seen run on instances lately. A use of an instance that is gone
 * is passed over; one that was made since at the same place inherits it, and stays reserved a little longer.
 *
 * @param host the host
 * @param uses what ran lately
 */
record RecentUse(HostClaims host, List<LastUse> uses) implements HostClaims {
    RecentUse {
        uses = List.copyOf(uses);
    }

    @Override
    public HostClaims look(Sight sight) {
        return new RecentUse(host.look(sight), uses);
    }

    @Override
    public Holder holder(long pid) {
        return host.holder(pid);
    }

    @Override
    public boolean isMpsServer(long pid) {
        return host.isMpsServer(pid);
    }

    @Override
    public List<Claim> of(GpuIdentity gpu, int gpuInstance, List<MigDeviceFacts> devices) {
        List<Claim> claims = new ArrayList<>(host.of(gpu, gpuInstance, devices));
        for (LastUse use : uses) {
            if (use.gpuInstance() == gpuInstance) {
                claims.add(new Claim.RanLately(use.ago(), use.computeInstance()));
            }
        }
        return claims;
    }
}
