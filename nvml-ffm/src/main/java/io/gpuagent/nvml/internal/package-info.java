// SPDX-License-Identifier: Apache-2.0
/**
 * The raw layer, and the only code here that touches memory and function pointers: call shapes, C struct layouts, the
 * table of addresses and the calls themselves. It has no policy; C names are kept verbatim.
 */
@NullMarked
package io.gpuagent.nvml.internal;

import org.jspecify.annotations.NullMarked;
