// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.api;

import io.gpuagent.agent.config.BadValueException;
import io.gpuagent.agent.config.Quoted;
import io.gpuagent.model.GpuIdentity;
import io.gpuagent.model.PciAddress;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How a user names a GPU: by index, by UUID or the beginning of one, or by PCI bus id with or without its domain. A GPU
 * is always function 0 of its device, so the function may be left out.
 */
public final class GpuName {
    private static final Pattern INDEX = Pattern.compile("[0-9]{1,4}");
    private static final Pattern UUID = Pattern.compile("gpu(-[0-9a-f-]*)?");
    private static final Pattern BUS_ID =
            Pattern.compile("(?:([0-9a-f]{1,8}):)?([0-9a-f]{1,2}):([01]?[0-9a-f])(?:\\.0)?");
    private static final String RIGHT =
            "name a GPU by its index (0), its UUID or the beginning of it (GPU-5c3d), or its PCI bus id (3b:00.0)";

    private final String text;
    private final Form form;

    private GpuName(String text, Form form) {
        this.text = text;
        this.form = form;
    }

    private sealed interface Form {
        boolean fits(GpuIdentity identity, Optional<PciAddress> pci);
    }

    private record Index(int index) implements Form {
        @Override
        public boolean fits(GpuIdentity identity, Optional<PciAddress> pci) {
            return identity.index() == index;
        }
    }

    private record Uuid(String beginning) implements Form {
        @Override
        public boolean fits(GpuIdentity identity, Optional<PciAddress> pci) {
            return identity.uuid().toLowerCase(Locale.ROOT).startsWith(beginning);
        }
    }

    private record Bus(OptionalInt domain, int bus, int device) implements Form {
        @Override
        public boolean fits(GpuIdentity identity, Optional<PciAddress> pci) {
            return pci.isPresent()
                    && pci.get().bus() == bus
                    && pci.get().device() == device
                    && (domain.isEmpty() || domain.getAsInt() == pci.get().domain());
        }
    }

    /**
     * Reads a name.
     *
     * @param text what the user wrote
     * @return the name
     * @throws BadValueException when it can name no GPU
     */
    public static GpuName parse(String text) throws BadValueException {
        String lower = text.toLowerCase(Locale.ROOT);
        if (INDEX.matcher(lower).matches()) {
            return new GpuName(text, new Index(Integer.parseInt(lower)));
        }
        if (UUID.matcher(lower).matches()) {
            return new GpuName(text, new Uuid(lower));
        }
        Optional<Bus> bus = bus(lower);
        if (bus.isPresent()) {
            return new GpuName(text, bus.get());
        }
        if (lower.startsWith("mig-")) {
            throw new BadValueException(Quoted.of(text) + " names a MIG instance, not a GPU", RIGHT);
        }
        throw new BadValueException(Quoted.of(text) + " names no GPU", RIGHT);
    }

    /**
     * Reads a PCI bus id as the driver prints it.
     *
     * @param busId for example {@code 00000000:3B:00.0}
     * @return the address, empty where the text is none
     */
    public static Optional<PciAddress> pciAddress(String busId) {
        return bus(busId.toLowerCase(Locale.ROOT))
                .map(bus -> new PciAddress(bus.domain().orElse(0), bus.bus(), bus.device()));
    }

    private static Optional<Bus> bus(String lower) {
        Matcher matcher = BUS_ID.matcher(lower);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        OptionalInt domain = matcher.group(1) == null
                ? OptionalInt.empty()
                : OptionalInt.of(Integer.parseUnsignedInt(matcher.group(1), 16));
        return Optional.of(
                new Bus(domain, Integer.parseInt(matcher.group(2), 16), Integer.parseInt(matcher.group(3), 16)));
    }

    /**
     * Finds the GPU of this name.
     *
     * @param gpus the GPUs there are
     * @param identity tells a GPU's identity
     * @param pci tells a GPU's PCI address, where it is known
     * @param <T> what stands for a GPU
     * @return the one that is meant
     * @throws BadValueException when none is meant, or several
     */
    public <T> T resolve(List<T> gpus, Function<T, GpuIdentity> identity, Function<T, Optional<PciAddress>> pci)
            throws BadValueException {
        List<T> fitting = gpus.stream()
                .filter(gpu -> form.fits(identity.apply(gpu), pci.apply(gpu)))
                .toList();
        if (fitting.size() == 1) {
            return fitting.getFirst();
        }
        if (fitting.isEmpty()) {
            throw new BadValueException("there is no GPU " + Quoted.of(text), right(gpus, identity));
        }
        throw new BadValueException(
                Quoted.of(text) + " names " + fitting.size() + " GPUs: " + list(fitting, identity),
                "write more of the name");
    }

    private static <T> String right(List<T> gpus, Function<T, GpuIdentity> identity) {
        return gpus.isEmpty() ? "this node has none" : "this node has " + list(gpus, identity);
    }

    private static <T> String list(List<T> gpus, Function<T, GpuIdentity> identity) {
        int shown = 8;
        String names = gpus.stream()
                .limit(shown)
                .map(identity)
                .map(gpu -> gpu.index() + " (" + gpu.uuid() + ")")
                .collect(Collectors.joining(", "));
        return gpus.size() > shown ? names + " and " + (gpus.size() - shown) + " more" : names;
    }
}
