// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

import java.util.Locale;

/**
 * Where a GPU sits on the PCI bus.
 *
 * @param domain PCI domain
 * @param bus bus, 0..255
 * @param device device, 0..31
 */
public record PciAddress(int domain, int bus, int device) {
    /**
     * The bus id as {@code nvidia-smi} prints it.
     *
     * @return for example {@code 00000000:3B:00.0}
     */
    public String busId() {
        return String.format(Locale.ROOT, "%08X:%02X:%02X.0", domain, bus, device);
    }
}
