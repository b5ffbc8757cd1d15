// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;

/** What of a simulated GPU stays as it is until it is changed: counters of errors and repairs, and modes. */
public final class GpuState {
    private final ChangeGate gate;
    private final LongConsumer raise;
    /** How often by Xid, since the machine was booted. */
    private final Map<Integer, Long> xids = new TreeMap<>();

    private final long[][] ecc = new long[2][2];
    private int remappedCorrectable;
    private int remappedUncorrectable;
    private boolean isRemapPending;
    private boolean isRemapFailed;
    private boolean isMigCurrent;
    private boolean isMigPending;
    private boolean isPersistent = true;
    private int computeMode;
    private int recoveryAction;

    GpuState(ChangeGate gate, LongConsumer raise) {
        this.gate = gate;
        this.raise = raise;
    }

    /**
     * Adds corrected ECC errors, since driver load and for life, and raises the event of one.
     *
     * @param errors how many
     */
    public void addCorrectedErrors(long errors) {
        gate.change(() -> {
            addErrors(0, errors);
            raise.accept(Event.SINGLE_BIT_ECC_ERROR);
        });
    }

    /**
     * Adds uncorrected ECC errors, since driver load and for life, and raises the event of one.
     *
     * @param errors how many
     */
    public void addUncorrectedErrors(long errors) {
        gate.change(() -> {
            addErrors(1, errors);
            raise.accept(Event.DOUBLE_BIT_ECC_ERROR);
        });
    }

    private synchronized void addErrors(int type, long errors) {
        ecc[type][0] += errors;
        ecc[type][1] += errors;
    }

    /** Forgets the errors since driver load, as a reload does. */
    public void clearVolatileErrors() {
        clearErrors(0);
    }

    /** Forgets errors by nvmlEccCounterType_t: 0 those since driver load, 1 those for life. */
    void clearErrors(int counter) {
        gate.change(() -> {
            synchronized (this) {
                ecc[0][counter] = 0;
                ecc[1][counter] = 0;
            }
        });
    }

    /**
     * Sets the rows that were replaced.
     *
     * @param correctable for correctable errors
     * @param uncorrectable for uncorrectable errors
     * @param pending whether one waits for a reset
     * @param failed whether one has failed
     */
    public void setRemappedRows(int correctable, int uncorrectable, boolean pending, boolean failed) {
        gate.change(() -> {
            synchronized (this) {
                remappedCorrectable = correctable;
                remappedUncorrectable = uncorrectable;
                isRemapPending = pending;
                isRemapFailed = failed;
            }
        });
    }

    /**
     * Sets MIG mode.
     *
     * @param current whether it is on
     * @param pending whether it will be on after the next reset
     */
    public void setMig(boolean current, boolean pending) {
        gate.change(() -> {
            synchronized (this) {
                isMigCurrent = current;
                isMigPending = pending;
            }
        });
    }

    /**
     * Sets persistence mode.
     *
     * @param persistent whether the driver stays loaded without users
     */
    public void setPersistence(boolean persistent) {
        gate.change(() -> {
            synchronized (this) {
                isPersistent = persistent;
            }
        });
    }

    /**
     * Sets compute mode.
     *
     * @param mode an nvmlComputeMode_t: 0 default, 2 prohibited, 3 exclusive process
     */
    public void setComputeMode(int mode) {
        gate.change(() -> {
            synchronized (this) {
                computeMode = mode;
            }
        });
    }

    /**
     * Sets what the driver asks for to make the GPU well again, and raises the event of it.
     *
     * @param action an nvmlDeviceGpuRecoveryAction_t: 0 none, 1 reset, 2 reboot, 3 drain P2P, 4 drain and reset
     */
    public void setRecoveryAction(int action) {
        gate.change(() -> {
            synchronized (this) {
                recoveryAction = action;
            }
            raise.accept(Event.RECOVERY_ACTION);
        });
    }

    /** Errors by nvmlMemoryErrorType_t (0 corrected, 1 uncorrected) and nvmlEccCounterType_t (0 volatile, 1 for life). */
    synchronized long eccErrors(int type, int counter) {
        return ecc[type][counter];
    }

    /** Correctable, uncorrectable, pending and failed, in NVML's order. */
    synchronized int[] remappedRows() {
        return new int[] {remappedCorrectable, remappedUncorrectable, isRemapPending ? 1 : 0, isRemapFailed ? 1 : 0};
    }

    synchronized int migCurrent() {
        return isMigCurrent ? 1 : 0;
    }

    synchronized int migPending() {
        return isMigPending ? 1 : 0;
    }

    synchronized int persistence() {
        return isPersistent ? 1 : 0;
    }

    synchronized int computeMode() {
        return computeMode;
    }

    synchronized int recoveryAction() {
        return recoveryAction;
    }

    /**
     * How often an Xid was raised since the machine was booted.
     *
     * @param xid its number
     * @return how often
     */
    public long xids(int xid) {
        gate.refresh();
        synchronized (this) {
            return xids.getOrDefault(xid, 0L);
        }
    }

    synchronized void countXid(int xid) {
        xids.merge(xid, 1L, Long::sum);
    }

    /** What a reload of the driver leaves: rows that waited are replaced; what has failed stays so for good. */
    synchronized void reload() {
        ecc[0][0] = 0;
        ecc[1][0] = 0;
        isRemapPending = false;
        isPersistent = true;
        computeMode = 0;
        recoveryAction = 0;
    }

    synchronized void forgetXids() {
        xids.clear();
    }

    synchronized Map<String, Object> saved() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("ecc", List.of(ecc[0][0], ecc[0][1], ecc[1][0], ecc[1][1]));
        members.put("rows", List.of(remappedCorrectable, remappedUncorrectable));
        members.put("remap-pending", isRemapPending);
        members.put("remap-failed", isRemapFailed);
        members.put("mig", isMigCurrent);
        members.put("pending-mig", isMigPending);
        members.put("persistence", isPersistent);
        members.put("compute-mode", computeMode);
        members.put("recovery-action", recoveryAction);
        members.put("xids", new TreeMap<>(xids));
        return members;
    }

    synchronized void restore(JsonTree saved) {
        List<Long> errors = saved.integers("ecc");
        for (int i = 0; i < 4; i++) {
            ecc[i / 2][i % 2] = errors.get(i);
        }
        remappedCorrectable = saved.integers("rows").get(0).intValue();
        remappedUncorrectable = saved.integers("rows").get(1).intValue();
        isRemapPending = saved.flag("remap-pending", false);
        isRemapFailed = saved.flag("remap-failed", false);
        isMigCurrent = saved.flag("mig", false);
        isMigPending = saved.flag("pending-mig", false);
        isPersistent = saved.flag("persistence", true);
        computeMode = saved.smallInteger("compute-mode");
        recoveryAction = saved.smallInteger("recovery-action");
        xids.clear();
        JsonTree counted = saved.object("xids");
        counted.members().keySet().forEach(xid -> xids.put(Integer.valueOf(xid), counted.integer(xid)));
    }
}
