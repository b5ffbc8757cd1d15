// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.direct;

import io.gpuagent.control.wire.RequestJson;
import io.gpuagent.model.time.Clock;
import io.gpuagent.mps.supervise.ChangeRefused;
import io.gpuagent.mps.supervise.ComputeModes;
import io.gpuagent.nvml.Access;
import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.CallObserver;
import io.gpuagent.nvml.Coded;
import io.gpuagent.nvml.ComputeMode;
import io.gpuagent.nvml.Done;
import io.gpuagent.nvml.Gpu;
import io.gpuagent.nvml.Nvml;
import io.gpuagent.nvml.NvmlLibrary;
import io.gpuagent.nvml.NvmlReturn;
import io.gpuagent.nvml.SymbolSource;
import java.util.Optional;

/** Compute modes through NVML. A session that may change something is open during a call only. */
public final class NvmlComputeModes implements ComputeModes {
    private final Library library;
    private final Clock clock;

    /**
     * Modes of one machine.
     *
     * @param library opens NVML
     * @param clock measures how long calls take
     */
    public NvmlComputeModes(Library library, Clock clock) {
        this.library = library;
        this.clock = clock;
    }

    /** Where NVML's functions come from. */
    @FunctionalInterface
    public interface Library {
        /**
         * Opens it; an {@link NvmlLibrary} is closed again after the call.
         *
         * @return the functions
         * @throws NvmlLibrary.NotFound where no driver is installed
         */
        SymbolSource open() throws NvmlLibrary.NotFound;
    }

    @Override
    public Mode read(String gpu) throws ChangeRefused {
        return withGpu(gpu, Access.READ_ONLY, device -> read(gpu, device));
    }

    @Override
    public void set(String gpu, Mode mode) throws ChangeRefused {
        Mode after = withGpu(gpu, Access.CONTROL, device -> {
            Mode before = read(gpu, device);
            return before == mode ? mode : change(gpu, device, mode);
        });
        if (after != mode) {
            throw new ChangeRefused(
                    ChangeRefused.Kind.FAILED,
                    "the driver took compute mode " + RequestJson.label(mode) + " for GPU " + gpu + " and "
                            + RequestJson.label(after)
                            + " is in force; look at the GPU with nvidia-smi -q -d COMPUTE");
        }
    }

    /** nvml.h tells of no half-way state: a setter that is refused has changed nothing. */
    private static Mode change(String gpu, Gpu device, Mode mode) throws ChangeRefused {
        if (device.control().computeMode(toNvml(mode)) instanceof Answer.Refused<Done>(var function, var code)) {
            throw refused(
                    gpu,
                    "the compute mode cannot be set to " + RequestJson.label(mode),
                    function + " answered " + code,
                    code);
        }
        try {
            return read(gpu, device);
        } catch (ChangeRefused e) {
            throw because(
                    e,
                    new ChangeRefused(
                            ChangeRefused.Kind.HALF_DONE,
                            "the compute mode was set to " + RequestJson.label(mode) + " and cannot be read back: "
                                    + e.getMessage()));
        }
    }

    private static ChangeRefused because(Exception cause, ChangeRefused refused) {
        refused.initCause(cause);
        return refused;
    }

    private static Mode read(String gpu, Gpu device) throws ChangeRefused {
        Answer<Coded<ComputeMode>> answer = device.modes().compute();
        if (answer instanceof Answer.Refused<Coded<ComputeMode>>(var function, var code)) {
            throw refused(gpu, "the compute mode cannot be read", function + " answered " + code, code);
        }
        return answer.value()
                .flatMap(Coded::known)
                .flatMap(NvmlComputeModes::fromNvml)
                .orElseThrow(() -> new ChangeRefused(
                        ChangeRefused.Kind.NOT_SUPPORTED,
                        "GPU " + gpu + " is in compute mode "
                                + answer.value().map(Coded::toString).orElse("unknown")
                                + ", which cannot be restored, so it is left as it is"));
    }

    private <T> T withGpu(String gpu, Access access, Action<T> action) throws ChangeRefused {
        SymbolSource symbols;
        try {
            symbols = library.open();
        } catch (NvmlLibrary.NotFound e) {
            throw because(
                    e,
                    new ChangeRefused(
                            ChangeRefused.Kind.NOT_SUPPORTED,
                            "there is no NVML library, without which no compute mode is known: " + e.getMessage()
                                    + "; install the driver"));
        }
        Answer<Nvml> opened = Nvml.open(symbols, CallObserver.NONE, clock::nanos, access);
        if (opened instanceof Answer.Refused<Nvml>(var function, var code)) {
            unload(symbols);
            throw refused(gpu, "NVML cannot be opened for the compute mode", function + " answered " + code, code);
        }
        Nvml nvml = opened.orThrow();
        try {
            Answer<Gpu> device = nvml.gpuByUuid(gpu);
            if (device instanceof Answer.Refused<Gpu>(var function, var code)) {
                throw refused(gpu, "nothing is known", function + " answered " + code, code);
            }
            return action.on(device.orThrow());
        } finally {
            if (nvml.close()) {
                unload(symbols);
            }
        }
    }

    private static void unload(SymbolSource symbols) {
        if (symbols instanceof NvmlLibrary loaded) {
            loaded.close();
        }
    }

    private static ChangeRefused refused(String gpu, String what, String why, NvmlReturn code) {
        ChangeRefused.Kind kind = ChangeRefused.Kind.FAILED;
        String right = "look at the kernel's log and nvidia-smi";
        if (code.equals(NvmlReturn.NOT_SUPPORTED)) {
            kind = ChangeRefused.Kind.NOT_SUPPORTED;
            right = "in MIG mode it is always the default, and some cards have no other";
        } else if (code.equals(NvmlReturn.NOT_FOUND)) {
            kind = ChangeRefused.Kind.NOT_FOUND;
            right = "gpu-agent status lists the UUIDs";
        } else if (code.equals(NvmlReturn.NO_PERMISSION)) {
            kind = ChangeRefused.Kind.NOT_ALLOWED;
            right = "only root may change a compute mode";
        }
        return new ChangeRefused(kind, what + " of GPU " + gpu + ": " + why + "; " + right);
    }

    private static ComputeMode toNvml(Mode mode) {
        return switch (mode) {
            case DEFAULT -> ComputeMode.DEFAULT;
            case PROHIBITED -> ComputeMode.PROHIBITED;
            case EXCLUSIVE_PROCESS -> ComputeMode.EXCLUSIVE_PROCESS;
        };
    }

    private static Optional<Mode> fromNvml(ComputeMode mode) {
        return switch (mode) {
            case DEFAULT -> Optional.of(Mode.DEFAULT);
            case PROHIBITED -> Optional.of(Mode.PROHIBITED);
            case EXCLUSIVE_PROCESS -> Optional.of(Mode.EXCLUSIVE_PROCESS);
            case EXCLUSIVE_THREAD -> Optional.empty();
        };
    }

    @FunctionalInterface
    private interface Action<T> {
        T on(Gpu gpu) throws ChangeRefused;
    }
}
