// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host.kernel;

/** Whether the kernel's log can be read. */
public enum KernelLogState {
    /** It is being read. */
    OPEN,
    /** This user may not: CAP_SYSLOG is missing, or the unit's device policy forbids it. */
    DENIED,
    /** There is no such device, as in most containers. */
    ABSENT,
    /** Reading fails; it is opened again after a while. */
    FAILED,
    /** It was closed by us. */
    CLOSED
}
