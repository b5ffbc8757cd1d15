// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.function.LongConsumer;

/** What of a simulated GPU stays as it is until it is changed: counters of errors and repairs, and modes. */
public final class GpuState {
    private final LongConsumer raise;
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

    GpuState(LongConsumer raise) {
        this.raise = raise;
    }

    /**
     * Adds corrected ECC errors, since driver load and for life, and raises the event of one.
     *
     * @param errors how many
     */
    public void addCorrectedErrors(long errors) {
        addErrors(0, errors);
        raise.accept(Event.SINGLE_BIT_ECC_ERROR);
    }

    /**
     * Adds uncorrected ECC errors, since driver load and for life, and raises the event of one.
     *
     * @param errors how many
     */
    public void addUncorrectedErrors(long errors) {
        addErrors(1, errors);
        raise.accept(Event.DOUBLE_BIT_ECC_ERROR);
    }

    private synchronized void addErrors(int type, long errors) {
        ecc[type][0] += errors;
        ecc[type][1] += errors;
    }

    /** Forgets the errors since driver load, as a reload does. */
    public synchronized void clearVolatileErrors() {
        ecc[0][0] = 0;
        ecc[1][0] = 0;
    }

    /**
     * Sets the rows that were replaced.
     *
     * @param correctable for correctable errors
     * @param uncorrectable for uncorrectable errors
     * @param pending whether one waits for a reset
     * @param failed whether one has failed
     */
    public synchronized void setRemappedRows(int correctable, int uncorrectable, boolean pending, boolean failed) {
        remappedCorrectable = correctable;
        remappedUncorrectable = uncorrectable;
        isRemapPending = pending;
        isRemapFailed = failed;
    }

    /**
     * Sets MIG mode.
     *
     * @param current whether it is on
     * @param pending whether it will be on after the next reset
     */
    public synchronized void setMig(boolean current, boolean pending) {
        isMigCurrent = current;
        isMigPending = pending;
    }

    /**
     * Sets persistence mode.
     *
     * @param persistent whether the driver stays loaded without users
     */
    public synchronized void setPersistence(boolean persistent) {
        isPersistent = persistent;
    }

    /**
     * Sets compute mode.
     *
     * @param mode an nvmlComputeMode_t: 0 default, 2 prohibited, 3 exclusive process
     */
    public synchronized void setComputeMode(int mode) {
        computeMode = mode;
    }

    /**
     * Sets what the driver asks for to make the GPU well again, and raises the event of it.
     *
     * @param action an nvmlDeviceGpuRecoveryAction_t: 0 none, 1 reset, 2 reboot, 3 drain P2P, 4 drain and reset
     */
    public void setRecoveryAction(int action) {
        synchronized (this) {
            recoveryAction = action;
        }
        raise.accept(Event.RECOVERY_ACTION);
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
}
