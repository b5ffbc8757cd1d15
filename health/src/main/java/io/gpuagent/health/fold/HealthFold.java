// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.fold;

import io.gpuagent.health.catalogue.XidCatalogue;
import io.gpuagent.model.health.Acknowledgement;
import io.gpuagent.model.health.ClearsOn;
import java.util.Optional;

/**
 * Facts and one observation make the facts after it. Pure: the same observations in the same order give the same facts.
 */
public final class HealthFold {
    private final KernelRules kernel;
    private final NvmlEvents events;
    private final PollRules polls;

    /**
     * A fold.
     *
     * @param catalogue what Xids mean
     */
    public HealthFold(XidCatalogue catalogue) {
        Effects effects = new Effects(catalogue);
        XidRules xids = new XidRules(catalogue, effects);
        this.kernel = new KernelRules(catalogue, xids);
        this.events = new NvmlEvents(xids, effects);
        this.polls = new PollRules(effects);
    }

    /**
     * Folds one observation in.
     *
     * @param before what was known
     * @param seen what was seen
     * @return what is known now
     */
    public NodeFacts after(NodeFacts before, Observation seen) {
        Draft node = new Draft(before, seen.at());
        switch (seen) {
            case Observation.Started started -> started(node, started.boot());
            case Observation.KernelMessage message -> kernel.message(node, message);
            case Observation.KernelLogLost lost -> kernel.lost(node, lost.records());
            case Observation.KernelLogBroken _ -> node.source(Sources.KERNEL_LOG, source -> source.refused(1));
            case Observation.SourceChanged change -> {
                node.source(change.name(), source -> source.is(change.state(), change.detail()));
                NodeRules.sources(node);
            }
            case Observation.NvmlEvent event -> events.event(node, event);
            case Observation.GpuPolled polled -> polls.polled(node, polled.poll());
            case Observation.NodePolled polled -> NodeRules.polled(node, polled.poll());
            case Observation.ResetSeen reset -> {
                node.gpu(reset.uuid()).reset = Optional.of(reset.at());
                node.worthStoring();
            }
            case Observation.Acknowledged by -> acknowledged(node, by);
            case Observation.TimePassed _ -> passed(node);
        }
        return node.build();
    }

    /** A new boot has reset every GPU, counts Xids from the beginning, and numbers its log anew. */
    private static void started(Draft node, String boot) {
        if (node.boot.equals(boot)) {
            return;
        }
        node.boot = boot;
        node.sequence = -1;
        for (String key : node.gpuKeys()) {
            GpuDraft gpu = node.gpu(key);
            gpu.countAnew();
            gpu.reset = Optional.of(node.at);
            gpu.recovery = Optional.empty();
        }
        node.worthStoring();
    }

    private static void passed(Draft node) {
        for (String key : node.gpuKeys()) {
            NodeRules.unread(node.gpu(key));
        }
        NodeRules.unresponsive(node);
        Clearing.ofNode(node);
    }

    private static void acknowledged(Draft node, Observation.Acknowledged by) {
        long id;
        try {
            id = Long.parseLong(by.incident());
        } catch (NumberFormatException unknown) {
            return;
        }
        acknowledge(node, id, by);
        for (String key : node.gpuKeys()) {
            GpuDraft gpu = node.gpu(key);
            acknowledge(gpu, id, by);
        }
    }

    /** What a person answers for is over, unless a reading goes on saying it. */
    private static void acknowledge(ProblemOwner owner, long id, Observation.Acknowledged by) {
        Optional<Problem> problem = owner.problems().byId(id).filter(Problem::isOpen);
        if (problem.isEmpty()) {
            return;
        }
        Problem seen = problem.get()
                .draft()
                .acknowledged(Optional.of(new Acknowledgement(by.who(), by.at().wall(), by.why())))
                .build();
        owner.put(seen);
        if (owner instanceof GpuDraft gpu && seen.key().code().equals(PollRules.MISSING)) {
            // The node keeps what was said of a GPU that it no longer has.
            gpu.node()
                    .keep(seen.draft()
                            .cleared(by.at(), ClearsOn.ACKNOWLEDGEMENT.sentence())
                            .build());
            gpu.node().unlearn(gpu.key());
            gpu.forget();
            return;
        }
        if (seen.clearsOn() == ClearsOn.ACKNOWLEDGEMENT && !seen.isLive()) {
            owner.put(seen.draft()
                    .cleared(by.at(), ClearsOn.ACKNOWLEDGEMENT.sentence())
                    .build());
        }
    }
}
