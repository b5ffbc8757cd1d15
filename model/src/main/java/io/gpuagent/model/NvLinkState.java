// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

import java.util.OptionalLong;

/**
 * One NVLink of a GPU.
 *
 * @param link its number, from 0
 * @param active whether it is up
 * @param crcErrors CRC errors of flow control digits; empty where the GPU does not tell
 * @param recoveries recoveries of the link; empty where the GPU does not tell
 */
public record NvLinkState(int link, boolean active, OptionalLong crcErrors, OptionalLong recoveries) {}
