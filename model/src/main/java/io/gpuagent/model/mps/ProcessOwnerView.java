// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.mps;

import java.util.Optional;

/**
 * Who a process belongs to, as far as its control group tells.
 *
 * @param unit its systemd unit, such as {@code inference@3.service}
 * @param container the id of its container, 64 hexadecimal digits
 * @param pod the uid of its Kubernetes pod
 */
public record ProcessOwnerView(Optional<String> unit, Optional<String> container, Optional<String> pod) {
    /** Nothing is known. */
    public static final ProcessOwnerView UNKNOWN =
            new ProcessOwnerView(Optional.empty(), Optional.empty(), Optional.empty());
}
