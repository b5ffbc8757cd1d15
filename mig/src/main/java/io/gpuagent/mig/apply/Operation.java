// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import io.gpuagent.host.HostException;
import io.gpuagent.host.HostView;
import io.gpuagent.host.OwnerLock;
import io.gpuagent.host.ProcessIdentity;
import io.gpuagent.mig.MigException;
import io.gpuagent.mig.read.MigReader;
import io.gpuagent.model.GpuIdentity;
import io.gpuagent.model.time.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/**
 * One operation on one GPU: its lock, its files, its session with NVML, and the agent's own threads, which have let go
 * meanwhile. Everything is given back at the end; where a call is still under way then, when that has returned.
 */
final class Operation implements AutoCloseable {
    private final GpuIdentity gpu;
    private final OwnerLock lock;
    private final Lane lane;
    private final Driver driver;
    private final Journal journal;
    private final MigOwnership ownership;
    private final History history;
    private final ModeRecord mode;
    private final LayoutRecord layout;
    private Quiesce.@Nullable Released released;

    private Operation(
            GpuIdentity gpu,
            OwnerLock lock,
            Lane lane,
            Driver driver,
            Journal journal,
            MigOwnership ownership,
            History history,
            ModeRecord mode,
            LayoutRecord layout) {
        this.gpu = gpu;
        this.lock = lock;
        this.lane = lane;
        this.driver = driver;
        this.journal = journal;
        this.ownership = ownership;
        this.history = history;
        this.mode = mode;
        this.layout = layout;
    }

    /** What operations on a GPU are made with. */
    record Tools(
            GpuIdentity gpu,
            Path folder,
            NvmlSource source,
            MigReader reader,
            MigPorts ports,
            Clock clock,
            Limits limits,
            Disk disk,
            HostView host) {}

    /**
     * Begins one.
     *
     * @param isChange whether the GPU will be changed: only then do the agent's own threads have to let go
     */
    static Operation begin(Tools tools, Lane lane, boolean isChange) throws MigException {
        OwnerLock lock = lock(tools);
        Journal journal = null;
        Operation operation = null;
        try {
            journal = Journal.open(tools.disk(), tools.folder().resolve("journal"));
            operation = new Operation(
                    tools.gpu(),
                    lock,
                    lane,
                    new Driver(tools.source(), tools.gpu().uuid(), tools.reader(), lane, tools.limits()),
                    journal,
                    MigOwnership.read(
                            tools.disk(),
                            tools.folder().resolve("ownership"),
                            tools.gpu().uuid()),
                    new History(tools.disk(), tools.folder().resolve("history")),
                    ModeRecord.read(tools.disk(), tools.folder().resolve("mode")),
                    LayoutRecord.read(tools.disk(), tools.folder().resolve("layout")));
            if (isChange || operation.isUnfinished()) {
                operation.released = tools.ports().quiesce().release(tools.gpu());
            }
            operation.driver.open();
            Operation begun = operation;
            operation = null;
            return begun;
        } finally {
            if (operation != null) {
                operation.close();
            } else if (journal == null) {
                lock.close();
            }
        }
    }

    private static OwnerLock lock(Tools tools) throws MigException {
        Path folder = tools.folder();
        try {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            return switch (OwnerLock.acquire(folder, ProcessIdentity.self(tools.host()))) {
                case OwnerLock.Held held -> held.lock();
                case OwnerLock.Refused refused ->
                    throw new MigException(
                            MigException.Cause.HELD,
                            "another change of GPU " + tools.gpu().index() + " is under way"
                                    + refused.ownerPid()
                                            .map(pid -> " in process " + pid)
                                            .orElse("") + "; wait for its end");
            };
        } catch (HostException e) {
            throw new MigException(MigException.Cause.STORAGE, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new MigException(
                    MigException.Cause.STORAGE,
                    "the folder " + folder + " cannot be made, so nothing is changed: " + e.getMessage());
        }
    }

    GpuIdentity gpu() {
        return gpu;
    }

    Driver driver() {
        return driver;
    }

    Journal journal() {
        return journal;
    }

    MigOwnership ownership() {
        return ownership;
    }

    /** Whether a change is to be brought to its end. */
    boolean isUnfinished() {
        return journal.last().filter(ChangeRecord::isOpen).isPresent()
                || mode.open().isPresent();
    }

    LayoutRecord layout() {
        return layout;
    }

    ModeRecord mode() {
        return mode;
    }

    History history() {
        return history;
    }

    /** Ends the session with NVML and lets the agent's own threads take up the GPU again. */
    void letGo() {
        try {
            driver.close();
        } finally {
            lane.whenFree(this::giveBack);
        }
    }

    private synchronized void giveBack() {
        Quiesce.Released given = released;
        released = null;
        if (given != null) {
            given.giveBack();
        }
    }

    @Override
    public void close() {
        try {
            letGo();
        } finally {
            lane.whenFree(lock::close);
            lane.close();
            journal.close();
        }
    }
}
