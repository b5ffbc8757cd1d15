// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.model.Share;
import io.gpuagent.mps.MpsException;
import io.gpuagent.mps.PipePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** Refuses what must not be asked for, before anything is made or sent. */
final class WishCheck {
    /** The major number of the compute capability of the first GPUs whose clients can be limited. */
    private static final int VOLTA = 7;

    private static final Pattern ID = Pattern.compile("[a-z0-9][a-z0-9-]{0,31}");
    private static final Pattern DEVICE =
            Pattern.compile("(?:GPU|MIG)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

    // A client has one pipe directory.
    private static final String ONE_FOR_ALL =
            "; a program can be a client of one daemon only, so that a job on several GPUs needs one daemon for all of them";

    private final SupervisionSetup setup;

    WishCheck(SupervisionSetup setup) {
        this.setup = setup;
    }

    private static ChangeRefused bad(String sentence) {
        return new ChangeRefused(ChangeRefused.Kind.BAD_REQUEST, sentence);
    }

    /** Checks a daemon against itself, the devices, and the daemons there are. */
    void check(DaemonWish wish, List<DaemonRecord> others) throws ChangeRefused {
        if (!ID.matcher(wish.id()).matches()) {
            throw bad(
                    "\"" + shown(wish.id()) + "\" is no id of an MPS daemon: it has 1 to 32 lower-case letters, digits"
                            + " and hyphens, and does not begin with a hyphen");
        }
        devices(wish);
        share(wish.share(), wish.devices());
        try {
            DaemonPlace.of(setup.folders(), wish.id());
        } catch (MpsException e) {
            throw bad(String.valueOf(e.getMessage()));
        }
        for (DaemonRecord other : others) {
            Optional<String> common = other.spec().devices().stream()
                    .filter(wish.devices()::contains)
                    .findFirst();
            if (!other.spec().id().equals(wish.id()) && common.isPresent()) {
                throw new ChangeRefused(
                        ChangeRefused.Kind.IN_USE,
                        "the device " + common.get() + " has the MPS daemon "
                                + other.spec().id()
                                + " already, and two on one device take turns and limit nothing together: stop that one"
                                + " first"
                                + (wish.devices().size() > 1 ? ONE_FOR_ALL : ""));
            }
        }
    }

    private void devices(DaemonWish wish) throws ChangeRefused {
        List<String> devices = wish.devices();
        if (devices.isEmpty()) {
            throw bad("an MPS daemon without a device would take all of them: name the UUIDs of its GPUs");
        }
        if (new HashSet<>(devices).size() < devices.size()) {
            throw bad("a device is named twice for the MPS daemon " + wish.id() + ": name each one once");
        }
        for (String device : devices) {
            if (!DEVICE.matcher(device).matches()) {
                throw bad(
                        "\"" + shown(device) + "\" is no UUID of a GPU or MIG device, which an MPS daemon needs: it is"
                                + " GPU- or MIG- and 36 lower-case hexadecimal digits and hyphens");
            }
            if (knowsAll(device) && setup.ports().gpus().device(device).isEmpty()) {
                throw new ChangeRefused(
                        ChangeRefused.Kind.NOT_FOUND,
                        "there is no device " + device
                                + " on this machine: a daemon for it would end at once, and programs"
                                + " would run without limits; nvidia-smi -L lists those there are");
            }
            limitsWork(device);
        }
        boolean mig = devices.stream().anyMatch(device -> device.startsWith("MIG-"));
        if (mig && devices.size() > 1) {
            throw bad("an MPS daemon serves one MIG device or several whole GPUs: name one MIG device alone");
        }
        if (mig && wish.exclusiveProcess()) {
            throw bad("a GPU in MIG mode has no EXCLUSIVE_PROCESS mode: leave exclusive-process out");
        }
    }

    private boolean knowsAll(String device) {
        GpuUse gpus = setup.ports().gpus();
        return device.startsWith("MIG-") ? gpus.listsMigDevices() : gpus.isComplete();
    }

    /** NVIDIA's MPS documentation: limits need Volta; a server on an older GPU fails at its start instead of saying so. */
    private void limitsWork(String device) throws ChangeRefused {
        Optional<String> older = setup.ports()
                .gpus()
                .device(device)
                .flatMap(GpuUse.Device::capability)
                .filter(capability -> Integer.parseInt(capability.replaceFirst("\\..*", "")) < VOLTA);
        if (older.isPresent()) {
            throw new ChangeRefused(
                    ChangeRefused.Kind.NOT_SUPPORTED,
                    "the device " + device + " has compute capability " + older.get()
                            + ", and the limits of MPS need 7.0 or higher: share it by time slices instead");
        }
    }

    /** Checks a share against the devices, as far as they are known. */
    void share(Share share, List<String> devices) throws ChangeRefused {
        for (String uuid : devices) {
            Optional<GpuUse.Device> device = setup.ports().gpus().device(uuid);
            OptionalInt all = device.map(GpuUse.Device::multiprocessors).orElse(OptionalInt.empty());
            if (all.isPresent()
                    && share.threads()
                            .filter(part -> part.multiprocessors(all.getAsInt()) == 0)
                            .isPresent()) {
                throw bad("a thread percentage of " + share.threads().get() + " is less than one pair of the "
                        + all.getAsInt() + " multiprocessors of " + uuid + ": ask for more");
            }
            OptionalLong memory = device.map(GpuUse.Device::memoryBytes).orElse(OptionalLong.empty());
            if (memory.isPresent()
                    && share.memory()
                            .filter(limit -> limit.bytes() > memory.getAsLong())
                            .isPresent()) {
                throw bad("a memory limit of " + share.memory().get() + " is more than the device " + uuid + " has, "
                        + (memory.getAsLong() >> 20) + " MiB: ask for less, or leave it out for no limit");
            }
        }
    }

    /** What is wrong with the folders, which are there. */
    void folders(DaemonPlace place, boolean multiUser) throws ChangeRefused {
        List<String> unsafe = PipePermissions.problems(place.folders().pipe(), false);
        List<String> closed = PipePermissions.problems(place.folders().pipe(), multiUser);
        if (!unsafe.isEmpty() || !closed.isEmpty()) {
            throw new ChangeRefused(ChangeRefused.Kind.NOT_ALLOWED, (unsafe.isEmpty() ? closed : unsafe).getFirst());
        }
    }

    private static String shown(String text) {
        String plain = text.replaceAll("[^ -~]", "?");
        return plain.length() > 64 ? plain.substring(0, 64) + "..." : plain;
    }
}
