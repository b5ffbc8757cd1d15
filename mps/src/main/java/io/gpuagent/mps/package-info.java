// SPDX-License-Identifier: Apache-2.0
/**
 * What the parts of this module share: the exception and where a control daemon lives. The module knows no NVML, no web
 * and no metrics.
 */
@NullMarked
package io.gpuagent.mps;

import org.jspecify.annotations.NullMarked;
