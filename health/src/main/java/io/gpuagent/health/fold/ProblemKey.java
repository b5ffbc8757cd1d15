// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.fold;

/**
 * What makes two signs belong to the same problem of a GPU or of the node.
 *
 * @param code such as {@code xid_79}
 * @param gi the MIG GPU instance, -1 for none
 * @param ci the compute instance, -1 for none
 * @param part an NVLink, a unit or a bus id, where the code alone does not tell two problems apart; else empty
 */
public record ProblemKey(String code, int gi, int ci, String part) {
    static ProblemKey of(String code) {
        return new ProblemKey(code, -1, -1, "");
    }

    ProblemKey ofWholeGpu() {
        return new ProblemKey(code, -1, -1, part);
    }
}
