// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.direct;

import io.gpuagent.control.Answer;
import io.gpuagent.control.Caller;
import io.gpuagent.control.ControlException;
import io.gpuagent.control.ControlPort;
import io.gpuagent.control.MigRequest;
import io.gpuagent.control.Outcome;
import io.gpuagent.control.RefusalCode;
import io.gpuagent.control.Request;
import io.gpuagent.control.mig.MigLayouts;
import io.gpuagent.control.wire.RequestJson;
import io.gpuagent.host.DeviceHolders;
import io.gpuagent.host.GpuEnvironment;
import io.gpuagent.host.HostException;
import io.gpuagent.host.HostView;
import io.gpuagent.model.time.Clock;
import io.gpuagent.mps.supervise.Change;
import io.gpuagent.mps.supervise.ChangeRefused;
import io.gpuagent.mps.supervise.ComputeModes;
import io.gpuagent.mps.supervise.MpsSupervision;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Carries requests out in this process. A change takes the locks of its subjects, is written to the audit log, asks the
 * requester to let go of its GPUs, and then runs on a thread of its own. A change that outlasts its deadline is answered
 * with {@code OUTCOME_UNKNOWN} and goes on, neither repeated nor undone; it keeps its locks until it comes back.
 */
public final class DirectPort implements ControlPort {
    private static final AtomicLong CHANGES = new AtomicLong();

    private final HostView host;
    private final ControlFolders folders;
    private final Daemons daemons;
    private final ComputeModes modes;
    private final MigLayouts layouts;
    private final AuditLog audit;
    private final Clock clock;

    /** Where the supervision of MPS daemons comes from. */
    @FunctionalInterface
    public interface Daemons {
        /**
         * The supervision; asked for each change of a daemon.
         *
         * @return the same one each time, where there is one that watches
         * @throws ChangeRefused where no daemon can be managed
         */
        MpsSupervision open() throws ChangeRefused;
    }

    /**
     * A port.
     *
     * @param host the machine
     * @param folders where locks, state and logs are
     * @param daemons opens the supervision of MPS daemons, when a request needs it
     * @param modes changes compute modes
     * @param layouts changes MIG layouts and modes
     * @param requester who asks, for the audit log
     * @param clock the time
     */
    public DirectPort(
            HostView host,
            ControlFolders folders,
            Daemons daemons,
            ComputeModes modes,
            MigLayouts layouts,
            Requester requester,
            Clock clock) {
        this.host = host;
        this.folders = folders;
        this.daemons = daemons;
        this.modes = modes;
        this.layouts = layouts;
        this.clock = clock;
        audit = new AuditLog(new AuditFile(folders.auditLog(), clock), requester, clock);
    }

    @Override
    public Answer perform(Request request, Caller caller) {
        try {
            if (request instanceof MigRequest.Read read) {
                return layout(read, caller);
            }
            return request.isChange() ? change(request, caller) : new Answer.Done(read(request));
        } catch (ControlException e) {
            return e.refusal();
        }
    }

    /**
     * Waits for changes of this process that are in flight, before the process ends.
     *
     * @param within how long for each; one that hangs in the driver is left behind then
     * @throws InterruptedException when interrupted
     */
    public static void awaitChanges(Duration within) throws InterruptedException {
        ChangeRun.awaitAll(within);
    }

    private Outcome read(Request request) throws ControlException {
        return switch (request) {
            case Request.ReadEnvironments(var pids) ->
                new Outcome.Environments(pids.stream()
                        .map(pid -> GpuEnvironment.read(host, pid))
                        .flatMap(Optional::stream)
                        .toList());
            case Request.ListHolders(var nodes) -> {
                try {
                    yield new Outcome.Holders(new DeviceHolders(host).of(nodes));
                } catch (HostException e) {
                    throw new ControlException(RefusalCode.FAILED, String.valueOf(e.getMessage()), e);
                }
            }
            default -> throw new IllegalArgumentException(request.verb() + " is a change");
        };
    }

    private Answer change(Request request, Caller caller) throws ControlException {
        folders.prepare(host.uid());
        long deadline = clock.nanos() + request.deadline().toNanos();
        String change = ProcessHandle.current().pid() + "-" + CHANGES.incrementAndGet();
        ChangeLocks.Held locks = new ChangeLocks(folders.locks(), host).take(request.subjects());
        boolean handedOver = false;
        try {
            begin(change, request);
            if (!request.quiesces().isEmpty() && !caller.quiesce(request.quiesces())) {
                return end(change, request, notQuiesced(request), deadline);
            }
            caller.begun();
            ChangeRun run = new ChangeRun(requests -> {
                try (locks) {
                    Answer answer = carryOut(request, requests);
                    return end(change, request, answer, deadline);
                }
            });
            handedOver = true;
            return run.await(caller, deadline, clock).orElseGet(() -> late(change, request));
        } finally {
            if (!handedOver) {
                locks.close();
            }
        }
    }

    private static Answer.Refused notQuiesced(Request request) {
        return new Answer.Refused(
                RefusalCode.NOT_QUIESCED,
                "the agent did not let go of " + String.join(", ", request.quiesces())
                        + "; a GPU whose driver call does not return is left alone");
    }

