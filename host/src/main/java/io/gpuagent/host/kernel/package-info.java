// SPDX-License-Identifier: Apache-2.0
/**
 * What the kernel says: its log, record by record and from the boot before, and what it knows of NVIDIA's module and of
 * the GPUs on the PCI bus. Texts are handed on as they are; what they mean is {@code health}'s business. Reads files
 * below a {@link io.gpuagent.host.HostView}; the only program started is {@code journalctl}.
 */
@NullMarked
package io.gpuagent.host.kernel;

import org.jspecify.annotations.NullMarked;
