// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.layout;

import io.gpuagent.model.GpuIdentity;
import io.gpuagent.model.PciAddress;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Which GPUs an entry is about. */
public sealed interface GpuMatch {
    /**
     * A GPU as it can be matched.
     *
     * @param identity index and UUID
     * @param model its name, such as {@code NVIDIA H200}; empty text where it is not known
     * @param pci where it sits; empty where that is not known
     * @param pciDevice PCI device and vendor id as one number, such as {@code 0x233510DE}; empty where that is not known
     */
    record Candidate(GpuIdentity identity, String model, Optional<PciAddress> pci, Optional<Integer> pciDevice) {}

    /**
     * Whether it is about a GPU.
     *
     * @param gpu the GPU
     * @return whether
     */
    boolean fits(Candidate gpu);

    /**
     * Whether it names one GPU, which must be there, and not a kind of GPU, of which there may be none.
     *
     * @return whether
     */
    boolean isCertain();

    /**
     * Says it in words.
     *
     * @return to follow "GPU"
     */
    String words();

    /**
     * By NVML's index.
     *
     * @param index from 0
     */
    record Index(int index) implements GpuMatch {
        @Override
        public boolean fits(Candidate gpu) {
            return gpu.identity().index() == index;
        }

        @Override
        public boolean isCertain() {
            return true;
        }

        @Override
        public String words() {
            return Integer.toString(index);
        }
    }

    /**
     * By UUID.
     *
     * @param beginning the UUID or its beginning
     */
    record Uuid(String beginning) implements GpuMatch {
        @Override
        public boolean fits(Candidate gpu) {
            return gpu.identity().uuid().toLowerCase(Locale.ROOT).startsWith(beginning.toLowerCase(Locale.ROOT));
        }

        @Override
        public boolean isCertain() {
            return true;
        }

        @Override
        public String words() {
            return beginning;
        }
    }

    /**
     * By PCI address.
     *
     * @param address the address
     */
    record Pci(PciAddress address) implements GpuMatch {
        @Override
        public boolean fits(Candidate gpu) {
            return gpu.pci().filter(address::equals).isPresent();
        }

        @Override
        public boolean isCertain() {
            return true;
        }

        @Override
        public String words() {
            return address.busId();
        }
    }

    /**
     * By model.
     *
     * @param glob the name, in which {@code *} is any text and {@code ?} one letter; upper and lower case are the same
     */
    record Model(String glob) implements GpuMatch {
        @Override
        public boolean fits(Candidate gpu) {
            return fits(glob.toLowerCase(Locale.ROOT), gpu.model().toLowerCase(Locale.ROOT));
        }

        /** Goes back to the last star only, so that no pattern takes longer than the product of both lengths. */
        private static boolean fits(String pattern, String text) {
            int at = 0;
            int star = -1;
            int behindStar = 0;
            int i = 0;
            while (i < text.length()) {
                if (at < pattern.length() && pattern.charAt(at) == '*') {
                    star = at++;
                    behindStar = i;
                } else if (at < pattern.length()
                        && (pattern.charAt(at) == '?' || pattern.charAt(at) == text.charAt(i))) {
                    at++;
                    i++;
                } else if (star >= 0) {
                    at = star + 1;
                    i = ++behindStar;
                } else {
                    return false;
                }
            }
            return pattern.substring(at).chars().allMatch(c -> c == '*');
        }

        @Override
        public boolean isCertain() {
            return false;
        }

        @Override
        public String words() {
            return "model \"" + glob + "\"";
        }
    }

    /**
     * As mig-parted has it: by index among the GPUs of a kind.
     *
     * @param indices indices by NVML; empty: all
     * @param pciDevices device and vendor ids, such as {@code 0x233510DE}; none: all kinds
     */
    record Devices(Optional<Set<Integer>> indices, List<Integer> pciDevices) implements GpuMatch {
        /** Takes copies. */
        public Devices {
            indices = indices.map(Set::copyOf);
            pciDevices = List.copyOf(pciDevices);
        }

        @Override
        public boolean fits(Candidate gpu) {
            boolean isListed =
                    indices.isEmpty() || indices.get().contains(gpu.identity().index());
            return isListed
                    && (pciDevices.isEmpty()
                            || gpu.pciDevice().filter(pciDevices::contains).isPresent());
        }

        @Override
        public boolean isCertain() {
            return false;
        }

        @Override
        public String words() {
            String which = indices.map(
                            set -> set.stream().sorted().map(String::valueOf).collect(Collectors.joining(", ")))
                    .orElse("all");
            return pciDevices.isEmpty()
                    ? which
                    : which + " with PCI device "
                            + pciDevices.stream()
                                    .map(id -> String.format(Locale.ROOT, "0x%08X", id))
                                    .collect(Collectors.joining(" or "));
        }
    }
}
