// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.mig;

import io.gpuagent.control.ControlException;
import io.gpuagent.control.RefusalCode;
import io.gpuagent.mig.apply.Disk;
import io.gpuagent.mig.apply.Holders;
import io.gpuagent.mig.apply.NvmlSource;
import io.gpuagent.mig.read.HostClaims;
import io.gpuagent.model.GpuIdentity;
import io.gpuagent.model.time.Clock;
import io.gpuagent.mps.supervise.ChangeRefused;
import io.gpuagent.mps.supervise.MpsSupervision;
import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.Gpu;
import io.gpuagent.nvml.Nvml;
import io.gpuagent.nvml.NvmlReturn;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A machine whose GPUs are cut up.
 *
 * @param nvml sessions that may change something
 * @param folder where what is written down about each GPU is kept, in a folder named by its UUID
 * @param claims what the host knows of those who use instances
 * @param holders tells who holds a whole GPU
 * @param daemons opens the supervision of MPS daemons, when a change needs it
 * @param loads tells one load of the driver from another
 * @param clock the time
 * @param disk how files are written
 */
public record MigMachine(
        NvmlSource nvml,
        Path folder,
        HostClaims claims,
        Holders holders,
        Daemons daemons,
        Loads loads,
        Clock clock,
        Disk disk) {
    // nvml.h, NVML_ERROR_LIBRARY_NOT_FOUND
    private static final NvmlReturn LIBRARY_NOT_FOUND = new NvmlReturn(12);

    /** Where the supervision of MPS daemons comes from. */
    @FunctionalInterface
    public interface Daemons {
        /**
         * The supervision.
         *
         * @return the same one each time, where there is one that watches
         * @throws ChangeRefused where no daemon can be managed
         */
        MpsSupervision open() throws ChangeRefused;
    }

    /** Tells one load of the driver from another. */
    @FunctionalInterface
    public interface Loads {
        /**
         * The load of now.
         *
         * @return the same text as long as the driver stays loaded; empty where it is not
         */
        Optional<String> current();
    }

    /** The GPU with a UUID; its index is for sentences alone. */
    GpuIdentity gpu(String uuid) throws ControlException {
        Answer<Nvml> opened = nvml.open();
        if (opened instanceof Answer.Refused<Nvml>(var function, var code)) {
            throw refused("NVML cannot be opened to look at GPU " + uuid, function + " answered " + code, code);
        }
        Nvml session = opened.orThrow();
        try {
            Answer<Gpu> found = session.gpuByUuid(uuid);
            if (found instanceof Answer.Refused<Gpu>(var function, var code)) {
                throw refused("GPU " + uuid + " cannot be found", function + " answered " + code, code);
            }
            return new GpuIdentity(found.orThrow().index(), uuid);
        } finally {
            if (session.close()) {
                nvml.closed(session);
            }
        }
    }

    private static ControlException refused(String what, String why, NvmlReturn code) {
        if (code.equals(NvmlReturn.NOT_FOUND)) {
            return new ControlException(
                    RefusalCode.NOT_FOUND, what + ": " + why + "; gpu-agent status lists the UUIDs");
        }
        return code.equals(LIBRARY_NOT_FOUND)
                ? new ControlException(RefusalCode.NOT_SUPPORTED, what + ": " + why + "; install the driver")
                : new ControlException(
                        RefusalCode.FAILED, what + ": " + why + "; look at the kernel's log and nvidia-smi");
    }
}
