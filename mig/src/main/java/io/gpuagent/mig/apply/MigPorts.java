// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

/**
 * Others that have a part in a change.
 *
 * @param quiesce makes the agent's own threads let go of the GPU
 * @param tenants the MPS daemons on it
 * @param holders tells who else holds it
 */
public record MigPorts(Quiesce quiesce, MpsTenants tenants, Holders holders) {
    /** Nobody else has a part in it. */
    public static final MigPorts ALONE = new MigPorts(Quiesce.NOBODY, MpsTenants.NONE, Holders.UNSEEN);
}
