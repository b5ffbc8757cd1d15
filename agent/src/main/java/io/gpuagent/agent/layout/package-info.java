// SPDX-License-Identifier: Apache-2.0
/**
 * Layout files: gpu-agent's own and mig-parted's, read with all their errors at once, and matched with the GPUs there are.
 * Text in, records out; nothing here reads a file, asks a driver or knows what a card offers.
 */
@NullMarked
package io.gpuagent.agent.layout;

import org.jspecify.annotations.NullMarked;
