// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.mps;

/**
 * Something about a daemon or its clients that somebody should know.
 *
 * @param code stable, such as {@code mps_fault}, {@code mps_crash_loop}, {@code mps_pending_user}, {@code mps_escape},
 *     {@code mps_bypass}, {@code mps_wedged}, {@code mps_dirty}, {@code mps_limits_not_in_force}
 * @param sentence one sentence: what is the matter and what helps
 */
public record MpsReason(String code, String sentence) {}
