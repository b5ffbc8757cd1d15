// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.gpuagent.exporters.FamilyFilter;
import io.gpuagent.exporters.NamePattern;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigFileTest {
    @TempDir
    Path folder;

    @Test
    void readsEveryKey() throws Exception {
        AgentConfig config = read("""
                metrics:
                  listen: "[::]:9836"
                  format: dcgm
                  include: [gpu_*, "*_total"]
                  exclude: gpu_mps_*
                  dcgm-counters: /etc/gpu-agent/counters.csv
                  dcgm-hostname-label: hostname
                  web-config: /etc/gpu-agent/web.yml
                api:
                  socket: /run/other/agent.sock
                nvml:
                  library: /opt/lib/libnvidia-ml.so.1
                poll: {fast: 500ms, slow: 1m}
                mps:
                  enabled: false
                  drain-timeout: 10m
                  log-cap: 64KiB
                mig:
                  idle-grace: 0s
                log:
                  level: debug
                """);
        assertThat(config)
                .isEqualTo(new AgentConfig(
                        new MetricsConfig(
                                new ListenAddress("::", 9836),
                                MetricsFormat.DCGM,
                                new FamilyFilter(
                                        List.of(new NamePattern("gpu_*"), new NamePattern("*_total")),
                                        List.of(new NamePattern("gpu_mps_*"))),
                                new DcgmConfig(Optional.of(Path.of("/etc/gpu-agent/counters.csv")), "hostname"),
                                Optional.of(Path.of("/etc/gpu-agent/web.yml"))),
                        new ApiConfig(Optional.of(Path.of("/run/other/agent.sock"))),
                        new NvmlConfig(Optional.of(Path.of("/opt/lib/libnvidia-ml.so.1"))),
                        new PollConfig(Duration.ofMillis(500), Duration.ofMinutes(1)),
                        new MpsConfig(false, Duration.ofMinutes(10), 64L << 10),
                        new MigConfig(Duration.ZERO),
                        new LogConfig(LogConfig.Level.DEBUG)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "# nothing\n", "---\n", "metrics:\n", "{}", "\uFEFF", "\uFEFFmetrics: {}\n"})
    void whatSaysNothingMeansTheDefaults(String text) throws Exception {
        assertThat(read(text)).isEqualTo(AgentConfig.DEFAULT);
    }

    @Test
    void tellsAllProblemsAtOnceFromTheTopDown() throws IOException {
        assertThat(problems("""
                metrics:
                  lisen: 127.0.0.1:9836
                  format: xml
                pol:
                  fast: 1s
                log:
                  level: [info]
                log:
                  level: warn
                """))
                .containsExactly(
                        "F:2:3: there is no key \"lisen\" in metrics; did you mean listen?",
                        "F:3:11: metrics.format: there is no format \"xml\"; use native or dcgm",
                        "F:4:1: there is no key \"pol\"; did you mean poll?",
                        "F:7:10: log.level is a list where one value belongs; write one value",
                        "F:8:1: log was set before in line 6; keep one of the two");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            listen: 1:2                | F:1:1: there is no key "listen"; did you mean metrics.listen?
            colour: red                | F:1:1: there is no key "colour"; the keys here are metrics, api, nvml, poll, mps, mig, log
            metrics: yes               | F:1:10: metrics is a single value where a section belongs; write its keys one a line, as "key: value"
            metrics: [1]               | F:1:10: metrics is a list where a section belongs; write its keys one a line, as "key: value"
            just words                 | F:1:1: the file is a single value where a section belongs; write its keys one a line, as "key: value"
            [a, b]: c                  | F:1:1: a key is a list; use a plain word as a key
            metrics: {listen: 9836}    | F:1:19: metrics.listen: "9836" is no address to listen on; write HOST:PORT, for example 127.0.0.1:9836, 0.0.0.0:9836 or [::1]:9836
            metrics: {listen: }        | F:1:18: metrics.listen has no value; write one, or remove the line
            metrics: {listen: 'a:65536'} | F:1:19: metrics.listen: there is no port 65536; use 1 to 65535, or 0 for any free one
            metrics: {include: 'gpu-*'} | F:1:20: metrics.include: no name of a metric fits "gpu-*"; write letters, digits and _, with * for any of them and ? for one, such as gpu_power_*
            metrics: {exclude: [a, [b]]} | F:1:24: metrics.exclude is a list where one value belongs; write one value
            metrics: {dcgm-hostname-label: host} | F:1:32: metrics.dcgm-hostname-label: "host" is no spelling of the label; use Hostname, hostname or none
            metrics: {web-config: web.yml} | F:1:23: metrics.web-config: "web.yml" is not absolute; write a path that starts with /
            api: {socket: run.sock}    | F:1:15: api.socket: "run.sock" is not absolute; write a path that starts with /
            poll: {fast: 1}            | F:1:14: poll.fast: "1" is no duration; write a whole number with ms, s, m or h, between 200ms and 10s, for example 1s
            poll: {fast: -1s}          | F:1:14: poll.fast: "-1s" is no duration; write a whole number with ms, s, m or h, between 200ms and 10s, for example 1s
            poll: {fast: 1ms}          | F:1:14: poll.fast: 1ms is out of range; choose one between 200ms and 10s
            poll: {slow: 999999999h}   | F:1:14: poll.slow: 999999999h is out of range; choose one between 1s and 300s
            mps: {log-cap: 4MB}        | F:1:16: mps.log-cap: "4MB" is no size; write a whole number with KiB, MiB or GiB, between 64KiB and 1GiB, for example 4MiB
            mps: {log-cap: 1KiB}       | F:1:16: mps.log-cap: 1KiB is out of range; choose one between 64KiB and 1GiB
            mps: {log-cap: 999999999GiB} | F:1:16: mps.log-cap: 999999999GiB is out of range; choose one between 64KiB and 1GiB
            log: {level: INFO}         | F:1:14: log.level: there is no level "INFO"; use error, warn, info or debug
            """)
    void saysWhatIsWrongAndWhatWouldBeRight(String text, String problem) throws IOException {
        assertThat(problems(text)).containsExactly(problem);
    }

    @Test
    void saysWhereAFileStopsBeingYaml() throws IOException {
        assertThat(problems("metrics:\n  listen: \"127\n"))
                .singleElement()
                .asString()
                .startsWith("F:3:1: this is no YAML (");
        assertThat(problems("a: b: c\n")).singleElement().asString().startsWith("F:1:5: this is no YAML (");
        assertThat(problems("---\na: b\n---\nc: d\n"))
                .singleElement()
                .asString()
                .contains("this is no YAML");
        assertThat(problems("metrics:\n\tlisten: a\n"))
                .singleElement()
                .asString()
                .startsWith("F:2:1: this is no YAML (");
        assertThat(problems("log: {}\n# \u0007\n"))
                .containsExactly("F:2:3: the character U+0007 is not allowed in YAML; remove it");
    }

    @Test
    void anAliasOfItselfEndsInAProblem() throws IOException {
        assertThat(problems("metrics: &a [*a]\n")).hasSize(1);
        assertThat(problems("metrics: &a {listen: *a}\n")).hasSize(1);
    }

    @Test
    void nestingWithoutEndIsAProblemToo() throws IOException {
        assertThat(problems("[".repeat(60_000))).hasSize(1);
    }

    @Test
    void aByteThatIsNotUtf8HasAPlace() throws IOException {
        Path file = file();
        Files.write(file, "log: {}\n# gr\u00fcn\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(problems(file)).containsExactly("F:2:5: a byte there is not UTF-8; save the file as UTF-8");
    }

    @Test
    void whatIsNoFileIsSaidInOneSentence() throws Exception {
        assertThat(problems(file())).containsExactly("F: it does not exist; name a file that does");
        Files.createDirectory(file());
        assertThat(problems(file())).containsExactly("F: it is a folder; name a file");
        Files.delete(file());
        Files.write(file(), new byte[(64 << 10) + 1]);
        assertThat(problems(file())).containsExactly("F: it has more than 64 KiB; name a configuration file");
        Files.writeString(file(), "#".repeat((64 << 10) - 1) + "\n");
        assertThat(ConfigFile.read(file())).isEqualTo(AgentConfig.DEFAULT);
        assertThat(problems(Path.of("/dev/zero"))).singleElement().asString().contains("it is no regular file");
    }

    @Test
    void theSentenceCountsTheProblems() throws IOException {
        Files.writeString(file(), "a: 1\nb: 2\n");
        ConfigException e = catchThrowableOfType(ConfigException.class, () -> ConfigFile.read(file()));
        assertThat(e.sentence()).isEqualTo(file() + " has 2 problems; correct it and run gpu-agent config check");
        assertThat(e.exitCode()).isEqualTo(2);
    }

    private AgentConfig read(String text) throws Exception {
        return ConfigFile.read(Files.writeString(file(), text));
    }

    private List<String> problems(String text) throws IOException {
        return problems(Files.writeString(file(), text));
    }

    private List<String> problems(Path file) {
        ConfigException e = catchThrowableOfType(ConfigException.class, () -> ConfigFile.read(file));
        return e.problems().stream()
                .map(problem -> problem.toString().replace(file().toString(), "F"))
                .toList();
    }

    private Path file() {
        return folder.resolve("config.yaml");
    }

    @Test
    void problemsWithoutEndAreCutShortAndCounted() throws IOException {
        StringBuilder keys = new StringBuilder();
        for (int key = 0; key < 73; key++) {
            keys.append('k').append(key).append(": 1\n");
        }
        Files.writeString(file(), keys);
        ConfigException e = catchThrowableOfType(ConfigException.class, () -> ConfigFile.read(file()));
        assertThat(e.problems()).hasSize(50);
        assertThat(e.problems().getLast().line()).isEqualTo(50);
        assertThat(e.more()).isEqualTo(23);
        assertThat(e.sentence()).startsWith(file() + " has 73 problems;");
    }
}
