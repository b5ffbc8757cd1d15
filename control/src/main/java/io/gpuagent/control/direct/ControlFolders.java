// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.direct;

import io.gpuagent.control.ControlException;
import io.gpuagent.control.RefusalCode;
import io.gpuagent.host.FolderTrust;
import io.gpuagent.host.HostException;
import java.nio.file.Path;
import java.util.List;

/**
 * The fixed folders: nothing is written anywhere else, whatever a request says.
 *
 * @param runtime what ends with the boot, such as {@code /run/gpu-agent}
 * @param state what outlives it, such as {@code /var/lib/gpu-agent}
 * @param logs the audit log and those of MPS, such as {@code /var/log/gpu-agent}
 */
public record ControlFolders(Path runtime, Path state, Path logs) {
    Path locks() {
        return runtime.resolve("changes");
    }

    /**
     * Where what is written down about the MIG layout of each GPU is kept.
     *
     * @return a folder of the state
     */
    public Path layouts() {
        return state.resolve("mig");
    }

    Path auditLog() {
        return logs.resolve("audit.log");
    }

    /**
     * Makes what is missing, and refuses folders below which another user could redirect what is written.
     *
     * @param uid the user that writes
     */
    void prepare(int uid) throws ControlException {
        FolderTrust trust = new FolderTrust(uid);
        try {
            for (Path folder :
                    List.of(locks(), layouts(), runtime.resolve("mps"), state.resolve("mps"), logs.resolve("mps"))) {
                trust.prepare(folder);
            }
        } catch (HostException e) {
            throw new ControlException(
                    e.denied() ? RefusalCode.UNSAFE_FOLDER : RefusalCode.NOT_RECORDED,
                    String.valueOf(e.getMessage()),
                    e);
        }
    }
}
