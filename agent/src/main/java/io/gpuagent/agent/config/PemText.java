// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Certificates and keys in PEM (RFC 7468), as openssl writes them: the JDK has no reader for keys. */
final class PemText {
    private static final Pattern BLOCK = Pattern.compile("-----BEGIN ([A-Z0-9 ]{1,40})-----([^-]*)-----END \\1-----");
    private static final int SEQUENCE = 0x30;
    private static final int OCTET_STRING = 0x04;
    private static final byte[] VERSION_0 = {0x02, 0x01, 0x00};

    private PemText() {}

    static List<X509Certificate> certificates(String text) throws BadValueException {
        List<X509Certificate> certificates = new ArrayList<>();
        Matcher blocks = BLOCK.matcher(text);
        while (blocks.find()) {
            if (blocks.group(1).equals("CERTIFICATE")) {
                certificates.add(certificate(bytes(blocks)));
            }
        }
        if (certificates.isEmpty()) {
            throw new BadValueException(
                    "there is no certificate in it", "give one in PEM: -----BEGIN CERTIFICATE-----");
        }
        return certificates;
    }

    private static X509Certificate certificate(byte[] der) throws BadValueException {
        try {
            Certificate read =
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
            if (read instanceof X509Certificate certificate) {
                return certificate;
            }
        } catch (CertificateException e) {
            // Told below: what the parser says of a damaged one helps nobody.
        }
        throw new BadValueException("a certificate in it is damaged", "write the file anew");
    }

    /** The first private key, which has to be of the kind of the public one. */
    static PrivateKey privateKey(String text, PublicKey partner) throws BadValueException {
        Matcher blocks = BLOCK.matcher(text);
        while (blocks.find()) {
            switch (blocks.group(1)) {
                case "PRIVATE KEY" -> {
                    return key(bytes(blocks), partner);
                }
                // Of PKCS #1 and SEC 1: what PKCS #8 has around them is known from the public key.
                case "RSA PRIVATE KEY", "EC PRIVATE KEY" -> {
                    if (blocks.group(2).contains("ENCRYPTED")) {
                        throw encrypted();
                    }
                    return key(wrapped(bytes(blocks), partner.getEncoded()), partner);
                }
                case "ENCRYPTED PRIVATE KEY" -> throw encrypted();
                default -> {}
            }
        }
        throw new BadValueException("there is no private key in it", "give one in PEM: -----BEGIN PRIVATE KEY-----");
    }

    private static BadValueException encrypted() {
        return new BadValueException(
                "the key has a passphrase, which nobody can enter here", "take it off with openssl pkey");
    }

    private static PrivateKey key(byte[] der, PublicKey partner) throws BadValueException {
        try {
            return KeyFactory.getInstance(partner.getAlgorithm()).generatePrivate(new PKCS8EncodedKeySpec(der));
        } catch (GeneralSecurityException e) {
            throw new BadValueException(
                    "the key is damaged, or not of the certificate's kind (" + partner.getAlgorithm() + ")",
                    "give the key that belongs to the certificate");
        }
    }

    private static byte[] bytes(Matcher block) throws BadValueException {
        String body = block.group(2);
        // Old keys can have headers, which end with an empty line.
        String base64 = body.contains(":") ? body.substring(Math.max(body.lastIndexOf("\n\n"), 0)) : body;
        try {
            return Base64.getMimeDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw new BadValueException("what stands after BEGIN " + block.group(1) + " is damaged", "write it anew");
        }
    }

    /** PKCS #8 (RFC 5208): a version, the algorithm as in SubjectPublicKeyInfo (RFC 5280), and the key. */
    private static byte[] wrapped(byte[] key, byte[] publicKeyInfo) {
        int algorithm = 1 + lengthBytes(publicKeyInfo, 1);
        int end = algorithm + 1 + lengthBytes(publicKeyInfo, algorithm + 1) + length(publicKeyInfo, algorithm + 1);
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        content.writeBytes(VERSION_0);
        content.write(publicKeyInfo, algorithm, end - algorithm);
        content.writeBytes(der(OCTET_STRING, key));
        return der(SEQUENCE, content.toByteArray());
    }

    private static byte[] der(int tag, byte[] content) {
        ByteArrayOutputStream der = new ByteArrayOutputStream();
        der.write(tag);
        if (content.length < 0x80) {
            der.write(content.length);
        } else if (content.length < 0x100) {
            der.write(0x81);
            der.write(content.length);
        } else {
            der.write(0x82);
            der.write(content.length >> 8);
            der.write(content.length);
        }
        der.writeBytes(content);
        return der.toByteArray();
    }

    /** How many bytes a length takes: one, or one that tells the number of those that follow (X.690, 8.1.3). */
    private static int lengthBytes(byte[] der, int at) {
        int first = der[at] & 0xFF;
        return first < 0x80 ? 1 : 1 + (first & 0x7F);
    }

    private static int length(byte[] der, int at) {
        int first = der[at] & 0xFF;
        if (first < 0x80) {
            return first;
        }
        int length = 0;
        for (int i = 1; i <= (first & 0x7F); i++) {
            length = length << 8 | (der[at + i] & 0xFF);
        }
        return length;
    }
}