    /** A reading of a layout excludes changes, as they exclude it: the driver takes whoever reads an instance for a user. */
    private Answer layout(MigRequest.Read request, Caller caller) throws ControlException {
        folders.prepare(host.uid());
        long deadline = clock.nanos() + request.deadline().toNanos();
        ChangeLocks.Held locks = new ChangeLocks(folders.locks(), host).take(request.subjects());
        boolean handedOver = false;
        try {
            if (!caller.quiesce(request.quiesces())) {
                return notQuiesced(request);
            }
            ChangeRun run = new ChangeRun(_ -> {
                try (locks) {
                    return new Answer.Done(layouts.read(request));
                } catch (ControlException e) {
                    return e.refusal();
                } catch (RuntimeException e) {
                    return new Answer.Refused(
                            RefusalCode.FAILED, request.verb() + " broke off with a fault of the agent itself: " + e);
                }
            });
            handedOver = true;
            return run.await(caller, deadline, clock)
                    .orElseGet(() -> new Answer.Refused(
                            RefusalCode.FAILED,
                            request.verb() + " has not come back within "
                                    + request.deadline().toSeconds()
                                    + " s; the GPU is left alone until it has: look at the kernel's log"));
        } finally {
            if (!handedOver) {
                locks.close();
            }
        }
    }

    private Answer carryOut(Request request, ChangeRun.Requests requests) {
        Consumer<String> progress = requests::progress;
        try {
            if (request instanceof MigRequest mig) {
                return new Answer.Done(layouts.change(mig, progress, requests::goesOn));
            }
            Change change = switch (request) {
                case Request.MpsStart(var wish) -> daemons.open().start(wish, progress);
                case Request.MpsStop(var id, var mode, var grace) ->
                    daemons.open().stop(id, mode, grace, progress);
                case Request.MpsSet(var id, var share) -> daemons.open().set(id, share, progress);
                case Request.MpsTerminateClient(var id, var pid) ->
                    daemons.open().terminateClient(id, pid, progress);
                case Request.MpsResume(var id) -> daemons.open().resume(id, progress);
                case Request.MpsCallOffDrain(var id) -> daemons.open().callOffDrain(id, progress);
                case Request.SetComputeMode(var gpu, var mode) -> {
                    ComputeModes.Mode before = modes.read(gpu);
                    modes.set(gpu, mode);
                    yield new Change(RequestJson.label(before), RequestJson.label(mode), List.of());
                }
                case MigRequest _, Request.ReadEnvironments _, Request.ListHolders _ ->
                    throw new IllegalArgumentException(request.verb() + " is no change");
            };
            return new Answer.Done(new Outcome.Changed(change.before(), change.after(), change.lines()));
        } catch (ControlException e) {
            return e.refusal();
        } catch (ChangeRefused e) {
            return new Answer.Refused(code(e.kind()), String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            // A fault of ours in the middle of a change: how far it came is not known.
            return new Answer.Refused(
                    RefusalCode.OUTCOME_UNKNOWN,
                    request.verb() + " broke off with a fault of the agent itself (" + e
                            + "); look at the state before asking again");
        }
    }

    private static RefusalCode code(ChangeRefused.Kind kind) {
        return switch (kind) {
            case BAD_REQUEST -> RefusalCode.BAD_REQUEST;
            case NOT_FOUND -> RefusalCode.NOT_FOUND;
            case NOT_ALLOWED -> RefusalCode.NOT_ALLOWED;
            case NOT_SUPPORTED -> RefusalCode.NOT_SUPPORTED;
            case IN_USE -> RefusalCode.IN_USE;
            case FAILED -> RefusalCode.FAILED;
            case HALF_DONE -> RefusalCode.HALF_DONE;
        };
    }

    private void begin(String change, Request request) throws ControlException {
        try {
            audit.begun(change, request);
        } catch (IOException e) {
            throw new ControlException(
                    RefusalCode.NOT_RECORDED,
                    "the audit log " + folders.auditLog() + " cannot be written, so nothing is changed: " + e
                            + "; make room, or correct its owner",
                    e);
        }
    }

    /** A change whose end cannot be written down has been made all the same, and the answer says both. */
    private Answer end(String change, Request request, Answer answer, long deadline) {
        Duration took = request.deadline().minusNanos(deadline - clock.nanos());
        try {
            audit.ended(change, request, answer, took);
            return answer;
        } catch (IOException e) {
            String told = "the audit log " + folders.auditLog() + " could not be written at the end: " + e;
            return switch (answer) {
                case Answer.Done(Outcome.Changed(var before, var after, var lines)) ->
                    new Answer.Done(new Outcome.Changed(
                            before,
                            after,
                            Stream.concat(lines.stream(), Stream.of(told)).toList()));
                case Answer.Done done -> done;
                case Answer.Refused(var code, var sentence) -> new Answer.Refused(code, sentence + "; " + told);
            };
        }
    }

    private Answer late(String change, Request request) {
        String sentence = request.verb() + " has not come back within "
                + request.deadline().toSeconds()
                + " s; it goes on, and whether it was done is not known: look at the state before asking again";
        try {
            audit.late(change, request);
        } catch (IOException e) {
            sentence += "; the audit log could not be written: " + e;
        }
        return new Answer.Refused(RefusalCode.OUTCOME_UNKNOWN, sentence);
    }
}
