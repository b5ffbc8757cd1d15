// SPDX-License-Identifier: Apache-2.0
/**
 * The root helper's program: {@link io.gpuagent.control.helper.HelperMain}. Started by systemd with one connection as its
 * standard input, it looks who is at the other end, takes one request, has it carried out by {@code direct}, answers and
 * ends. Nobody else may depend on this package, and nothing of Vert.x, Micrometer, YAML or picocli comes along.
 */
@NullMarked
package io.gpuagent.control.helper;

import org.jspecify.annotations.NullMarked;
