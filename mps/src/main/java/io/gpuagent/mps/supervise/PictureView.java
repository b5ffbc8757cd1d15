// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.model.Share;
import io.gpuagent.model.ThreadPercentage;
import io.gpuagent.model.mps.MpsClientView;
import io.gpuagent.model.mps.MpsDaemonView;
import io.gpuagent.model.mps.MpsDeviceLoad;
import io.gpuagent.model.mps.MpsReason;
import io.gpuagent.model.mps.MpsServerView;
import io.gpuagent.model.mps.ProcessOwnerView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * A daemon as it is shown.
 *
 * @param record what is kept of it
 * @param picture what is known of it
 * @param facts what is known of its clients' processes, by pid
 * @param place where it lives
 * @param clientSlots how many contexts a device has room for
 */
record PictureView(
        DaemonRecord record, DaemonPicture picture, Map<Long, ClientFacts> facts, DaemonPlace place, int clientSlots) {
    PictureView {
        facts = Map.copyOf(facts);
    }

    MpsDaemonView daemon(GpuUse gpus, Instant now) {
        StateRule rule = new StateRule(picture, record, now);
        DaemonSpec spec = record.spec();
        List<MpsClientView> clients = picture.clients().values().stream()
                .map(client -> client(client, gpus))
                .toList();
        return new MpsDaemonView(
                spec.id(),
                spec.devices(),
                rule.state(),
                rule.detail(),
                picture.daemon().map(process -> OptionalLong.of(process.pid())).orElse(OptionalLong.empty()),
                picture.startedAt(),
                place.folders().pipe().path(),
                place.folders().log(),
                spec.uid(),
                spec.multiUser(),
                spec.exclusiveProcess(),
                spec.share(),
                picture.inForce(),
                picture.inForceAt(),
                picture.servers().values().stream()
                        .map(server -> new MpsServerView(
                                server.pid(), server.uid(), server.word(), server.share(), server.startedAt()))
                        .toList(),
                clients,
                picture.pending(),
                clientSlots,
                picture.counters(),
                Stream.concat(rule.reasons().stream(), reasons(clients)).toList(),
                record.drain().filter(_ -> record.isDraining(now)).map(Drain::until));
    }

    private Stream<MpsReason> reasons(List<MpsClientView> clients) {
        List<MpsReason> reasons = new ArrayList<>();
        for (MpsClientView client : clients) {
            client.escape()
                    .ifPresent(sentence ->
                            reasons.add(new MpsReason("mps_escape", "client " + client.pid() + ": " + sentence)));
        }
        int contexts = clients.stream().mapToInt(MpsClientView::contexts).sum();
        // Contexts are counted for each device; those of a group's clients may be on any of them.
        if (record.spec().devices().size() == 1 && contexts * 10 >= clientSlots * 8) {
            reasons.add(new MpsReason(
                    "mps_slots",
                    "its clients have " + contexts + " of the " + clientSlots
                            + " contexts that a device has room for; the next ones are refused"));
        }
        return reasons.stream();
    }

    private MpsClientView client(ClientPicture client, GpuUse gpus) {
        Optional<ClientFacts> known = Optional.ofNullable(facts.get(client.pid()));
        Optional<Share> share = client.connectedAt().flatMap(record.history()::at);
        Optional<ClientEnvironments.Own> own = known.flatMap(ClientFacts::own);
        return new MpsClientView(
                client.pid(),
                client.command().or(() -> known.flatMap(ClientFacts::name)),
                known.map(ClientFacts::uid).orElse(OptionalLong.empty()),
                known.map(ClientFacts::owner).orElse(ProcessOwnerView.UNKNOWN),
                client.server(),
                client.count(),
                memory(client, gpus),
                client.connectedAt(),
                share,
                own.map(ClientEnvironments.Own::share),
                share.map(under -> !EffectiveShare.same(under, record.spec().share())),
                multiprocessors(client, share, own, gpus),
                own.flatMap(ClientEnvironments.Own::escape));
    }

    private List<String> devices(ClientPicture client) {
        List<String> named = record.spec().devices().stream()
                .filter(device ->
                        client.devices().stream().anyMatch(start -> !start.isEmpty() && device.startsWith(start)))
                .toList();
        return named.isEmpty() ? record.spec().devices() : named;
    }

    private OptionalLong memory(ClientPicture client, GpuUse gpus) {
        long sum = 0;
        boolean told = false;
        for (String device : record.spec().devices()) {
            Optional<OptionalLong> use = gpus.device(device)
                    .flatMap(GpuUse.Device::mpsClients)
                    .map(clients -> clients.getOrDefault(client.pid(), OptionalLong.empty()));
            if (use.isPresent() && use.get().isPresent()) {
                sum += use.get().getAsLong();
                told = true;
            }
        }
        return told ? OptionalLong.of(sum) : OptionalLong.empty();
    }

    /** The smaller share counts; of several devices, the first one is told. */
    private OptionalInt multiprocessors(
            ClientPicture client, Optional<Share> share, Optional<ClientEnvironments.Own> own, GpuUse gpus) {
        OptionalInt all = gpus.device(devices(client).getFirst())
                .map(GpuUse.Device::multiprocessors)
                .orElse(OptionalInt.empty());
        if (all.isEmpty() || share.isEmpty()) {
            return OptionalInt.empty();
        }
        ThreadPercentage allowed = EffectiveShare.of(share.get()).threads().orElseThrow();
        ThreadPercentage asked = own.flatMap(one -> one.share().threads()).orElse(ThreadPercentage.ALL);
        return OptionalInt.of((allowed.compareTo(asked) < 0 ? allowed : asked).multiprocessors(all.getAsInt()));
    }

    /** What the clients may use together, of each device. */
    Stream<MpsDeviceLoad> loads(MpsDaemonView daemon, GpuUse gpus) {
        return daemon.devices().stream()
                .map(uuid -> DeviceLoad.of(uuid, gpus.device(uuid), daemon.state(), clientsOn(uuid, daemon)));
    }

    private List<MpsClientView> clientsOn(String uuid, MpsDaemonView daemon) {
        return daemon.clients().stream()
                .filter(client -> Optional.ofNullable(picture.clients().get(client.pid()))
                        .filter(known -> devices(known).contains(uuid))
                        .isPresent())
                .toList();
    }
}
