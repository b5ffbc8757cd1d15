// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.MigException;
import io.gpuagent.mig.MigGpu;
import io.gpuagent.mig.plan.Step;
import io.gpuagent.mig.read.MigFacts;
import io.gpuagent.mig.read.OwnedInstances;
import io.gpuagent.model.GpuIdentity;
import io.gpuagent.model.time.Clock;
import io.gpuagent.nvml.NvmlReturn;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Makes steps: each is written down before and after, tried again while the driver says IN_USE, and believed only when
 * the GPU, read anew, shows it and nothing else has changed. A step is not made on a layout that is not the one behind
 * the step before.
 */
final class StepRunner {
    /** Codes with which NVML says that it did nothing. */
    private static final Set<NvmlReturn> PLAIN_REFUSALS = Set.of(
            NvmlReturn.INVALID_ARGUMENT,
            NvmlReturn.NOT_SUPPORTED,
            NvmlReturn.NO_PERMISSION,
            NvmlReturn.NOT_FOUND,
            NvmlReturn.IN_USE,
            NvmlReturn.INSUFFICIENT_RESOURCES);

    private static final int READ_ATTEMPTS = 3;

    private final Driver driver;
    private final Journal journal;
    private final OwnedInstances owned;
    private final Clock clock;
    private final Limits limits;
    private final Holders holders;
    private final Progress progress;
    private int retries;

    StepRunner(
            Driver driver,
            Journal journal,
            OwnedInstances owned,
            Clock clock,
            Limits limits,
            Holders holders,
            Progress progress) {
        this.driver = driver;
        this.journal = journal;
        this.owned = owned;
        this.clock = clock;
        this.limits = limits;
        this.holders = holders;
        this.progress = progress;
    }

    int retries() {
        return retries;
    }

    /** Reads the GPU; a reading that fails in passing is made again. */
    MigFacts read() throws MigException {
        for (int attempt = 1; ; attempt++) {
            try {
                MigFacts facts = driver.read(owned);
                if (!facts.sawStaleDevices() || attempt > 1) {
                    return facts;
                }
                driver.reopen();
            } catch (MigException e) {
                boolean isFinal = e.reason() == MigException.Cause.OVERDUE
                        || e.code() == NvmlReturn.GPU_IS_LOST.code()
                        || e.code() == NvmlReturn.NO_PERMISSION.code();
                if (isFinal || attempt == READ_ATTEMPTS) {
                    throw e;
                }
                pause(attempt);
                driver.reopen();
            }
        }
    }

    /**
     * Makes a step.
     *
     * @param planned the step
     * @param number which step, from 1
     * @param count of how many
     * @param current how the GPU was when it was last read
     * @return how it is now
     */
    MigFacts run(Step planned, int number, int count, MigFacts current) throws MigException {
        Step step = planned instanceof Step.CreateCompute create ? Route.resolved(create, current.gpu()) : planned;
        progress.on(new Progress.Event(Progress.Kind.BEGUN, number, count, step.words()));
        Piece piece = piece(step);
        boolean makes = step instanceof Step.CreateGpuInstance || step instanceof Step.CreateCompute;
        if (makes == Piece.all(current.gpu()).contains(piece)) {
            throw new MigException(
                    MigException.Cause.CHANGED,
                    piece.words(current.gpu()) + (makes ? " is there already" : " is there no more"));
        }
        journal.note(makes ? Journal.Kind.MAKES : Journal.Kind.DESTROYS, piece.text());
        MigFacts after = attempts(step, piece, makes, number, count, current);
        journal.note(Journal.Kind.DONE, piece.text());
        progress.on(new Progress.Event(Progress.Kind.DONE, number, count, step.words()));
        requireNoOther(current.gpu(), after.gpu(), piece, makes);
        return after;
    }

    private MigFacts attempts(Step step, Piece piece, boolean makes, int number, int count, MigFacts current)
            throws MigException {
        boolean isFirst = step instanceof Step.CreateGpuInstance
                && current.gpu().instances().isEmpty();
        int most = makes ? limits.createAttempts() : limits.destroyAttempts();
        boolean isReopened = false;
        for (int attempt = 1; ; attempt++) {
            NvmlReturn code = made(step, piece, makes);
            boolean isRefused = PLAIN_REFUSALS.contains(code);
            if (isRefused && makes) {
                // What may lie there by now is somebody else's.
                journal.note(Journal.Kind.REFUSED, piece.text());
            }
            if (code.equals(NvmlReturn.IN_USE) && attempt < most) {
                retries++;
                progress.on(new Progress.Event(Progress.Kind.RETRIED, number, count, step.words()));
                pause(attempt);
                requireSame(current.gpu(), read().gpu());
                if (makes) {
                    journal.note(Journal.Kind.MAKES, piece.text());
                }
                continue;
            }
            if (isRefused) {
                throw refused(step, code, attempt, isFirst, current.gpu().identity());
            }
            MigFacts after = read();
            if (!isMade(piece, makes, current, after) && !isReopened && code.equals(NvmlReturn.SUCCESS)) {
                isReopened = true;
                progress.on(new Progress.Event(Progress.Kind.REOPENED, number, count, step.words()));
                driver.reopen();
                after = read();
                if (!isMade(piece, makes, current, after) && !makes) {
                    requireSame(current.gpu(), after.gpu());
                    continue;
                }
            }
            if (isMade(piece, makes, current, after)) {
                return after;
            }
            throw code.equals(NvmlReturn.SUCCESS)
                    ? new MigException(
                            MigException.Cause.UNVERIFIED,
                            "NVML returned SUCCESS when asked to " + step.words() + ", and "
                                    + (makes ? "does not list it" : "lists it still"))
                    : refused(step, code, attempt, isFirst, current.gpu().identity());
        }
    }

