// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.api.json.JsonValue.JsonObject;
import io.gpuagent.agent.api.json.JsonValue.JsonText;
import io.gpuagent.agent.api.json.JsonValue.JsonTruth;
import io.gpuagent.agent.config.AgentException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** A layout file and how it is meant. */
final class LayoutOptions {
    private static final int LARGEST_BYTES = 64 << 10;

    @Option(names = "--config", paramLabel = "NAME", description = "Which configuration of a mig-parted file.")
    Optional<String> config = Optional.empty();

    @Option(
            names = "--mode",
            description = "Switch MIG mode where a mig-parted file's mig-enabled differs from the present.")
    boolean mode;

    @Option(
            names = "--include-reserved",
            description = "Let instances go that are reserved: named by a program, given to a container, used lately.")
    boolean includeReserved;

    /** Has the agent plan a file. */
    JsonValue plan(MigAgent agent, String layout) throws AgentException {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        members.put("file", new JsonText(layout));
        members.put("layout", new JsonText(read(layout)));
        config.ifPresent(name -> members.put("config", new JsonText(name)));
        members.put("mode", new JsonTruth(mode));
        members.put("include_reserved", new JsonTruth(includeReserved));
        return agent.about(layout).post(MigAgent.PLANS, new JsonObject(members));
    }

    private static String read(String layout) throws AgentException {
        Path file = Arguments.asWritten("LAYOUT", layout);
        try {
            if (!Files.isRegularFile(file) && Files.exists(file)) {
                throw refused(layout, "it is no regular file; name a layout file");
            }
            byte[] bytes;
            try (InputStream in = Files.newInputStream(file)) {
                bytes = in.readNBytes(LARGEST_BYTES + 1);
            }
            if (bytes.length > LARGEST_BYTES) {
                throw refused(layout, "it has more than 64 KiB; name a layout file");
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw refused(layout, "it is not UTF-8; save it as UTF-8");
        } catch (NoSuchFileException e) {
            throw refused(layout, "it does not exist; name a file that does");
        } catch (AccessDeniedException e) {
            throw refused(layout, "this user may not read it; name a file that they may");
        } catch (IOException e) {
            throw refused(layout, "it cannot be read (" + e.getMessage() + "); name a file that can");
        }
    }

    private static AgentException refused(String layout, String why) {
        return new AgentException(AgentException.BAD_INPUT, layout + ": " + why);
    }
}
