// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import io.gpuagent.exporters.MetricFamily.Samples;
import io.gpuagent.model.GpuIdentity;
import io.gpuagent.model.GpuSnapshot;
import io.gpuagent.model.Share;
import io.gpuagent.model.mps.MpsDaemonView;
import io.gpuagent.model.mps.MpsServerView;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** How series of MPS are named: by daemon, by server or client below it, and by device. */
final class MpsLabels {
    /** Which limit a series tells: what servers start with, or what a running one lets clients in under. */
    static final String[] LEVELS = {"default", "server"};

    private MpsLabels() {}

    /** A family of one sample for each daemon. */
    static MetricFamily daemon(
            String name, MetricFamily.Type type, String help, String source, ToDoubleFunction<MpsDaemonView> value) {
        return daemons(
                builder(name, type, help).source(source),
                (daemon, samples) -> samples.add(value.applyAsDouble(daemon), daemon.id()));
    }

    static FamilyBuilder builder(String name, MetricFamily.Type type, String help) {
        return FamilyBuilder.node(name, type, MetricFamily.Group.MPS, help).label("mps");
    }

    /** A family whose samples come from each daemon by itself. */
    static MetricFamily daemons(FamilyBuilder family, BiConsumer<MpsDaemonView, Samples> part) {
        return family.fromMps((node, mps, samples) -> mps.daemons().forEach(daemon -> part.accept(daemon, samples)));
    }

    /** A family of one part of a share, of the defaults and of each server; a part without a limit has no series. */
    static <P> MetricFamily limits(FamilyBuilder family, Function<Share, Optional<P>> part, ToDoubleFunction<P> value) {
        return daemons(family.label("level", LEVELS).label("server"), (daemon, samples) -> {
            daemon.inForce()
                    .flatMap(part)
                    .ifPresent(limit -> samples.add(value.applyAsDouble(limit), daemon.id(), LEVELS[0], ""));
            for (MpsServerView server : daemon.servers()) {
                server.share()
                        .flatMap(part)
                        .ifPresent(limit -> samples.add(
                                value.applyAsDouble(limit), daemon.id(), LEVELS[1], Long.toString(server.pid())));
            }
        });
    }

    /** The index of a whole GPU; empty for a MIG device, which has none. */
    static String index(List<GpuSnapshot> gpus, String device) {
        return gpus.stream()
                .map(GpuSnapshot::identity)
                .filter(gpu -> gpu.uuid().equals(device))
                .map(GpuIdentity::index)
                .map(index -> Integer.toString(index))
                .findFirst()
                .orElse("");
    }

    /** The daemon that serves a device; empty where none does any more. */
    static String daemonOf(List<MpsDaemonView> daemons, String device) {
        return daemons.stream()
                .filter(daemon -> daemon.devices().contains(device))
                .map(MpsDaemonView::id)
                .findFirst()
                .orElse("");
    }
}
