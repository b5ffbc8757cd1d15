// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.line;

import io.gpuagent.model.PciAddress;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Takes the driver's lines apart. The formats are those of {@code krcReportXid}, {@code nv_report_error} and their
 * neighbours in NVIDIA's open kernel modules (595.45.04), and of public logs of older drivers. A line must begin as the
 * driver begins it: a text further on may be anybody's.
 */
public final class KernelLines {
    /** What is longer was never written by the driver: its longest message has 512 characters. */
    static final int MAX_TEXT = 2048;

    private static final String DRIVER = "NVRM:";
    private static final String SWITCH = "nvidia-nvswitch";
    private static final int XID_DIGITS_MAX = 99_999;
    private static final int UUID_LENGTH = "GPU-".length() + 36;

    private KernelLines() {}

    /**
     * Takes a message of the kernel's log apart.
     *
     * @param text the message, without time and host
     * @return what it says; empty where it says nothing about a GPU's health
     */
    public static Optional<KernelLine> parse(String text) {
        String line = text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) : text;
        if (line.startsWith(DRIVER)) {
            Scanner scanner = new Scanner(line);
            scanner.skip(DRIVER);
            scanner.blanks();
            return driver(scanner, line);
        }
        return line.startsWith(SWITCH) ? sxid(line) : Optional.empty();
    }

    private static Optional<KernelLine> driver(Scanner line, String text) {
        if (line.skip("Xid (")) {
            return xid(line);
        }
        if (line.skip("GPU at PCI:")) {
            return gpuAt(line);
        }
        if (line.skip("GPU ")) {
            return line.pci().flatMap(pci -> aboutGpu(line, pci));
        }
        if (line.skip("The NVIDIA GPU ")) {
            return line.pci()
                    .filter(_ -> text.contains("fallen off the bus and is not responding to commands"))
                    .map(KernelLine.OffBus::new);
        }
        if (line.skip("Rate limiting GSP RPC error prints for GPU at PCI:")) {
            return rateLimited(line);
        }
        if (line.skip("API mismatch: the client '")) {
            return mismatch(line);
        }
        if (line.skip("Attempting to remove device ")) {
            return line.pci().map(KernelLine.RemovedInUse::new);
        }
        return initFailed(line, Optional.empty());
    }

    private static Optional<KernelLine> xid(Scanner line) {
        line.skip("PCI:");
        Optional<PciAddress> pci = line.pci();
        if (pci.isEmpty()) {
            return Optional.empty();
        }
        OptionalInt gi = line.skip(" GPU-I:") ? line.number() : OptionalInt.empty();
        OptionalInt ci = line.skip(" GPU-CI:") ? line.number() : OptionalInt.empty();
        // A driver to come may name more in the parentheses.
        line.before(')');
        if (!line.skip("): ")) {
            return Optional.empty();
        }
        OptionalInt code = line.number();
        if (code.isEmpty() || code.getAsInt() > XID_DIGITS_MAX) {
            return Optional.empty();
        }
        OptionalLong pid = OptionalLong.empty();
        Optional<String> process = Optional.empty();
        if (line.skip(", pid=")) {
            pid = pid(line);
        }
        if (line.skip(", name=")) {
            String name = line.before(',');
            process = name.isEmpty() || name.equals("<unknown>") ? Optional.empty() : Optional.of(name);
        }
        line.skip(",");
        return Optional.of(new KernelLine.Xid(pci.get(), gi, ci, code.getAsInt(), pid, process, line.rest()));
    }

    private static OptionalLong pid(Scanner line) {
        OptionalInt number = line.number();
        if (number.isPresent()) {
            return OptionalLong.of(number.getAsInt());
        }
        line.before(',');
        return OptionalLong.empty();
    }

    private static Optional<KernelLine> gpuAt(Scanner line) {
        Optional<PciAddress> pci = line.pci();
        if (pci.isEmpty() || !line.skip(": ")) {
            return Optional.empty();
        }
        String uuid = line.before(' ').strip();
        boolean isUuid = uuid.startsWith("GPU-")
                && uuid.length() == UUID_LENGTH
                && uuid.chars().skip(4).allMatch(c -> c == '-' || Character.digit(c, 16) >= 0);
        return isUuid ? Optional.of(new KernelLine.GpuAt(pci.get(), uuid)) : Optional.empty();
    }

    private static Optional<KernelLine> aboutGpu(Scanner line, PciAddress pci) {
        if (!line.skip(": ")) {
            return Optional.empty();
        }
        return line.skip("GPU has fallen off the bus")
                ? Optional.of(new KernelLine.OffBus(pci))
                : initFailed(line, Optional.of(pci));
    }

    private static Optional<KernelLine> initFailed(Scanner line, Optional<PciAddress> pci) {
        if (line.skip("RmInitAdapter failed! (")) {
            return line.until(")").map(codes -> new KernelLine.InitFailed(pci, codes));
        }
        if (line.skip("rm_init_adapter failed, ")) {
            return Optional.of(new KernelLine.InitFailed(pci, line.rest()));
        }
        return Optional.empty();
    }

    private static Optional<KernelLine> rateLimited(Scanner line) {
        Optional<PciAddress> pci = line.pci();
        if (pci.isEmpty() || !line.skip(" (printing 1 of every ")) {
            return Optional.empty();
        }
        OptionalInt oneOf = line.number();
        return oneOf.isPresent()
                ? Optional.of(new KernelLine.RateLimited(pci.get(), oneOf.getAsInt()))
                : Optional.empty();
    }

    /** Five lines of text in one record; each of them begins with the driver's name, too. */
    private static Optional<KernelLine> mismatch(Scanner line) {
        Optional<String> client = line.until("' (pid ");
        if (client.isEmpty() || line.until("has the version ").isEmpty()) {
            return Optional.empty();
        }
        String library = line.version();
        if (line.until("the version ").isEmpty()) {
            return Optional.empty();
        }
        String module = line.version();
        return library.isEmpty() || module.isEmpty()
                ? Optional.empty()
                : Optional.of(new KernelLine.VersionMismatch(client.get(), library, module));
    }

    private static Optional<KernelLine> sxid(String text) {
        Scanner line = new Scanner(text);
        line.skip("nvidia-");
        Optional<String> device = line.until(": SXid (PCI:");
        Optional<PciAddress> pci = line.pci();
        if (device.isEmpty() || device.get().indexOf(' ') >= 0 || pci.isEmpty() || !line.skip("): ")) {
            return Optional.empty();
        }
        OptionalInt code = line.number();
        if (code.isEmpty() || !line.skip(", ")) {
            return Optional.empty();
        }
        Optional<KernelLine.SxidWord> word = word(line);
        OptionalInt link = OptionalInt.empty();
        if (word.isPresent() && line.skip("Link ")) {
            boolean isNone = line.skip("-");
            OptionalInt number = line.number();
            link = isNone ? OptionalInt.empty() : number;
        }
        return Optional.of(new KernelLine.Sxid(device.get(), pci.get(), code.getAsInt(), word, link, line.rest()));
    }

    private static Optional<KernelLine.SxidWord> word(Scanner line) {
        if (line.skip("Fatal, ")) {
            return Optional.of(KernelLine.SxidWord.FATAL);
        }
        if (line.skip("Non-fatal, ")) {
            return Optional.of(KernelLine.SxidWord.NON_FATAL);
        }
        return line.skip("Correctable, ") ? Optional.of(KernelLine.SxidWord.CORRECTABLE) : Optional.empty();
    }
}
