// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

/** {@code nvmlBrandType_t}: under what brand a GPU is sold, or as what a virtual one is licensed. */
public enum Brand implements CEnum {
    /** None that the driver knows. */
    UNKNOWN(0),
    /** Quadro. */
    QUADRO(1),
    /** Tesla. */
    TESLA(2),
    /** NVS. */
    NVS(3),
    /** GRID, no longer reported. */
    GRID(4),
    /** GeForce. */
    GEFORCE(5),
    /** Titan. */
    TITAN(6),
    /** NVIDIA Virtual Applications. */
    NVIDIA_VAPPS(7),
    /** NVIDIA Virtual PC. */
    NVIDIA_VPC(8),
    /** NVIDIA Virtual Compute Server. */
    NVIDIA_VCS(9),
    /** NVIDIA RTX Virtual Workstation. */
    NVIDIA_VWS(10),
    /** NVIDIA Cloud Gaming. */
    NVIDIA_CLOUD_GAMING(11),
    /** Quadro RTX. */
    QUADRO_RTX(12),
    /** NVIDIA RTX. */
    NVIDIA_RTX(13),
    /** NVIDIA, the data-centre cards since Ampere. */
    NVIDIA(14),
    /** GeForce RTX, not in use. */
    GEFORCE_RTX(15),
    /** Titan RTX, not in use. */
    TITAN_RTX(16);

    private final int code;

    Brand(int code) {
        this.code = code;
    }

    @Override
    public int code() {
        return code;
    }
}
