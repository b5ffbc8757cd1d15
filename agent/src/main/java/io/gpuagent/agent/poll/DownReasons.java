// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import io.gpuagent.model.DriverState.Down;
import io.gpuagent.model.DriverState.Reason;
import io.gpuagent.model.GpuCondition;
import io.gpuagent.model.GpuCondition.State;
import io.gpuagent.nvml.NvmlFunction;
import io.gpuagent.nvml.NvmlLibrary;
import io.gpuagent.nvml.NvmlReturn;

/** What NVML's refusals mean, and what helps. */
final class DownReasons {
    static final Down RELEASED = new Down(
            Reason.RELEASED,
            "NVML is closed while a change is made that needs it closed; the agent opens it afterwards",
            null);

    private DownReasons() {}

    static Down noLibrary(NvmlLibrary.NotFound e) {
        return new Down(
                Reason.NO_LIBRARY,
                "no NVML library: " + e.getMessage()
                        + "; install the NVIDIA driver, or give a container its utility libraries, or set nvml.library",
                null);
    }

    static Down of(NvmlFunction function, NvmlReturn code, String library) {
        String said = " (" + function + " returned " + code.cName() + ", library " + library + ")";
        if (code.equals(NvmlReturn.DRIVER_NOT_LOADED)) {
            return new Down(
                    Reason.NO_DRIVER,
                    "the NVIDIA kernel module is not loaded" + said + "; load it with modprobe nvidia",
                    code.cName());
        }
        if (code.equals(NvmlReturn.LIB_RM_VERSION_MISMATCH)) {
            return new Down(
                    Reason.VERSION_MISMATCH,
                    "the loaded NVIDIA kernel module and the driver library differ in version" + said
                            + "; reload the module or reboot",
                    code.cName());
        }
        if (code.equals(NvmlReturn.NO_PERMISSION) || code.equals(NvmlReturn.OPERATING_SYSTEM)) {
            return new Down(
                    Reason.NO_PERMISSION,
                    "this user may not open the NVIDIA device files" + said
                            + "; check /dev/nvidiactl and the unit's or container's device rules",
                    code.cName());
        }
        if (code.equals(NvmlReturn.FUNCTION_NOT_FOUND)) {
            return new Down(Reason.FAILED, "the library is no NVML, or one too old to use" + said, code.cName());
        }
        return new Down(
                Reason.FAILED,
                "NVML cannot be initialised" + said + "; nvidia-smi may say more, and so may the kernel's log",
                code.cName());
    }

    static Down endOfSession(NvmlReturn code) {
        Reason reason = code.equals(NvmlReturn.DRIVER_NOT_LOADED)
                ? Reason.NO_DRIVER
                : code.equals(NvmlReturn.LIB_RM_VERSION_MISMATCH) ? Reason.VERSION_MISMATCH : Reason.FAILED;
        return new Down(
                reason,
                "the driver went away under the agent (" + code.cName() + "); the agent goes on trying to reach it",
                code.cName());
    }

    static Down gpusFail(GpuCondition condition) {
        return new Down(Reason.FAILED, "NVML is initialised again because of a GPU: " + condition.detail(), null);
    }

    /** What a code says of a GPU that gives no other answer. */
    static GpuCondition ofGpu(NvmlReturn code) {
        if (code.equals(NvmlReturn.GPU_IS_LOST)) {
            return new GpuCondition(
                    State.LOST,
                    "it has fallen off the bus (" + code.cName() + "); a reset or a reboot may bring it back");
        }
        if (code.equals(NvmlReturn.RESET_REQUIRED)) {
            return new GpuCondition(
                    State.RESET_REQUIRED, "it needs a reset before it can be used (" + code.cName() + ")");
        }
        return new GpuCondition(State.FAILING, "its calls fail with " + code.cName());
    }
}
