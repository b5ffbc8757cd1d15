// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.mig;

import io.gpuagent.host.HostView;
import java.io.IOException;
import java.nio.file.Files;

/** Whether all processes of the machine can be listed. */
final class PidNamespace {
    // The inode of the machine's own: PROC_PID_INIT_INO of the kernel's proc_ns.h, 0xEFFFFFFC.
    private static final String INITIAL = "pid:[4026531836]";

    private PidNamespace() {}

    static boolean isInitial(HostView host) {
        try {
            return Files.readSymbolicLink(host.path("/proc/self/ns/pid"))
                    .toString()
                    .equals(INITIAL);
        } catch (IOException notTold) {
            return false;
        }
    }
}
