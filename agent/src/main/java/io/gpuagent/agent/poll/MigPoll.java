// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import static java.lang.System.Logger.Level.WARNING;

import io.gpuagent.mig.GpuProfile;
import io.gpuagent.mig.MigException;
import io.gpuagent.mig.Ownership;
import io.gpuagent.mig.read.HostClaims;
import io.gpuagent.mig.read.MigFacts;
import io.gpuagent.mig.read.MigReader;
import io.gpuagent.mig.read.OwnedInstances;
import io.gpuagent.model.Absence;
import io.gpuagent.model.MemoryUse;
import io.gpuagent.model.Mode;
import io.gpuagent.model.Reading;
import io.gpuagent.model.ReadingKeys;
import io.gpuagent.model.mig.MigDeviceErrors;
import io.gpuagent.model.mig.MigDeviceUse;
import io.gpuagent.model.mig.MigView;
import io.gpuagent.model.time.Clock;
import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.Ecc;
import io.gpuagent.nvml.Gpu;
import io.gpuagent.nvml.MigDevice;
import io.gpuagent.nvml.NvmlReturn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Polls MIG of one GPU, on its worker's thread. The layout takes 20 ms to read the first time, so it is read when it may
 * have changed: a slow round compares ids, and reads it where they differ. Handles of MIG devices are kept until then;
 * the memory behind them is read in each fast round. How long a call to a MIG device takes was never measured on hardware.
 *
 * <p>A driver may take a monitor that has read an instance for a user of it, and refuse to destroy it until NVML is shut
 * down (not seen on hardware): {@link GpuReleases} does that for the agent's own changes.
 */
final class MigPoll {
    /** Whose an instance is does not matter to a reader. */
    private static final OwnedInstances NOT_ASKED = (gpu, profile, place) -> Ownership.FOREIGN;

    /** Reasons that another look a few seconds later does not change. */
    private static final Set<Absence> LASTING =
            Set.of(Absence.NOT_SUPPORTED, Absence.NO_SUCH_FUNCTION, Absence.NO_PERMISSION);

    private final MigReader reader = new MigReader(HostClaims.NONE);
    private final Clock clock;
    private final QuietLog log;

    private List<HeldDevice> devices = List.of();
    private List<Integer> profiles = List.of();
    /** Of the layout that was read last; of a layout in which a handle was found dead. */
    private List<Integer> ids = List.of();

    private List<Integer> suspected = List.of();
    /** The layout that was read last, or why there is none to be had. */
    private Reading<MigView> layout = Reading.absent(Absence.NOT_READ_YET, null, 0);

    private boolean mustRead = true;
    private boolean sawStaleDevices;
    private boolean changed;

    MigPoll(Clock clock, QuietLog log) {
        this.clock = clock;
        this.log = log;
    }

    /** Forgets handles and has the layout read; what a card can be cut into stays. */
    void forget() {
        devices = List.of();
        mustRead = true;
    }

    /** Has the layout read in case something changed without a sign; until then what is known is shown. */
    void readAgain() {
        mustRead = true;
    }

    /** Whether the layout was another one when it was last read; asked once. */
    boolean takeChanged() {
        boolean was = changed;
        changed = false;
        return was;
    }

    /** The layout for which NVML also listed devices of instances that are gone; it forgets them when it begins anew. */
    Optional<String> stale() {
        return sawStaleDevices ? layout.value().map(view -> view.instances().toString()) : Optional.empty();
    }

    /** Whether the layout has to be read before its time. */
    boolean isOutdated() {
        return mustRead && layout.value().isPresent();
    }

    /** In a slow round, behind the question for the mode. */
    void slow(Gpu gpu, Round round) {
        long now = clock.nanos();
        switch (round.reading(ReadingKeys.MIG_MODE)) {
            case Reading.Absent<Mode> none -> {
                forget();
                become(Reading.absent(none.why(), none.detail(), now));
            }
            case Reading.Present<Mode>(Mode is, long _)
            when !is.current() -> {
                forget();
                become(Reading.of(MigView.off(is.pending()), now));
                mustRead = false;
            }
            case Reading.Present<Mode>(Mode is, long _) -> become(cutUp(gpu, is.pending(), now));
        }
        round.show(ReadingKeys.MIG, layout);
        if (layout instanceof Reading.Absent<MigView> none) {
            round.show(ReadingKeys.MIG_ERRORS, Reading.absent(none.why(), none.detail(), now));
            round.show(ReadingKeys.MIG_MEMORY, Reading.absent(none.why(), none.detail(), now));
        } else {
            round.show(ReadingKeys.MIG_ERRORS, Reading.of(errors(), now));
            fast(round);
        }
    }

    private void become(Reading<MigView> now) {
        boolean isFirst = layout instanceof Reading.Absent<MigView> none && none.why() == Absence.NOT_READ_YET;
        changed |= !isFirst && !layout.value().equals(now.value());
        layout = now;
    }

    /** The layout of a GPU whose MIG mode is on. */
    private Reading<MigView> cutUp(Gpu gpu, boolean pending, long now) {
        List<Integer> seen = ids(gpu);
        boolean isSame = !mustRead && seen.equals(ids);
        Reading<MigView> last = layout;
        if (isSame && last instanceof Reading.Present<MigView>(MigView view, long _)) {
            return Reading.of(view.withPending(pending), now);
        }
        if (isSame && last instanceof Reading.Absent<MigView> none && LASTING.contains(none.why())) {
            return last;
        }
        ids = seen;
        mustRead = false;
        return read(gpu, now);
    }

