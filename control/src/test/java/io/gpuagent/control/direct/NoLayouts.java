// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.direct;

import io.gpuagent.control.mig.MigLayouts;
import io.gpuagent.control.mig.MigMachine;
import io.gpuagent.mig.apply.Disk;
import io.gpuagent.mig.apply.Holders;
import io.gpuagent.mig.read.HostClaims;
import io.gpuagent.model.time.SystemClock;
import io.gpuagent.nvml.CallObserver;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/** For ports that are asked for nothing about MIG: a library without any function. */
public final class NoLayouts {
    /** The layouts of a machine without a driver. */
    public static final MigLayouts HERE = new MigLayouts(new MigMachine(
            new NvmlSessions(() -> symbol -> OptionalLong.empty(), CallObserver.NONE, System::nanoTime),
            Path.of("/nonexistent"),
            HostClaims.NONE,
            Holders.UNSEEN,
            () -> {
                throw new AssertionError("nothing about MIG is asked for");
            },
            Optional::empty,
            SystemClock.INSTANCE,
            Disk.REAL));

    private NoLayouts() {}
}
