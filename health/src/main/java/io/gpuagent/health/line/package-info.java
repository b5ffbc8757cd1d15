// SPDX-License-Identifier: Apache-2.0
/**
 * What NVIDIA's driver writes to the kernel's log, taken apart by hand: a process may choose its name and with it a part
 * of a line, so nothing here goes back over a text it has read. Pure; JDK and {@code model} only.
 */
@NullMarked
package io.gpuagent.health.line;

import org.jspecify.annotations.NullMarked;
