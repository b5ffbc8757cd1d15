// SPDX-License-Identifier: Apache-2.0
/**
 * What Xids and SXids mean: tables in {@code .tsv} files with a version, read once. A code that stands in no table is a
 * warning and never dropped.
 */
@NullMarked
package io.gpuagent.health.catalogue;

import org.jspecify.annotations.NullMarked;
