// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.DeviceLayouts.nvmlGridLicensableFeatures_t;

import io.gpuagent.nvml.internal.Handle;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;

/** Licences of NVIDIA's vGPU software. */
public final class Licensing {
    private final Handle device;

    Licensing(Handle device) {
        this.device = device;
    }

    /**
     * What can be licensed and what is (nvmlDeviceGetGridLicensableFeatures_v4; the structs of the versions before are not
     * those of the header).
     *
     * @return the features; empty where the system supports no vGPU licensing
     */
    public Answer<Optional<List<Feature>>> features() {
        return Structs.plain(
                device,
                NvmlFunction.nvmlDeviceGetGridLicensableFeatures_v4,
                nvmlGridLicensableFeatures_t,
                features -> features.flag("isGridLicenseSupported")
                        ? Optional.of(features.list(
                                "gridLicensableFeatures", features.u32("licensableFeaturesCount"), Feature::of))
                        : Optional.empty());
    }

    /**
     * A feature that needs a licence.
     *
     * @param kind what it is
     * @param productName its name
     * @param isEnabled whether it is in use
     * @param isLicensed whether it has a licence now
     * @param expiry how long the licence holds
     */
    public record Feature(Coded<Kind> kind, String productName, boolean isEnabled, boolean isLicensed, Expiry expiry) {
        private static Feature of(Struct feature) {
            return new Feature(
                    feature.coded("featureCode", Kind.class),
                    feature.text("productName"),
                    feature.flag("featureEnabled"),
                    feature.flag("featureState"),
                    Expiry.of(feature.struct("licenseExpiry")));
        }
    }

    /**
     * The end of a licence.
     *
     * @param status what is known about it
     * @param at when, in UTC; empty unless the status is {@link ExpiryStatus#VALID}
     */
    public record Expiry(Coded<ExpiryStatus> status, Optional<LocalDateTime> at) {
        private static Expiry of(Struct expiry) {
            Coded<ExpiryStatus> status = Coded.of(expiry.u8("status"), ExpiryStatus.class);
            boolean hasDate = status.known().filter(ExpiryStatus.VALID::equals).isPresent();
            return new Expiry(status, hasDate ? date(expiry) : Optional.empty());
        }

        private static Optional<LocalDateTime> date(Struct expiry) {
            try {
                return Optional.of(LocalDateTime.of(
                        expiry.s32("year"),
                        expiry.u16("month"),
                        expiry.u16("day"),
                        expiry.u16("hour"),
                        expiry.u16("min"),
                        expiry.u16("sec")));
            } catch (DateTimeException e) {
                // The driver called it valid and it is no date: then there is none to give.
                return Optional.empty();
            }
        }
    }

    /** {@code nvmlGridLicenseFeatureCode_t}. */
    public enum Kind implements CEnum {
        /** None that the driver knows. */
        UNKNOWN(0),
        /** Virtual GPU. */
        VGPU(1),
        /** NVIDIA RTX, the virtual workstation. */
        NVIDIA_RTX(2),
        /** Gaming. */
        GAMING(3),
        /** Compute. */
        COMPUTE(4);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }

    /** {@code NVML_GRID_LICENSE_EXPIRY_*}. */
    public enum ExpiryStatus implements CEnum {
        /** Not known. */
        NOT_AVAILABLE(0),
        /** Not valid, or it could not be had. */
        INVALID(1),
        /** Known. */
        VALID(2),
        /** There is no such thing for this licence. */
        NOT_APPLICABLE(3),
        /** The licence does not end. */
        PERMANENT(4);

        private final int code;

        ExpiryStatus(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }
}
