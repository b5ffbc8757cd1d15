// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import io.gpuagent.mig.ComputeProfile;
import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.MigException;
import io.gpuagent.mig.Placement;
import io.gpuagent.mig.plan.Step;
import io.gpuagent.mig.read.MigFacts;
import io.gpuagent.mig.read.MigReader;
import io.gpuagent.mig.read.OwnedInstances;
import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.ComputeInstanceInfo;
import io.gpuagent.nvml.Gpu;
import io.gpuagent.nvml.GpuInstanceInfo;
import io.gpuagent.nvml.Nvml;
import io.gpuagent.nvml.NvmlReturn;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * NVML for one GPU while it is being changed: a session of its own, on a thread of its own, with deadlines. Handles are
 * fetched for each step and compared with what is meant before anything is destroyed by them: NVML gives the handle of
 * what is gone to others.
 */
final class Driver {
    private final NvmlSource source;
    private final String uuid;
    private final MigReader reader;
    private final Lane lane;
    private final Limits limits;
    /** Used on the lane alone. */
    private @Nullable Session session;

    private record Session(Nvml nvml, Gpu gpu) {}

    Driver(NvmlSource source, String uuid, MigReader reader, Lane lane, Limits limits) {
        this.source = source;
        this.uuid = uuid;
        this.reader = reader;
        this.lane = lane;
        this.limits = limits;
    }

    private static <T> T value(Answer<T> answer, String of) throws MigException {
        if (answer instanceof Answer.Refused<T> refused) {
            throw new MigException(
                    MigException.Cause.REFUSED,
                    refused.code().code(),
                    refused.function() + " of " + of + " returned " + refused.code());
        }
        return answer.orThrow();
    }

    void open() throws MigException {
        lane.call("to initialise NVML", limits.open(), () -> {
            if (session == null) {
                session = connect();
            }
            return Boolean.TRUE;
        });
    }

    private Session connect() throws MigException {
        Nvml nvml = value(source.open(), "this machine");
        Answer<Gpu> found = nvml.gpuByUuid(uuid);
        if (found.value().isEmpty()) {
            close(nvml);
        }
        return new Session(nvml, value(found, uuid));
    }

    /** Initialises NVML anew, which makes it forget what is gone, and finds the GPU again. */
    void reopen() throws MigException {
        lane.call("to initialise NVML", limits.open(), () -> {
            disconnect();
            session = connect();
            return Boolean.TRUE;
        });
    }

    private void disconnect() {
        Session old = session;
        session = null;
        if (old != null) {
            close(old.nvml());
        }
    }

    private void close(Nvml nvml) {
        if (nvml.close()) {
            source.closed(nvml);
        }
    }

    /** Shuts NVML down, at once or when the call has returned that is overdue. */
    void close() {
        if (lane.stuck().isPresent()) {
            lane.whenFree(this::disconnect);
            return;
        }
        try {
            lane.call("to shut NVML down", limits.open(), () -> {
                disconnect();
                return Boolean.TRUE;
            });
        } catch (MigException overdue) {
            // It goes on by itself when it can; nobody is left to be told.
            return;
        }
    }

    private Gpu gpu() throws MigException {
        Session open = session;
        if (open == null) {
            throw new MigException(
                    MigException.Cause.REFUSED, NvmlReturn.UNINITIALIZED.code(), "NVML could not be initialised anew");
        }
        return open.gpu();
    }

    MigFacts read(OwnedInstances owned) throws MigException {
        return lane.call("to read MIG of " + uuid, limits.read(), () -> reader.read(gpu(), owned));
    }

    /** How many processes use the GPU, whether instances or the whole. */
    int processes() throws MigException {
        return lane.call("to list the processes of " + uuid, limits.read(), () -> {
            int compute = value(gpu().processes().compute(), uuid).size();
            // Many cards have no list of these, and say so by refusing.
            return compute
                    + gpu().processes().graphics().value().map(List::size).orElse(0);
        });
    }

    /** What NVML said to a change of the mode. */
    Answer<NvmlReturn> setMode(boolean enabled) throws MigException {
        return lane.call(
                "to set the MIG mode of " + uuid,
                limits.mode(),
                () -> gpu().mig().setMode(enabled));
    }

    /**
     * Makes a step.
     *
     * @return what NVML returned
     */
    NvmlReturn make(Step step) throws MigException {
        return lane.call("to " + step.words(), limits.change(), () -> code(made(step)));
    }

    private static NvmlReturn code(Answer<?> answer) {
        return answer instanceof Answer.Refused<?> refused ? refused.code() : NvmlReturn.SUCCESS;
    }

    private Answer<?> made(Step step) throws MigException {
        return switch (step) {
            case Step.DestroyCompute(GpuInstance of, io.gpuagent.mig.ComputeInstance compute) -> destroy(of, compute);
            case Step.DestroyGpuInstance(GpuInstance instance) ->
                found(instance.id(), instance.profile().id(), instance.placement())
                        .destroy();
            case Step.CreateGpuInstance create ->
                gpu().mig().create(create.profile().id(), place(create.placement()));
            case Step.CreateCompute create -> create(create);
        };
    }

    private static io.gpuagent.nvml.Placement place(Placement at) {
        return new io.gpuagent.nvml.Placement(at.start(), at.size());
    }

    private Answer<?> destroy(GpuInstance of, io.gpuagent.mig.ComputeInstance compute) throws MigException {
        io.gpuagent.nvml.ComputeInstance found = value(
                found(of.id(), of.profile().id(), of.placement()).computeInstance(compute.id()),
                "compute instance " + compute.id() + " of " + of.label());
        ComputeInstanceInfo info = value(found.info(), of.label());
        boolean isOther = info.profileId() != compute.profileId()
                || compute.placement()
                        .filter(at -> at.start() != info.placement().start())
                        .isPresent();
        if (isOther) {
            throw changed("compute instance " + compute.id() + " of " + of.label());
        }
        return found.destroy();
    }

    private io.gpuagent.nvml.GpuInstance found(int id, int profile, Placement at) throws MigException {
        io.gpuagent.nvml.GpuInstance instance = value(gpu().mig().instance(id), "GPU instance " + id);
        GpuInstanceInfo info = value(instance.info(), "GPU instance " + id);
        if (info.id() != id || info.profileId() != profile || !info.placement().equals(place(at))) {
            throw changed("GPU instance " + id);
        }
        return instance;
    }

    private static MigException changed(String what) {
        return new MigException(MigException.Cause.CHANGED, what + " is another one by now");
    }

    private Answer<?> create(Step.CreateCompute step) throws MigException {
        int id = step.gpuInstance().orElseThrow();
        io.gpuagent.nvml.GpuInstance of = found(id, step.profile().id(), step.placement());
        int profile = step.compute().profileId().orElseThrow();
        if (step.compute().start().isEmpty()) {
            return of.create(profile);
        }
        int start = step.compute().start().getAsInt();
        // The size comes from NVML: it is not always the number of slices in the name.
        Optional<Placement> place = step.profile().computes().stream()
                .filter(known -> known.id() == profile)
                .map(ComputeProfile::placements)
                .flatMap(places -> places.stream().filter(at -> at.start() == start))
                .findFirst();
        return of.create(
                profile, place(place.orElse(new Placement(start, step.compute().slices()))));
    }
}
