// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import io.gpuagent.exporters.FamilyFilter;
import io.gpuagent.exporters.NamePattern;
import io.gpuagent.host.HostView;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Reads {@code config.yaml}. */
public final class ConfigFile {
    private static final String USUAL = "/etc/gpu-agent/config.yaml";
    private static final KeyAdvice ADVICE = new KeyAdvice(List.of(
            "metrics.listen",
            "metrics.format",
            "metrics.include",
            "metrics.exclude",
            "metrics.dcgm-counters",
            "metrics.dcgm-hostname-label",
            "metrics.web-config",
            "api.socket",
            "nvml.library",
            "poll.fast",
            "poll.slow",
            "mps.enabled",
            "mps.drain-timeout",
            "mps.log-cap",
            "mig.idle-grace",
            "log.level"));

    private ConfigFile() {}

    /**
     * Where the configuration is looked for when no file is named.
     *
     * @param host the machine
     * @return the file, which may not exist
     */
    public static Path usual(HostView host) {
        return host.path(USUAL);
    }

    /**
     * Reads a file.
     *
     * @param file the file
     * @return the configuration, with defaults for what the file does not say
     * @throws ConfigException when anything in it is wrong; it lists everything
     */
    public static AgentConfig read(Path file) throws ConfigException {
        Problems problems = new Problems(file.toString());
        AgentConfig config = parse(ConfigText.read(file, problems), problems);
        problems.throwIfAny();
        return config;
    }

    private static AgentConfig parse(String text, Problems problems) throws ConfigException {
        YamlSection root = YamlSection.root(ConfigText.yaml(text, problems), problems, ADVICE);
        AgentConfig config = new AgentConfig(
                metrics(root.section("metrics")),
                api(root.section("api")),
                nvml(root.section("nvml")),
                poll(root.section("poll")),
                mps(root.section("mps")),
                mig(root.section("mig")),
                log(root.section("log")));
        root.finish();
        return config;
    }

    private static MetricsConfig metrics(YamlSection section) {
        MetricsConfig config = new MetricsConfig(
                section.value("listen", MetricsConfig.DEFAULT.listen(), ListenAddress::parse),
                section.value("format", MetricsConfig.DEFAULT.format(), MetricsFormat::parse),
                new FamilyFilter(
                        section.list("include", ConfigFile::pattern), section.list("exclude", ConfigFile::pattern)),
                new DcgmConfig(
                        section.value("dcgm-counters", PathText::absolute),
                        section.value("dcgm-hostname-label", DcgmConfig.DEFAULT.hostLabel(), DcgmConfig::hostLabel)),
                section.value("web-config", PathText::absolute));
        section.finish();
        return config;
    }

    private static NamePattern pattern(String text) throws BadValueException {
        if (NamePattern.isPattern(text)) {
            return new NamePattern(text);
        }
        throw new BadValueException(
                "no name of a metric fits " + Quoted.of(text),
                "write letters, digits and _, with * for any of them and ? for one, such as gpu_power_*");
    }

    private static ApiConfig api(YamlSection section) {
        ApiConfig config = new ApiConfig(section.value("socket", PathText::socket));
        section.finish();
        return config;
    }

    private static NvmlConfig nvml(YamlSection section) {
        NvmlConfig config = new NvmlConfig(section.value("library", PathText::absolute));
        section.finish();
        return config;
    }

    private static PollConfig poll(YamlSection section) {
        Duration fast = section.value(
                "fast",
                PollConfig.DEFAULT.fast(),
                text -> DurationText.parse(text, PollConfig.FAST_MIN, PollConfig.FAST_MAX));
        // Slow readings are made in a fast round, so that they cannot come more often.
        Duration slowest = fast.compareTo(PollConfig.SLOW_MIN) > 0 ? fast : PollConfig.SLOW_MIN;
        Duration slow = section.value(
                "slow", PollConfig.DEFAULT.slow(), text -> DurationText.parse(text, slowest, PollConfig.SLOW_MAX));
        PollConfig config = new PollConfig(fast, slow);
        section.finish();
        return config;
    }

    private static MpsConfig mps(YamlSection section) {
        MpsConfig config = new MpsConfig(
                section.value("enabled", MpsConfig.DEFAULT.enabled(), ConfigFile::truth),
                section.value(
                        "drain-timeout",
                        MpsConfig.DEFAULT.drainTimeout(),
                        text -> DurationText.parse(text, MpsConfig.DRAIN_MIN, MpsConfig.DRAIN_MAX)),
                section.value(
                        "log-cap",
                        MpsConfig.DEFAULT.logCapBytes(),
                        text -> SizeText.parse(text, MpsConfig.LOG_CAP_MIN, MpsConfig.LOG_CAP_MAX)));
        section.finish();
        return config;
    }

    private static MigConfig mig(YamlSection section) {
        MigConfig config = new MigConfig(section.value(
                "idle-grace",
                MigConfig.DEFAULT.idleGrace(),
                text -> DurationText.parse(text, MigConfig.GRACE_MIN, MigConfig.GRACE_MAX)));
        section.finish();
        return config;
    }

    static boolean truth(String text) throws BadValueException {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new BadValueException(Quoted.of(text) + " is neither true nor false", "write one of them");
        };
    }

    private static LogConfig log(YamlSection section) {
        LogConfig config = new LogConfig(section.value("level", LogConfig.DEFAULT.level(), ConfigFile::level));
        section.finish();
        return config;
    }

    private static LogConfig.Level level(String text) throws BadValueException {
        for (LogConfig.Level level : LogConfig.Level.values()) {
            if (level.name().toLowerCase(Locale.ROOT).equals(text)) {
                return level;
            }
        }
        throw new BadValueException("there is no level " + Quoted.of(text), "use error, warn, info or debug");
    }
}
