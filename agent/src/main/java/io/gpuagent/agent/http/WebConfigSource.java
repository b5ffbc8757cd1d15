// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import io.gpuagent.agent.config.ConfigException;
import io.gpuagent.agent.config.Problem;
import io.gpuagent.agent.config.WebConfig;
import io.gpuagent.agent.config.WebConfigFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A web configuration that follows its files. When one of them has changed and the whole is not good, the last good one
 * goes on: nobody is let in, or locked out, by a slip of the pen.
 */
public final class WebConfigSource implements Supplier<WebConfig> {
    private static final System.Logger LOG = System.getLogger(WebConfigSource.class.getName());

    private final Optional<Path> file;
    private volatile WebConfig current;
    private Map<Path, String> stamps;
    // Empty while the files are as good as what is served. A bad one is read again each time: what it lacks may come.
    private List<Problem> problems = List.of();

    private WebConfigSource(Optional<Path> file, WebConfig current, Map<Path, String> stamps) {
        this.file = file;
        this.current = current;
        this.stamps = stamps;
    }

    /**
     * The configuration of a file, or an open one.
     *
     * @param file the file; empty for plain HTTP to all
     * @return the source
     * @throws ConfigException when the file is not good: an agent does not start with less protection than it was told
     */
    public static WebConfigSource of(Optional<Path> file) throws ConfigException {
        if (file.isEmpty()) {
            return new WebConfigSource(file, WebConfig.OPEN, Map.of());
        }
        WebConfig first = WebConfigFile.read(file.get());
        return new WebConfigSource(file, first, stamps(first.files()));
    }

    @Override
    public WebConfig get() {
        return current;
    }

    /** Whether there is anything that can change. */
    boolean follows() {
        return file.isPresent();
    }

    /**
     * Reads the files again where one has changed; takes the time of a few system calls where none has.
     *
     * @return whether the configuration is another one now
     */
    synchronized boolean refresh() {
        if (file.isEmpty() || (problems.isEmpty() && stamps(stamps.keySet()).equals(stamps))) {
            return false;
        }
        try {
            // Before the files are read: what changes meanwhile is seen the next time.
            Map<Path, String> before = stamps(stamps.keySet());
            WebConfig read = WebConfigFile.read(file.get());
            Map<Path, String> after = stamps(read.files());
            before.forEach(after::replace);
            stamps = after;
            problems = List.of();
            if (read.tls().isPresent() != current.tls().isPresent()) {
                LOG.log(System.Logger.Level.WARNING, "{0}: TLS is switched on and off by a restart alone", file.get());
                return false;
            }
            current = read;
            LOG.log(System.Logger.Level.INFO, "{0} was read anew", file.get());
            return true;
        } catch (ConfigException e) {
            if (!e.problems().equals(problems)) {
                problems = e.problems();
                LOG.log(
                        System.Logger.Level.WARNING,
                        "the web configuration stays as it was: {0}",
                        problems.stream().map(Problem::toString).collect(Collectors.joining(" / ")));
            }
            return false;
        }
    }

    private static Map<Path, String> stamps(Set<Path> files) {
        Map<Path, String> stamps = new HashMap<>();
        for (Path path : files) {
            stamps.put(path, stamp(path));
        }
        return stamps;
    }

    private static String stamp(Path path) {
        try {
            BasicFileAttributes file = Files.readAttributes(path, BasicFileAttributes.class);
            return file.lastModifiedTime().toInstant() + " " + file.size() + " " + file.fileKey();
        } catch (IOException e) {
            return "not there";
        }
    }
}
