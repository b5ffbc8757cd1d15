// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A machine whose files lie in a test's folder. */
final class TestHost {
    private TestHost() {}

    static HostView root(Path folder) {
        return new HostView(folder, Map.of(), 0);
    }

    /** A user's view; the uid is the test's own, so that files it makes belong to "the user". */
    static HostView user(Path folder, Map<String, String> environment) throws IOException {
        int uid = (Integer) Files.getAttribute(folder, "unix:uid");
        // Tests may run as root, whose folders are the system's: a view of "some user" must not say 0.
        return new HostView(folder, environment, uid == 0 ? 1000 : uid);
    }

    static Path write(HostView host, String path, String text) throws IOException {
        Path file = host.path(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }
}
