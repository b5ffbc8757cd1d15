// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.internal;

import io.gpuagent.nvml.NvmlFunction;
import io.gpuagent.nvml.NvmlReturn;
import java.util.function.ToIntFunction;

/**
 * Something that NVML allocated and that is to be freed: an event set, a sample. It is freed once: by {@link #close},
 * by the last call that uses it where one is under way when it is closed, or by the session before it is shut down.
 */
public final class Allocation {
    private final Handle handle;
    private final NvmlFunction free;
    private final Handle argument;
    private int users;
    private boolean closed;
    private boolean freed;

    private Allocation(Handle handle, NvmlFunction free, Handle argument) {
        this.handle = handle;
        this.free = free;
        this.argument = argument;
    }

    /**
     * Takes charge of it.
     *
     * @param handle what was allocated
     * @param free the function that frees it
     * @param argument what that function takes: the handle, or a request that names it
     * @return the allocation
     */
    public static Allocation of(Handle handle, NvmlFunction free, Handle argument) {
        Allocation allocation = new Allocation(handle, free, argument);
        handle.calls().keep(allocation);
        return allocation;
    }

    /**
     * The session it belongs to.
     *
     * @return its calls
     */
    public Calls calls() {
        return handle.calls();
    }

    /**
     * Makes a call with it. It is not freed before the call has returned.
     *
     * @param call gets the handle and answers NVML's code
     * @return the code; UNINITIALIZED, without a call, once it is closed
     */
    public int use(ToIntFunction<Handle> call) {
        synchronized (this) {
            if (closed) {
                return NvmlReturn.UNINITIALIZED.code();
            }
            users++;
        }
        try {
            return call.applyAsInt(handle);
        } finally {
            boolean isLast;
            synchronized (this) {
                users--;
                isLast = claim();
            }
            if (isLast) {
                free();
            }
        }
    }

    /** Frees it, now or when the call that uses it returns; no call is made with it after that. */
    public void close() {
        boolean isMine;
        synchronized (this) {
            closed = true;
            isMine = claim();
        }
        if (isMine) {
            free();
        }
    }

    /** Whether it is free for the caller to free; true once. */
    private boolean claim() {
        boolean isMine = closed && users == 0 && !freed;
        freed |= isMine;
        return isMine;
    }

    private void free() {
        // Outside the lock: a driver that hangs here must not hold up a second close.
        if (calls().call(free, argument) == NvmlReturn.UNINITIALIZED.code()) {
            synchronized (this) {
                // The session is closing and frees it itself.
                freed = false;
            }
        } else {
            calls().forget(this);
        }
    }

    /** Frees it for the session, which makes no other call any more. */
    void freeBeforeShutdown() {
        boolean isMine;
        synchronized (this) {
            closed = true;
            isMine = claim();
        }
        if (isMine) {
            calls().lastCall(free, argument);
        }
    }
}