    private NvmlReturn made(Step step, Piece piece, boolean makes) throws MigException {
        try {
            return driver.make(step);
        } catch (MigException e) {
            if (makes && e.reason() != MigException.Cause.OVERDUE) {
                // It was thrown before anything was asked to be made.
                journal.note(Journal.Kind.REFUSED, piece.text());
            }
            throw e;
        }
    }

    private static boolean isMade(Piece piece, boolean makes, MigFacts before, MigFacts after) {
        long change = makes ? 1 : -1;
        return alike(after, piece) == alike(before, piece) + change;
    }

    private static long alike(MigFacts facts, Piece piece) {
        return Piece.all(facts.gpu()).stream().filter(piece::isMetBy).count();
    }

    private static Piece piece(Step step) {
        return switch (step) {
            case Step.DestroyCompute destroy -> Piece.of(destroy.of(), destroy.compute());
            case Step.DestroyGpuInstance destroy -> Piece.of(destroy.instance());
            case Step.CreateGpuInstance create -> Piece.of(create.profile().id(), create.placement());
            case Step.CreateCompute create ->
                new Piece(
                        create.profile().id(),
                        create.placement(),
                        create.compute().profileId().orElseThrow(),
                        create.compute().start().orElse(-1));
        };
    }

    private MigException refused(Step step, NvmlReturn code, int attempts, boolean isFirst, GpuIdentity gpu) {
        String times = attempts > 1 ? " " + attempts + " times" : "";
        String why = "";
        if (code.equals(NvmlReturn.IN_USE) && isFirst) {
            why = ": the first GPU instance needs an idle GPU, and " + Holders.words(holders.of(gpu));
        } else if (code.equals(NvmlReturn.IN_USE) && step instanceof Step.DestroyGpuInstance destroy) {
            GpuInstance instance = destroy.instance();
            why = ": GPU instance " + instance.id() + " is held in the driver";
        }
        return new MigException(
                MigException.Cause.REFUSED,
                code.code(),
                "NVML returned " + code + times + " when asked to " + step.words() + why);
    }

    private void pause(int attempt) throws MigException {
        try {
            clock.sleepUntil(clock.nanos() + limits.pauseAfter(attempt).toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MigException(MigException.Cause.HELD, "the change was interrupted while it waited");
        }
    }

    /** Refuses another layout than was last read. */
    static void requireSame(MigGpu expected, MigGpu actual) throws MigException {
        if (!expected.layout().equals(actual.layout())) {
            throw new MigException(
                    MigException.Cause.CHANGED,
                    "somebody else changed the layout of GPU "
                            + actual.identity().index() + ": "
                            + difference(Piece.all(expected), Piece.all(actual), actual));
        }
    }

    private static void requireNoOther(MigGpu before, MigGpu after, Piece piece, boolean makes) throws MigException {
        Set<Piece> expected = new HashSet<>(Piece.all(before));
        if (makes) {
            expected.add(piece);
        } else {
            expected.remove(piece);
        }
        Set<Piece> actual = Piece.all(after);
        if (makes && !actual.contains(piece)) {
            // The driver chose the place.
            expected.remove(piece);
            actual.removeIf(each -> piece.isMetBy(each) && !expected.contains(each));
        }
        if (!expected.equals(actual)) {
            throw new MigException(
                    MigException.Cause.CHANGED,
                    "somebody else changed the layout of GPU "
                            + after.identity().index() + ": " + difference(expected, actual, after));
        }
    }

    private static String difference(Set<Piece> expected, Set<Piece> actual, MigGpu on) {
        List<String> gone = expected.stream()
                .filter(piece -> !actual.contains(piece))
                .map(piece -> piece.words(on) + " is gone")
                .toList();
        List<String> come = actual.stream()
                .filter(piece -> !expected.contains(piece))
                .map(piece -> piece.words(on) + " has come")
                .toList();
        if (gone.isEmpty() && come.isEmpty()) {
            return "instances have other ids";
        }
        return String.join(", ", gone) + (gone.isEmpty() || come.isEmpty() ? "" : ", ") + String.join(", ", come);
    }
}
