// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

/**
 * A mode that a GPU has now, and the one it takes after its next reset or reboot.
 *
 * @param current on now
 * @param pending on after the reset
 */
public record Mode(boolean current, boolean pending) {}
