// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.direct;

import java.util.Optional;

/**
 * Who asks, for the audit log.
 *
 * @param user the user's name, or the number of one that has none
 * @param uid the user's number; empty where it is not known
 * @param pid the process that asks; empty where it is not known
 */
public record Requester(String user, Optional<Long> uid, Optional<Long> pid) {}
