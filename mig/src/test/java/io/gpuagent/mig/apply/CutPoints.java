// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import io.gpuagent.nvml.CallObserver;
import io.gpuagent.nvml.NvmlFunction;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The moments at which a process can end so that it makes a difference: behind each NVML call and behind each write to the
 * disk. At the chosen one, and from then on, whatever is tried throws: nothing more leaves the process.
 */
class CutPoints implements CallObserver, Disk {
    /** The process is dead. */
    static final class CutOff extends Error {
        private static final long serialVersionUID = 1L;
    }

    private final long chosen;
    private long passed;
    private long calls;
    private long writes;
    private boolean isDead;

    CutPoints(long chosen) {
        this.chosen = chosen;
    }

    static CutPoints none() {
        return new CutPoints(Long.MAX_VALUE);
    }

    synchronized long passed() {
        return passed;
    }

    synchronized String counts() {
        return calls + " NVML calls and " + writes + " writes";
    }

    private synchronized void enter() {
        if (isDead) {
            throw new CutOff();
        }
    }

    private synchronized void leave(boolean isCall) {
        if (isDead) {
            throw new CutOff();
        }
        calls += isCall ? 1 : 0;
        writes += isCall ? 0 : 1;
        passed++;
        if (passed == chosen) {
            isDead = true;
            cut();
        }
    }

    /** Ends the process. */
    void cut() {
        throw new CutOff();
    }

    @Override
    public void before(NvmlFunction function, int gpu) {
        enter();
    }

    @Override
    public void after(NvmlFunction function, int gpu, int code, long nanos) {
        leave(true);
    }

    @Override
    public Slab slab(Path file, int size) throws IOException {
        enter();
        Slab real = Disk.REAL.slab(file, size);
        leave(false);
        return new Slab() {
            @Override
            public byte[] read() throws IOException {
                return real.read();
            }

            @Override
            public void write(int offset, byte[] bytes) throws IOException {
                enter();
                real.write(offset, bytes);
                leave(false);
            }

            @Override
            public void close() throws IOException {
                real.close();
            }
        };
    }

    @Override
    public Optional<byte[]> read(Path file) throws IOException {
        return Disk.REAL.read(file);
    }

    @Override
    public void replace(Path file, byte[] content) throws IOException {
        enter();
        Disk.REAL.replace(file, content);
        leave(false);
    }
}
