// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

/** What a server wants of its clients' certificates: the names of Go's crypto/tls, which web configuration files have. */
public enum ClientAuthType {
    /** No certificate. */
    NO_CLIENT_CERT("NoClientCert", false, false),
    /** One if the client likes, and any will do. */
    REQUEST_CLIENT_CERT("RequestClientCert", false, false),
    /** One, and any will do. */
    REQUIRE_ANY_CLIENT_CERT("RequireAnyClientCert", true, false),
    /** One if the client likes, and then a good one. */
    VERIFY_CLIENT_CERT_IF_GIVEN("VerifyClientCertIfGiven", false, true),
    /** A good one. */
    REQUIRE_AND_VERIFY_CLIENT_CERT("RequireAndVerifyClientCert", true, true);

    private final String word;
    private final boolean required;
    private final boolean verified;

    ClientAuthType(String word, boolean required, boolean verified) {
        this.word = word;
        this.required = required;
        this.verified = verified;
    }

    /**
     * Whether a client without a certificate is refused.
     *
     * @return whether one is needed
     */
    public boolean required() {
        return required;
    }

    /**
     * Whether a certificate must be signed by one of the authorities.
     *
     * @return whether it is checked
     */
    public boolean verified() {
        return verified;
    }

    static ClientAuthType parse(String text) throws BadValueException {
        for (ClientAuthType type : values()) {
            // RequireClientCert is what old exporters call RequireAnyClientCert.
            if (type.word.equals(text) || (type == REQUIRE_ANY_CLIENT_CERT && text.equals("RequireClientCert"))) {
                return type;
            }
        }
        throw new BadValueException(
                "there is no " + Quoted.of(text),
                "use NoClientCert, RequestClientCert, RequireAnyClientCert, VerifyClientCertIfGiven or"
                        + " RequireAndVerifyClientCert");
    }
}
