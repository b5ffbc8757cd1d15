// SPDX-License-Identifier: Apache-2.0
/**
 * The command {@code gpu-agent}: what it takes, what it prints and how it ends. Commands that read ask a running agent
 * over its Unix socket, and read this machine once where none runs.
 */
@NullMarked
package io.gpuagent.agent.cli;

import org.jspecify.annotations.NullMarked;
