// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.fold;

import io.gpuagent.health.catalogue.XidCatalogue;
import io.gpuagent.health.line.KernelLine;
import io.gpuagent.health.line.KernelLines;
import io.gpuagent.model.health.ClearsOn;
import io.gpuagent.model.health.HealthAction;
import io.gpuagent.model.health.HealthSource;
import io.gpuagent.model.health.HealthState;
import java.time.Duration;
import java.util.Optional;

/** The kernel's log: which records count, and what the driver's other lines say. */
final class KernelRules {
    static final String OFF_BUS = "gpu_off_bus";
    private static final int GSP_TIMEOUT = 119;
    private static final int GSP_ERROR = 120;
    private static final int OFF_BUS_XID = 79;
    private static final Duration ONE_INCIDENT = Duration.ofMinutes(1);

    private final XidCatalogue catalogue;
    private final XidRules xids;

    KernelRules(XidCatalogue catalogue, XidRules xids) {
        this.catalogue = catalogue;
        this.xids = xids;
    }

    void message(Draft node, Observation.KernelMessage message) {
        boolean isJournal = message.source() == HealthSource.JOURNAL;
        if (!isJournal) {
            if (!message.boot().equals(node.boot) || message.sequence() <= node.sequence) {
                return;
            }
            node.sequence = message.sequence();
            node.source(Sources.KERNEL_LOG, source -> source.received(1));
        }
        Optional<KernelLine> line = KernelLines.parse(message.text());
        if (line.isEmpty()) {
            return;
        }
        if (!message.isFromKernel()) {
            node.source(Sources.KERNEL_LOG, source -> source.refused(1));
            return;
        }
        switch (line.get()) {
            case KernelLine.Xid xid -> xids.line(node.gpuAt(xid.pci()), xid, message.source(), message.boot());
            case KernelLine.Sxid sxid -> sxid(node, sxid, message.source());
            case KernelLine.OffBus(var pci) -> offBus(node.gpuAt(pci), message);
            case KernelLine.InitFailed failed -> initFailed(node, failed, message);
            case KernelLine.GpuAt(var pci, var uuid) -> node.learn(pci, uuid);
            case KernelLine.RateLimited limited -> rateLimited(node.gpuAt(limited.pci()));
            case KernelLine.VersionMismatch mismatch -> mismatch(node, mismatch, message.source());
            case KernelLine.RemovedInUse(var pci) ->
                burst(
                        node.gpuAt(pci),
                        ProblemKey.of("remove_in_use"),
                        new Effect(HealthState.WARN, HealthAction.NONE),
                        ClearsOn.QUIET,
                        "somebody tried to remove the GPU while it is in use",
                        message.source());
        }
    }

    void lost(Draft node, long records) {
        node.source(Sources.KERNEL_LOG, source -> source.lost(records));
        for (String key : node.gpuKeys()) {
            node.gpu(key).moreThanCounted();
        }
        burst(
                node,
                ProblemKey.of("kernel_log_lost"),
                new Effect(HealthState.WARN, HealthAction.NONE),
                ClearsOn.QUIET,
                "records of the kernel's log were overwritten before they could be read; Xids may be missing",
                HealthSource.AGENT);
    }

    /** One more sign of what is no Xid: of the burst that goes on, or of a new one. */
    private static void burst(
            ProblemOwner owner, ProblemKey key, Effect effect, ClearsOn clearsOn, String text, HealthSource source) {
        Draft node = owner.node();
        Optional<Problem> same =
                owner.problems().latest(problem -> problem.key().equals(key));
        if (same.isPresent() && !node.at.isPast(same.get().last(), XidRules.BURST)) {
            owner.put(same.get().seen(node.at, 1, source, Optional.empty()));
            return;
        }
        Problem problem = Problem.begin(node.nextProblemId(), key, node.boot, node.at)
                .said(effect)
                .clearsOn(clearsOn, false)
                .text(text)
                .seen(node.at, 1, source)
                .build();
        same.ifPresent(old -> owner.put(old.draft()
                .cleared(node.at, "it came again, as incident " + problem.id())
                .build()));
        owner.put(problem);
    }

    /** Two to four lines with one number are one error; only the first of them has a word. */
    private void sxid(Draft node, KernelLine.Sxid line, HealthSource source) {
        String link = line.link().isPresent() ? " link " + line.link().getAsInt() : "";
        HealthState state = catalogue.sxid(line.code(), line.word());
        boolean isFatal = state == HealthState.CRITICAL;
        String code = "sxid_" + line.code();
        if (line.word().isEmpty()) {
            Optional<Problem> root = node.problems()
                    .latest(problem -> problem.key().code().equals(code)
                            && problem.key().part().startsWith(line.pci().busId())
                            && !node.at.isPast(problem.last(), ONE_INCIDENT));
            if (root.isPresent()) {
                return;
            }
        }
        burst(
                node,
                new ProblemKey(code, -1, -1, line.pci().busId() + link),
                new Effect(state, isFatal ? HealthAction.DRAIN_AND_RESET : HealthAction.NONE),
                isFatal ? ClearsOn.REBOOT : ClearsOn.QUIET,
                line.device() + link + ": " + line.message(),
                source);
    }

    private static void offBus(GpuDraft gpu, Observation.KernelMessage message) {
        boolean isToldByXid = gpu.problems()
                .latest(problem -> problem.xid() == OFF_BUS_XID && !gpu.at().isPast(problem.last(), ONE_INCIDENT))
                .isPresent();
        if (!isToldByXid) {
            burst(
                    gpu,
                    ProblemKey.of(OFF_BUS),
                    new Effect(HealthState.CRITICAL, HealthAction.REBOOT),
                    ClearsOn.REBOOT,
                    "the GPU has left the bus",
                    message.source());
        }
    }

    private static void initFailed(Draft node, KernelLine.InitFailed failed, Observation.KernelMessage message) {
        ProblemOwner owner = failed.pci().<ProblemOwner>map(node::gpuAt).orElse(node);
        burst(
                owner,
                ProblemKey.of("gpu_init_failed"),
                new Effect(HealthState.CRITICAL, HealthAction.REBOOT),
                ClearsOn.QUIET,
                "the driver could not start the GPU (" + failed.detail() + ")",
                message.source());
    }

    /** From here on there are more errors than lines. */
    private static void rateLimited(GpuDraft gpu) {
        gpu.moreThanCounted(GSP_TIMEOUT);
        gpu.moreThanCounted(GSP_ERROR);
        gpu.problems()
                .latest(problem -> (problem.xid() == GSP_TIMEOUT || problem.xid() == GSP_ERROR) && !problem.isAtLeast())
                .ifPresent(problem -> gpu.put(problem.draft().atLeast().build()));
    }

    private static void mismatch(Draft node, KernelLine.VersionMismatch mismatch, HealthSource source) {
        burst(
                node,
                ProblemKey.of("version_mismatch"),
                new Effect(HealthState.DEGRADED, HealthAction.REBOOT),
                ClearsOn.QUIET,
                mismatch.client() + " came with version " + mismatch.library() + " of the driver's library, the loaded "
                        + "module is " + mismatch.module() + "; load the driver anew, or restart the machine",
                source);
    }
}
