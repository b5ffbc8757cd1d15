// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.GpuName;
import io.gpuagent.agent.config.AgentException;
import io.gpuagent.agent.config.BadValueException;
import io.gpuagent.agent.config.Quoted;
import java.util.regex.Pattern;

/** Names of daemons and devices as they may be written; whether there is such a one, the agent knows. */
final class MpsNames {
    private static final Pattern ID = Pattern.compile("[a-z0-9][a-z0-9-]{0,31}");
    private static final Pattern MIG =
            Pattern.compile("(?i)mig-(?:[0-9a-f-]{1,36}|gpu-[0-9a-f-]{36}/[0-9]{1,3}/[0-9]{1,3})");

    private MpsNames() {}

    /** A GPU, a MIG device or a daemon. */
    static String target(String text) throws AgentException {
        if (ID.matcher(text).matches()) {
            return text;
        }
        return device(text);
    }

    /** A GPU or a MIG device. */
    static String device(String text) throws AgentException {
        if (MIG.matcher(text).matches()) {
            return text;
        }
        try {
            GpuName.parse(text);
            return text;
        } catch (BadValueException e) {
            throw new AgentException(
                    AgentException.BAD_INPUT,
                    "TARGET: " + Quoted.of(text)
                            + " names no GPU, MIG device or daemon; write an index (0), a UUID or its beginning, a PCI"
                            + " bus id (3b:00.0), a MIG UUID or its beginning (MIG-5c3d), or the id of a daemon",
                    e);
        }
    }

    static String id(String name, String text) throws AgentException {
        if (ID.matcher(text).matches()) {
            return text;
        }
        throw new AgentException(
                AgentException.BAD_INPUT,
                name + ": " + Quoted.of(text)
                        + " is no name of a group; write 1 to 32 lower-case letters, digits and hyphens, the first no"
                        + " hyphen");
    }
}
