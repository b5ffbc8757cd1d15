// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.helper;

import io.gpuagent.mig.apply.Disk;
import io.gpuagent.nvml.CallObserver;
import io.gpuagent.nvml.NvmlFunction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Stands still for ever behind a chosen NVML call or write of a change, so that the process can be killed there; a file
 * says when it has come there.
 */
final class StandStill implements CallObserver, Disk {
    private final long chosen;
    private final Path arrived;
    private final AtomicLong passed = new AtomicLong();

    StandStill(long chosen, Path arrived) {
        this.chosen = chosen;
        this.arrived = arrived;
    }

    private void pass() {
        if (passed.incrementAndGet() < chosen) {
            return;
        }
        try {
            Files.write(arrived, new byte[0]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        while (true) {
            LockSupport.park();
        }
    }

    @Override
    public void before(NvmlFunction function, int gpu) {}

    @Override
    public void after(NvmlFunction function, int gpu, int code, long nanos) {
        pass();
    }

    @Override
    public Slab slab(Path file, int size) throws IOException {
        Slab real = Disk.REAL.slab(file, size);
        pass();
        return new Slab() {
            @Override
            public byte[] read() throws IOException {
                return real.read();
            }

            @Override
            public void write(int offset, byte[] bytes) throws IOException {
                real.write(offset, bytes);
                pass();
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
        Disk.REAL.replace(file, content);
        pass();
    }
}
