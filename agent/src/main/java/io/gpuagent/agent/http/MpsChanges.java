// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import io.gpuagent.agent.config.BadValueException;
import io.gpuagent.agent.mps.MpsService;
import io.gpuagent.agent.mps.MpsTarget;
import io.gpuagent.control.Request;
import io.gpuagent.model.Share;
import io.gpuagent.model.UserText;
import io.gpuagent.model.mps.MpsDaemonView;
import io.gpuagent.model.mps.MpsNodeView;
import io.gpuagent.model.mps.MpsState;
import io.gpuagent.mps.supervise.DaemonWish;
import io.gpuagent.mps.supervise.StopMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads what is asked for out of a path and a body. */
final class MpsChanges {
    private final MpsService service;
    private final Duration drain;

    /** A change that was asked for. */
    record Asked(String daemon, Request request, boolean dryRun) {}

    MpsChanges(MpsService service, Duration drain) {
        this.service = service;
        this.drain = drain;
    }

    /** {@code POST /v1/mps/daemons}. */
    Asked start(ChangeBody body) throws ProblemException {
        Optional<String> name = body.text("name");
        List<String> targets = new ArrayList<>(body.texts("targets"));
        body.text("target").ifPresent(targets::add);
        Share share = body.share();
        Optional<Boolean> multiUser = body.truth("multi_user");
        Optional<Boolean> exclusive = body.truth("exclusive_process");
        boolean dryRun = body.truth("dry_run").orElse(false);
        body.finish();
        if (targets.isEmpty()) {
            throw ChangeProblems.badRequest(
                    "no GPU or MIG device is named: say which in target, or a group's in targets");
        }
        if (targets.size() > 1 && name.isEmpty()) {
            throw ChangeProblems.badRequest("a daemon for several GPUs is a group: give it a name");
        }
        MpsNodeView mps = service.view();
        Optional<MpsDaemonView> named = withId(mps, name.orElse(targets.getFirst()));
        List<String> devices = name.isEmpty() && named.isPresent() ? named.get().devices() : devices(targets);
        if (name.isPresent()) {
            checkName(name.get(), devices, named);
        }
        Optional<MpsDaemonView> known = named.or(() -> name.isPresent() ? Optional.empty() : ofDevice(mps, devices));
        String id =
                known.map(MpsDaemonView::id).or(() -> name).orElseGet(() -> MpsTarget.idOf(devices.getFirst(), mps));
        if (known.flatMap(MpsDaemonView::drainingUntil).isPresent()) {
            return asked(id, dryRun, () -> new Request.MpsCallOffDrain(id));
        }
        DaemonWish wish = new DaemonWish(
                id,
                devices,
                known.map(MpsDaemonView::wanted).map(share::over).orElse(share),
                multiUser.or(() -> known.map(MpsDaemonView::multiUser)).orElse(false),
                exclusive.or(() -> known.map(MpsDaemonView::exclusiveProcess)).orElse(false));
        return asked(id, dryRun, () -> new Request.MpsStart(wish));
    }

    private static Optional<MpsDaemonView> withId(MpsNodeView mps, String id) {
        return mps.daemons().stream().filter(daemon -> daemon.id().equals(id)).findFirst();
    }

    /** A daemon that was there before keeps what it had, where nothing else is asked for. */
    private static Optional<MpsDaemonView> ofDevice(MpsNodeView mps, List<String> devices) {
        return mps.daemons().stream()
                .filter(daemon -> daemon.devices().equals(devices))
                .findFirst();
    }

    /** A name must not take over what belongs to other devices. */
    private static void checkName(String name, List<String> devices, Optional<MpsDaemonView> named)
            throws ProblemException {
        if (name.startsWith("gpu-") || name.startsWith("mig-")) {
            throw ChangeProblems.badRequest(
                    "the name " + UserText.quoted(name)
                            + " begins like the id of a single device's daemon: choose one that does not begin with gpu- or mig-");
        }
        if (named.isPresent() && !named.get().devices().equals(devices)) {
            throw ChangeProblems.badRequest("the group " + UserText.quoted(name) + " has other devices, "
                    + String.join(", ", named.get().devices()) + ": name these, or choose another name");
        }
    }

    private List<String> devices(List<String> targets) throws ProblemException {
        List<String> devices = new ArrayList<>();
        for (String target : targets) {
            try {
                devices.add(new MpsTarget(target).device(service.node()));
            } catch (BadValueException e) {
                throw ChangeProblems.notFound(e);
            }
        }
        return devices;
    }

    /** {@code POST /v1/mps/daemons/ID/...}. */
    Asked change(String named, String what, ChangeBody body) throws ProblemException {
        String id = daemon(named).id();
        boolean dryRun = body.truth("dry_run").orElse(false);
        return switch (what) {
            case "stop" -> {
                StopMode mode = body.part("mode", MpsChanges::stopMode).orElse(StopMode.REFUSE);
                Optional<Duration> within = body.whole("deadline_seconds").map(Duration::ofSeconds);
                body.finish();
                if (mode == StopMode.REFUSE && within.isPresent()) {
                    throw ChangeProblems.badRequest("deadline_seconds is how long clients may take, and the mode refuse"
                            + " waits for none: leave it out, or write the mode drain or force");
                }
                yield asked(id, dryRun, () -> new Request.MpsStop(id, mode, within.orElse(drain)));
            }
            case "set" -> {
                Share share = body.share();
                body.finish();
                yield asked(id, dryRun, () -> new Request.MpsSet(id, share));
            }
            case "resume" -> {
                body.finish();
                boolean drains = daemon(id).state() == MpsState.DRAINING;
                yield asked(id, dryRun, () -> drains ? new Request.MpsCallOffDrain(id) : new Request.MpsResume(id));
            }
            default -> {
                Optional<Long> pid = body.whole("pid");
                body.finish();
                if (pid.isEmpty()) {
                    throw ChangeProblems.badRequest("no client is named: say its process id in pid");
                }
                yield asked(id, dryRun, () -> new Request.MpsTerminateClient(id, pid.get()));
            }
        };
    }

    MpsDaemonView daemon(String named) throws ProblemException {
        try {
            return new MpsTarget(named).daemon(service.view(), service.node());
        } catch (BadValueException e) {
            throw ChangeProblems.notFound(e);
        }
    }

    /** The port's requests check their own arguments, with a sentence. */
    private interface Maker {
        Request make();
    }

    private static Asked asked(String id, boolean dryRun, Maker maker) throws ProblemException {
        try {
            return new Asked(id, maker.make(), dryRun);
        } catch (IllegalArgumentException e) {
            throw ChangeProblems.badRequest(String.valueOf(e.getMessage()));
        }
    }

    private static StopMode stopMode(String text) {
        for (StopMode mode : StopMode.values()) {
            if (mode.name().toLowerCase(Locale.ROOT).equals(text)) {
                return mode;
            }
        }
        throw new IllegalArgumentException(
                "there is no mode " + UserText.quoted(text) + "; write refuse, drain or force");
    }
}
