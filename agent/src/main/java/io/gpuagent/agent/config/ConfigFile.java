// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import io.gpuagent.host.HostView;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads {@code config.yaml}. */
public final class ConfigFile {
    private static final String USUAL = "/etc/gpu-agent/config.yaml";
    // A file of this size is no configuration; it bounds what the parser is given.
    private static final int LARGEST_BYTES = 64 << 10;
    private static final KeyAdvice ADVICE = new KeyAdvice(List.of(
            "metrics.listen",
            "metrics.format",
            "api.socket",
            "nvml.library",
            "poll.fast",
            "poll.slow",
            "mps.enabled",
            "mps.drain-timeout",
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
        AgentConfig config = parse(text(file, problems), problems);
        problems.throwIfAny();
        return config;
    }

    private static String text(Path file, Problems problems) throws ConfigException {
        byte[] bytes = new byte[0];
        try {
            if (Files.isDirectory(file)) {
                problems.add(0, 0, "it is a folder", "name a file");
            } else if (Files.exists(file) && !Files.isRegularFile(file)) {
                // A pipe or a device could keep us waiting for ever.
                problems.add(0, 0, "it is no regular file", "name a file");
            } else {
                bytes = start(file);
            }
            if (bytes.length > LARGEST_BYTES) {
                problems.add(0, 0, "it has more than 64 KiB", "name a configuration file");
                problems.throwIfAny();
            }
        } catch (NoSuchFileException e) {
            problems.add(0, 0, "it does not exist", "name a file that does");
        } catch (AccessDeniedException e) {
            problems.add(0, 0, "this user may not read it", "give the agent's user the right to read it");
        } catch (IOException e) {
            problems.add(0, 0, "it cannot be read (" + e.getMessage() + ")", "name a file that can");
        }
        String text = YamlText.decode(bytes, problems);
        problems.throwIfAny();
        return text;
    }

    /** One byte more than a configuration may have is enough to tell that a file, which may grow, is too large. */
    private static byte[] start(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(LARGEST_BYTES + 1);
        }
    }

    private static AgentConfig parse(String text, Problems problems) throws ConfigException {
        Node node = YamlText.compose(text, problems);
        problems.throwIfAny();
        YamlSection root = YamlSection.root(node, problems, ADVICE);
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
                section.value("format", MetricsConfig.DEFAULT.format(), MetricsFormat::parse));
        section.finish();
        return config;
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
                        text -> DurationText.parse(text, MpsConfig.DRAIN_MIN, MpsConfig.DRAIN_MAX)));
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

    private static boolean truth(String text) throws BadValueException {
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
