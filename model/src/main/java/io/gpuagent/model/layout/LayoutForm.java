// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.layout;

/** Whose form a layout file has. */
public enum LayoutForm {
    /** gpu-agent's own, {@code version: 1}: an entry that says {@code mig-mode} wants it. */
    OWN,
    /** mig-parted's, {@code version: v1}: every entry says {@code mig-enabled}, so that it alone is no wish to switch. */
    MIG_PARTED
}
