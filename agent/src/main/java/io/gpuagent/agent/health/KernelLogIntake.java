// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.health;

import io.gpuagent.health.fold.Moment;
import io.gpuagent.health.fold.Observation;
import io.gpuagent.health.fold.Sources;
import io.gpuagent.host.HostView;
import io.gpuagent.host.kernel.KernelLogListener;
import io.gpuagent.host.kernel.KernelLogRecord;
import io.gpuagent.host.kernel.KernelLogState;
import io.gpuagent.host.kernel.NvidiaModule;
import io.gpuagent.model.health.HealthSource;
import io.gpuagent.model.health.SourceStatus;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Turns records of the kernel's log into observations. */
final class KernelLogIntake implements KernelLogListener {
    private final String boot;
    private final HostView host;
    private final Supplier<Moment> now;
    private final Consumer<Observation> sink;

    KernelLogIntake(String boot, HostView host, Supplier<Moment> now, Consumer<Observation> sink) {
        this.boot = boot;
        this.host = host;
        this.now = now;
        this.sink = sink;
    }

    @Override
    public void record(KernelLogRecord log, long ageNanos) {
        if (mayConcernGpus(log.text())) {
            sink.accept(new Observation.KernelMessage(
                    now.get().minusNanos(ageNanos),
                    boot,
                    log.sequence(),
                    log.isFromKernel(),
                    HealthSource.KMSG,
                    log.text()));
        }
    }

    /** All of a busy machine's log passes here; the driver's own lines have one of these. */
    private static boolean mayConcernGpus(String text) {
        return text.contains("NVRM") || text.contains("SXid") || text.contains("nvidia");
    }

    @Override
    public void lost(long records) {
        sink.accept(new Observation.KernelLogLost(now.get(), records));
    }

    @Override
    public void broken() {
        sink.accept(new Observation.KernelLogBroken(now.get()));
    }

    @Override
    public void changed(KernelLogState state, String detail) {
        switch (state) {
            case OPEN -> open();
            case DENIED -> is(SourceStatus.State.DENIED, detail);
            case ABSENT -> is(SourceStatus.State.ABSENT, detail);
            case FAILED -> is(SourceStatus.State.FAILED, detail);
            case CLOSED -> {
                // The agent ends.
            }
        }
    }

    /** A log that can be read and that the driver writes nothing to is no source. */
    private void open() {
        boolean isSilent =
                NvidiaModule.read(host).logsXids().filter(does -> !does).isPresent();
        if (isSilent) {
            is(
                    SourceStatus.State.DISABLED,
                    "the driver writes no Xids to the kernel's log: its module was loaded with RmLogonRC=0");
        } else {
            is(SourceStatus.State.OK, "");
        }
    }

    private void is(SourceStatus.State state, String detail) {
        sink.accept(new Observation.SourceChanged(now.get(), Sources.KERNEL_LOG, state, detail));
    }
}
