// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import io.gpuagent.host.HostView;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
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
            "mps.log-cap",
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
        String text = decode(bytes, problems);
        problems.throwIfAny();
        // A byte order mark, which some editors put first, is no text.
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    /** One byte more than a configuration may have is enough to tell that a file, which may grow, is too large. */
    private static byte[] start(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(LARGEST_BYTES + 1);
        }
    }

    private static String decode(byte[] bytes, Problems problems) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        CharBuffer text = CharBuffer.allocate(bytes.length);
        ByteBuffer rest = ByteBuffer.wrap(bytes);
        CoderResult result = decoder.decode(rest, text, true);
        String decoded = text.flip().toString();
        if (result.isError()) {
            int line = (int) decoded.chars().filter(c -> c == '\n').count() + 1;
            int column = decoded.length() - decoded.lastIndexOf('\n');
            problems.add(line, column, "a byte there is not UTF-8", "save the file as UTF-8");
        }
        return decoded;
    }

    private static AgentConfig parse(String text, Problems problems) throws ConfigException {
        Node node = compose(text, problems);
        problems.throwIfAny();
        YamlSection root = YamlSection.root(node, problems, ADVICE);
        AgentConfig config = new AgentConfig(
                metrics(root.section("metrics")),
                api(root.section("api")),
                nvml(root.section("nvml")),
                poll(root.section("poll")),
                mps(root.section("mps")),
                log(root.section("log")));
        root.finish();
        return config;
    }

    private static @Nullable Node compose(String text, Problems problems) {
        try {
            LoadSettings settings =
                    LoadSettings.builder().setAllowNonScalarKeys(true).build();
            return new Compose(settings).composeString(text).orElse(null);
        } catch (MarkedYamlEngineException e) {
            problems.add(
                    e.getProblemMark().or(e::getContextMark),
                    "this is no YAML (" + Quoted.printable(e.getProblem()) + ")",
                    "check indentation, colons and quotes");
        } catch (ReaderException e) {
            String before = text.substring(
                    0, text.offsetByCodePoints(0, Math.min(e.getPosition(), text.codePointCount(0, text.length()))));
            problems.add(
                    (int) before.chars().filter(c -> c == '\n').count() + 1,
                    before.length() - before.lastIndexOf('\n'),
                    String.format(Locale.ROOT, "the character U+%04X is not allowed in YAML", e.getCodePoint()),
                    "remove it");
        } catch (YamlEngineException e) {
            problems.add(
                    0, 0, "this is no YAML (" + Quoted.printable(String.valueOf(e.getMessage())) + ")", "correct it");
        } catch (StackOverflowError e) {
            problems.add(0, 0, "it is nested too deeply", "a configuration has two levels");
        }
        return null;
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
                        text -> DurationText.parse(text, MpsConfig.DRAIN_MIN, MpsConfig.DRAIN_MAX)),
                section.value(
                        "log-cap",
                        MpsConfig.DEFAULT.logCapBytes(),
                        text -> SizeText.parse(text, MpsConfig.LOG_CAP_MIN, MpsConfig.LOG_CAP_MAX)));
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
