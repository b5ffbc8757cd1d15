// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.mig;

import io.gpuagent.host.DeviceHolder;
import io.gpuagent.host.DeviceHolders;
import io.gpuagent.host.GpuEnvironment;
import io.gpuagent.host.HostException;
import io.gpuagent.host.HostView;
import io.gpuagent.mig.Claim;
import io.gpuagent.mig.Holder;
import io.gpuagent.mig.read.HostClaims;
import io.gpuagent.mig.read.MigDeviceFacts;
import io.gpuagent.model.GpuIdentity;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;

/** All processes of the machine, looked at once for one reading of a GPU. */
final class HostLook implements HostClaims {
    private final HostView host;
    private final Sight sight;
    private final CapabilityNodes nodes;
    private final List<DeviceHolder> holders = new ArrayList<>();
    private final Map<Long, GpuEnvironment> environments = new TreeMap<>();
    private final Containers containers;
    private final MpsProcesses mps;
    private Optional<String> hidden = Optional.empty();

    private HostLook(HostView host, Path daemons, Sight sight) {
        this.host = host;
        this.sight = sight;
        nodes = sight.minor().isPresent()
                ? CapabilityNodes.of(host, sight.minor().getAsInt())
                : new CapabilityNodes(Map.of());
        look();
        containers = Containers.of(host, pids());
        mps = MpsProcesses.of(host, environments, daemons);
    }

    static HostLook at(HostView host, Path daemons, Sight sight) {
        return new HostLook(host, daemons, sight);
    }

    private void look() {
        if (!PidNamespace.isInitial(host)) {
            hidden = Optional.of("this container sees its own processes alone; give it the host's pid namespace");
        }
        if (nodes.byPath().isEmpty()) {
            hidden = Optional.of("there is no /proc/driver/nvidia-caps/mig-minors that tells the instances' nodes");
        }
        try {
            DeviceHolders.Found found = new DeviceHolders(host).find(nodes.paths());
            holders.addAll(found.holders());
            if (!found.complete()) {
                hidden = Optional.of("other users' processes need root");
            }
        } catch (HostException e) {
            hidden = Optional.of(String.valueOf(e.getMessage()));
        }
        for (long pid : pids()) {
            GpuEnvironment.read(host, pid).ifPresent(environment -> environments.put(pid, environment));
        }
    }

    /** All but this one. */
    private List<Long> pids() {
        List<Long> pids = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(host.path("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                String name = process.getFileName().toString();
                if (name.matches("[0-9]{1,10}") && Long.parseLong(name) != ownPid()) {
                    pids.add(Long.parseLong(name));
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            hidden = Optional.of("/proc cannot be read");
        }
        pids.sort(Long::compare);
        return pids;
    }

    private static long ownPid() {
        return ProcessHandle.current().pid();
    }

    @Override
    public Holder holder(long pid) {
        return InstanceUsers.holder(host, pid);
    }

    @Override
    public boolean isMpsServer(long pid) {
        return mps.isServerOfOurs(pid);
    }

    @Override
    public List<Claim> of(GpuIdentity gpu, int gpuInstance, List<MigDeviceFacts> devices) {
        List<Claim> claims = new ArrayList<>();
        holds(gpuInstance, claims);
        for (MigDeviceFacts device : devices) {
            OptionalInt compute = OptionalInt.of(device.computeInstance());
            names(gpu, device, compute, claims);
            mps.daemonOf(device.uuid())
                    .ifPresent(pid -> claims.add(new Claim.MpsDaemon(holder(pid), compute, clients(device))));
        }
        given(gpuInstance, devices, claims);
        hidden.ifPresent(why -> claims.add(new Claim.NotVisible(why)));
        return claims;
    }

    /** Programs that the daemon on a device serves. */
    private int clients(MigDeviceFacts device) {
        return Math.toIntExact(sight.clients().stream()
                .filter(client -> client.gpuInstance() == device.gpuInstance()
                        && (client.computeInstance().isEmpty()
                                || client.computeInstance().getAsInt() == device.computeInstance()))
                .count());
    }

    private void holds(int gpuInstance, List<Claim> claims) {
        for (DeviceHolder each : holders) {
            long pid = each.process().pid();
            if (pid == ownPid() || mps.isOurs(pid)) {
                continue;
            }
            // A client has the node of its compute instance open beside that of the GPU instance; one claim is enough.
            Map<OptionalInt, Claim> held = new HashMap<>();
            for (String node : each.nodes()) {
                CapabilityNodes.Instance instance = nodes.byPath().get(node);
                if (instance != null && instance.gpuInstance() == gpuInstance) {
                    held.put(instance.computeInstance(), new Claim.HoldsNode(holder(pid), instance.computeInstance()));
                }
            }
            if (held.size() > 1) {
                held.remove(OptionalInt.empty());
            }
            held.values().stream()
                    .sorted((a, b) -> Integer.compare(
                            a.computeInstance().orElse(-1), b.computeInstance().orElse(-1)))
                    .forEach(claims::add);
        }
    }

    private void names(GpuIdentity gpu, MigDeviceFacts device, OptionalInt compute, List<Claim> claims) {
        environments.forEach((pid, environment) -> {
            if (mps.isOurs(pid)) {
                return;
            }
            DeviceNames.variable(environment, gpu, device)
                    .ifPresent(variable -> claims.add(new Claim.NamesDevice(holder(pid), compute, variable)));
        });
    }

    /** A container that has both nodes of a compute instance was started with it. */
    private void given(int gpuInstance, List<MigDeviceFacts> devices, List<Claim> claims) {
        containers.firstProcesses().forEach((container, pid) -> {
            for (MigDeviceFacts device : devices) {
                boolean isGiven = nodes.byPath().entrySet().stream()
                        .filter(node -> node.getValue().gpuInstance() == gpuInstance
                                && node.getValue().computeInstance().equals(OptionalInt.of(device.computeInstance())))
                        .anyMatch(node -> Files.exists(host.path("/proc/" + pid + "/root" + node.getKey())));
                if (isGiven) {
                    claims.add(new Claim.InContainer(
                            new Holder(OptionalLong.empty(), "", Optional.empty(), Optional.of(container)),
                            OptionalInt.of(device.computeInstance())));
                }
            }
        });
    }
}