    private Reading<MigView> read(Gpu gpu, long now) {
        devices = List.of();
        sawStaleDevices = false;
        try {
            MigFacts facts = reader.read(gpu, NOT_ASKED);
            profiles =
                    facts.gpu().card().profiles().stream().map(GpuProfile::id).toList();
            devices = devices(gpu, facts);
            ids = ids(facts);
            sawStaleDevices = facts.sawStaleDevices();
            return Reading.of(MigViews.of(facts, devices), now);
        } catch (MigException e) {
            Absence why = e.code() == 0 ? Absence.FAILED : Probe.absence(new NvmlReturn(e.code()));
            log.say(WARNING, "the MIG instances of GPU " + gpu.index() + " cannot be read: " + e.getMessage());
            return Reading.absent(why, e.getMessage(), now);
        }
    }

    /** Those of instances that exist; a library that has been open for long lists others, too. */
    private static List<HeldDevice> devices(Gpu gpu, MigFacts facts) {
        List<HeldDevice> held = new ArrayList<>();
        for (MigDevice device : gpu.mig().devices().value().orElse(List.of())) {
            Optional<Integer> instance = device.gpuInstanceId().value();
            Optional<Integer> compute = device.computeInstanceId().value();
            boolean isLive = instance.isPresent()
                    && compute.isPresent()
                    && facts.devicesOf(instance.get()).stream()
                            .anyMatch(known -> known.computeInstance() == compute.get());
            if (isLive) {
                held.add(new HeldDevice(instance.get(), compute.get(), device));
            }
        }
        return List.copyOf(held);
    }

    /**
     * What differs whenever the layout does: the ids of all devices, and how many GPU instances of each profile there are.
     * A GPU instance without a compute instance has no device.
     */
    private List<Integer> ids(Gpu gpu) {
        List<Integer> seen = new ArrayList<>();
        for (MigDevice device : gpu.mig().devices().value().orElse(List.of())) {
            seen.add(device.index());
            seen.add(device.gpuInstanceId().value().orElse(-1));
            seen.add(device.computeInstanceId().value().orElse(-1));
        }
        for (int profile : profiles) {
            seen.add(gpu.mig().instances(profile).map(List::size).value().orElse(-1));
        }
        return seen;
    }

    /** The same of what was read, so that a change in between shows. */
    private List<Integer> ids(MigFacts facts) {
        List<Integer> read = new ArrayList<>();
        for (HeldDevice device : devices) {
            read.addAll(List.of(device.handle().index(), device.gpuInstance(), device.computeInstance()));
        }
        for (int profile : profiles) {
            read.add((int) facts.gpu().instances().stream()
                    .filter(instance -> instance.profile().id() == profile)
                    .count());
        }
        return read;
    }

    /** In each round: what is used behind the handles. */
    void fast(Round round) {
        if (layout instanceof Reading.Absent<MigView>) {
            return;
        }
        if (devices.isEmpty()) {
            round.show(ReadingKeys.MIG_MEMORY, Reading.of(List.of(), clock.nanos()));
            return;
        }
        List<MigDeviceUse> used = new ArrayList<>(devices.size());
        for (HeldDevice device : devices) {
            used.add(new MigDeviceUse(device.gpuInstance(), device.computeInstance(), memory(device)));
        }
        round.show(ReadingKeys.MIG_MEMORY, Reading.of(List.copyOf(used), clock.nanos()));
    }

    private Reading<MemoryUse> memory(HeldDevice device) {
        Answer<MemoryUse> answer = device.handle()
                .memory()
                .use()
                .map(use -> new MemoryUse(use.total(), use.free(), use.used(), use.reserved()));
        if (answer instanceof Answer.Refused<MemoryUse>(var function, NvmlReturn code)) {
            // The instance is gone, and the handle may soon be another's. Where it is not, it is asked about once.
            if (isDead(code) && !ids.equals(suspected)) {
                suspected = ids;
                mustRead = true;
            }
            log.say(
                    WARNING,
                    "the memory of MIG devices is not shown where " + function + " returns " + code.cName()
                            + (code.equals(NvmlReturn.NO_PERMISSION)
                                    ? ": give the agent's user read access to the capability mig/monitor"
                                    : ""));
        }
        return Probe.reading(answer, clock.nanos());
    }

    private static boolean isDead(NvmlReturn code) {
        return code.equals(NvmlReturn.INVALID_ARGUMENT) || code.equals(NvmlReturn.NOT_FOUND);
    }

    private List<MigDeviceErrors> errors() {
        List<MigDeviceErrors> errors = new ArrayList<>();
        for (HeldDevice device : devices) {
            Answer<Long> sram =
                    device.handle().ecc().count(Ecc.ErrorType.UNCORRECTED, Ecc.Counter.VOLATILE, Ecc.Location.SRAM);
            errors.add(new MigDeviceErrors(
                    device.gpuInstance(), device.computeInstance(), Probe.reading(sram, clock.nanos())));
        }
        return List.copyOf(errors);
    }
}
