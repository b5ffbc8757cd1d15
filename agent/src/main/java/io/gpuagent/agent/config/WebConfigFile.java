// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a web configuration file of Prometheus's exporters, with the files it names. */
public final class WebConfigFile {
    private static final KeyAdvice ADVICE = new KeyAdvice(List.of(
            "tls_server_config.cert",
            "tls_server_config.cert_file",
            "tls_server_config.key",
            "tls_server_config.key_file",
            "tls_server_config.client_ca",
            "tls_server_config.client_ca_file",
            "tls_server_config.client_auth_type",
            "tls_server_config.client_allowed_sans",
            "tls_server_config.min_version",
            "tls_server_config.max_version",
            "tls_server_config.cipher_suites",
            "tls_server_config.prefer_server_cipher_suites",
            "tls_server_config.curve_preferences",
            "http_server_config.http2",
            "http_server_config.headers",
            "rate_limit.interval",
            "rate_limit.burst"));
    // The headers that exporter-toolkit allows, with the values it allows for them.
    private static final Map<String, List<String>> HEADERS = Map.of(
            "Strict-Transport-Security", List.of(),
            "X-Content-Type-Options", List.of("nosniff"),
            "X-Frame-Options", List.of("deny", "sameorigin"),
            "X-XSS-Protection", List.of(),
            "Content-Security-Policy", List.of());
    private static final Pattern BCRYPT = Pattern.compile("\\$2[abxy]\\$([0-9]{2})\\$[./A-Za-z0-9]{53}");
    // One attempt at cost 18 takes longer than a scrape may already; more would only stop whoever has the password.
    private static final int LEAST_COST = 4;
    private static final int HIGHEST_COST = 18;
    private static final int LARGEST_BURST = 1_000_000;

    private WebConfigFile() {}

    /**
     * Reads a file.
     *
     * @param file the file; the files it names are looked for in its folder
     * @return what it says
     * @throws ConfigException when anything in it, or in a file it names, is wrong; it lists everything
     */
    public static WebConfig read(Path file) throws ConfigException {
        Problems problems = new Problems(file.toString());
        YamlSection root =
                YamlSection.root(ConfigText.yaml(ConfigText.read(file, problems), problems), problems, ADVICE);
        Set<Path> files = new LinkedHashSet<>(Set.of(file));
        Path folder = Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(Path.of("/"));
        Optional<TlsConfig> tls = new TlsSection(root.section("tls_server_config"), folder, files).read();
        Map<String, String> headers = http(root.section("http_server_config"));
        Map<String, String> users = root.section("basic_auth_users").entries(WebConfigFile::hash);
        Optional<WebConfig.RateLimit> limit = limit(root.section("rate_limit"));
        root.finish();
        problems.throwIfAny();
        return new WebConfig(tls, headers, users, limit, files);
    }

    private static Map<String, String> http(YamlSection section) {
        // HTTP/1.1 is all there is; Prometheus asks for it where HTTP/2 is not offered, so that either value is kept
        // to.
        section.value("http2", true, ConfigFile::truth);
        Map<String, String> headers = section.section("headers").entries(WebConfigFile::header);
        section.finish();
        return headers;
    }

    private static String header(String name, String value) throws BadValueException {
        List<String> allowed = HEADERS.get(name);
        if (allowed == null) {
            throw new BadValueException(
                    "this header cannot be set",
                    "the headers here are "
                            + String.join(
                                    ", ", HEADERS.keySet().stream().sorted().toList()));
        }
        if (!allowed.isEmpty() && !allowed.contains(value)) {
            throw new BadValueException(
                    Quoted.of(value) + " is no value of this header", "use " + String.join(" or ", allowed));
        }
        if (value.chars().anyMatch(c -> c < ' ' || c > '~')) {
            throw new BadValueException("a header has printable ASCII characters only", "remove the others");
        }
        return value;
    }

    /** The text of a password, or what was taken for its hash, is kept out of the message. */
    private static String hash(String user, String text) throws BadValueException {
        if (user.isEmpty() || user.contains(":")) {
            throw new BadValueException("a user's name is empty or has a colon in it", "choose another name");
        }
        Matcher form = BCRYPT.matcher(text);
        if (!form.matches()) {
            throw new BadValueException(
                    "the value is no bcrypt hash", "write what htpasswd -nBC 10 prints after the colon");
        }
        int cost = Integer.parseInt(form.group(1));
        if (cost < LEAST_COST || cost > HIGHEST_COST) {
            throw new BadValueException(
                    "the cost of the hash is " + cost,
                    "use one between " + LEAST_COST + " and " + HIGHEST_COST + ", such as 10");
        }
        return text;
    }

    private static Optional<WebConfig.RateLimit> limit(YamlSection section) {
        Duration interval = section.value("interval", Duration.ZERO, WebConfigFile::interval);
        int burst = section.value("burst", 0, WebConfigFile::burst);
        if (!interval.isZero() && burst == 0) {
            section.report("interval", "no request would be answered without a burst", "set rate_limit.burst as well");
        }
        section.finish();
        return interval.isZero() ? Optional.empty() : Optional.of(new WebConfig.RateLimit(interval, burst));
    }

    private static Duration interval(String text) throws BadValueException {
        return text.equals("0") ? Duration.ZERO : DurationText.parse(text, Duration.ZERO, Duration.ofHours(1));
    }

    private static int burst(String text) throws BadValueException {
        if (text.matches("[0-9]{1,7}") && Integer.parseInt(text) <= LARGEST_BURST) {
            return Integer.parseInt(text);
        }
        throw new BadValueException(Quoted.of(text) + " is no number of requests", "write a whole number, such as 20");
    }
}
