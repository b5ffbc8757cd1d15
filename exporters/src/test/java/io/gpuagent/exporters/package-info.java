// SPDX-License-Identifier: Apache-2.0
/** Tests of the pages and of the document that describes them. */
@NullMarked
package io.gpuagent.exporters;

import org.jspecify.annotations.NullMarked;
