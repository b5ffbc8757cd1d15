// SPDX-License-Identifier: Apache-2.0
/**
 * What the agent is told: its configuration file as records, with all errors of a file found at once, each with its line
 * and column and what would be right.
 */
@NullMarked
package io.gpuagent.agent.config;

import org.jspecify.annotations.NullMarked;
