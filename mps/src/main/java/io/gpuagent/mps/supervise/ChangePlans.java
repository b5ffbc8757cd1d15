// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.model.Share;
import io.gpuagent.model.ThreadPercentage;
import io.gpuagent.model.mps.MpsClientView;
import io.gpuagent.model.mps.MpsDaemonView;
import io.gpuagent.model.mps.MpsState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/** Says what changes would do. */
final class ChangePlans {
    private final GpuUse gpus;

    ChangePlans(GpuUse gpus) {
        this.gpus = gpus;
    }

    Effect start(DaemonWish wish) {
        long computing = wish.devices().stream()
                .flatMap(device -> gpus.device(device).stream())
                .flatMap(device -> device.computing().stream())
                .mapToLong(processes -> processes.size())
                .sum();
        String others = computing == 0
                ? ""
                : "; " + counted(computing, "process that computes", "processes that compute")
                        + " there now will be past it, without limits, until started again";
        String exclusive = wish.exclusiveProcess()
                ? "; its GPUs are set to EXCLUSIVE_PROCESS, so that nobody can go past it"
                : "; a program with another pipe directory goes past it and has the whole GPU";
        return new Effect(
                Effect.Reach.NEW_CLIENTS,
                "programs that start with its pipe directory from now on get " + amount(wish.share(), wish.devices())
                        + "; " + DaemonSpec.of(wish, 0).mode() + ofMemory(wish.share()) + exclusive + others,
                List.of(),
                List.of());
    }

    /** k8s-device-plugin 764: who looks at the total takes the limit for off. */
    private static String ofMemory(Share share) {
        return share.memory().isPresent()
                ? "; the limit of memory holds for each process and shows as free memory, while the total that programs"
                        + " see stays the whole device's"
                : "";
    }

    Effect alreadyRuns(boolean drains) {
        return new Effect(
                Effect.Reach.NEW_CLIENTS,
                drains
                        ? "its drain is called off: it is not stopped when its clients have gone"
                        : "it runs already, with these settings",
                List.of(),
                List.of());
    }

    private static String counted(long count, String one, String several) {
        return count + " " + (count == 1 ? one : several);
    }

    Effect set(MpsDaemonView daemon, Share asked) {
        Share wanted = asked.over(daemon.wanted());
        if (daemon.pid().isEmpty()) {
            return new Effect(
                    Effect.Reach.NEXT_SERVER,
                    "the daemon does not run; from its next start on, clients get " + amount(wanted, daemon.devices()),
                    List.of(),
                    List.of());
        }
        List<MpsClientView> staying = daemon.clients().stream()
                .filter(client -> client.serverShare()
                        .map(share -> !EffectiveShare.same(share, wanted))
                        .orElse(true))
                .toList();
        String stay = staying.isEmpty()
                ? "no running client is on other limits"
                : counted(staying.size(), "running client stays", "running clients stay")
                        + " on the limits from before until started again: " + named(staying);
        String memory = asked.memory().isPresent() ? ofMemory(wanted) : "";
        return new Effect(
                Effect.Reach.NEW_CLIENTS,
                "clients that connect from now on get " + amount(wanted, daemon.devices()) + "; " + stay + memory,
                staying,
                List.of());
    }

    Effect stop(MpsDaemonView daemon, StopMode mode) throws ChangeRefused {
        List<MpsClientView> clients = daemon.clients();
        if (clients.isEmpty()) {
            return new Effect(
                    Effect.Reach.DRAIN,
                    daemon.state() == MpsState.ABSENT ? "it does not run" : "it has no clients and ends at once",
                    List.of(),
                    List.of());
        }
        return switch (mode) {
            case REFUSE ->
                throw new ChangeRefused(
                        ChangeRefused.Kind.IN_USE,
                        "the MPS daemon " + daemon.id() + " has clients: " + named(clients)
                                + "; end them, or stop it with drain or force");
            case DRAIN ->
                new Effect(
                        Effect.Reach.DRAIN,
                        "it ends when these clients have ended by themselves: " + named(clients)
                                + "; new ones are not kept out, and starting it calls the drain off",
                        clients,
                        List.of());
            case FORCE ->
                new Effect(
                        Effect.Reach.DRAIN,
                        "these clients are asked to end (SIGTERM), then lose their contexts, and are killed (SIGKILL) when"
                                + " they outlive the daemon: " + named(clients),
                        List.of(),
                        clients);
        };
    }

    Effect terminate(MpsDaemonView daemon, long pid) throws ChangeRefused {
        Optional<MpsClientView> victim =
                daemon.clients().stream().filter(client -> client.pid() == pid).findFirst();
        if (victim.isEmpty()) {
            throw new ChangeRefused(
                    ChangeRefused.Kind.NOT_FOUND, "the MPS daemon " + daemon.id() + " has no client " + pid);
        }
        List<MpsClientView> neighbours = daemon.clients().stream()
                .filter(client ->
                        client.pid() != pid && client.server() == victim.get().server())
                .toList();
        List<MpsClientView> breaking = new ArrayList<>(List.of(victim.get()));
        breaking.addAll(neighbours);
        return new Effect(
                Effect.Reach.DRAIN,
                "client " + named(List.of(victim.get())) + " loses its contexts and fails"
                        + (neighbours.isEmpty()
                                ? ""
                                : "; where it is busy, busy clients of the same server can fail with it: "
                                        + named(neighbours)),
                List.of(),
                breaking);
    }

    private String amount(Share share, List<String> devices) {
        ThreadPercentage threads = EffectiveShare.of(share).threads().orElseThrow();
        OptionalInt all = devices.stream()
                .flatMap(device -> gpus.device(device).stream())
                .map(GpuUse.Device::multiprocessors)
                .findFirst()
                .orElse(OptionalInt.empty());
        return EffectiveShare.text(share)
                + (all.isPresent()
                        ? " (" + threads.multiprocessors(all.getAsInt()) + " of " + all.getAsInt() + " multiprocessors)"
                        : "");
    }

    private static String named(List<MpsClientView> clients) {
        return clients.stream()
                .map(client -> client.pid()
                        + client.name().map(name -> " " + name).orElse("")
                        + client.owner()
                                .unit()
                                .or(() -> client.owner()
                                        .container()
                                        .map(id -> id.substring(0, Math.min(12, id.length()))))
                                .map(owner -> " (" + owner + ")")
                                .orElse(""))
                .collect(Collectors.joining(", "));
    }
}
