// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.layout;

import io.gpuagent.model.Share;

/**
 * An MPS daemon that is to be.
 *
 * @param at where it stands in the file
 * @param share what its clients get at most
 * @param multiUser whether clients of several users share one server
 * @param exclusiveProcess whether programs that do not join it are kept off the device
 */
public record MpsEntry(Position at, Share share, boolean multiUser, boolean exclusiveProcess) {}
