// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Who has to do with an instance, as far as the host tells.
 *
 * @param pid its process id in the agent's pid namespace; empty for a container as a whole
 * @param name the command's name; empty text where it is not known
 * @param unit the systemd unit it belongs to
 * @param container the container it belongs to
 */
public record Holder(OptionalLong pid, String name, Optional<String> unit, Optional<String> container) {
    /**
     * A process of which nothing more is known.
     *
     * @param pid its id
     * @param name the command's name
     * @return the holder
     */
    public static Holder process(long pid, String name) {
        return new Holder(OptionalLong.of(pid), name, Optional.empty(), Optional.empty());
    }

    /**
     * Names it in plain words.
     *
     * @return such as {@code process 4711 (python, unit train.service)}
     */
    public String words() {
        List<String> more = new ArrayList<>();
        if (!name.isEmpty()) {
            more.add(UserText.printable(name));
        }
        unit.ifPresent(u -> more.add("unit " + UserText.printable(u)));
        if (pid.isEmpty()) {
            String who =
                    container.map(c -> "container " + UserText.printable(c)).orElse("somebody");
            return more.isEmpty() ? who : who + " (" + String.join(", ", more) + ")";
        }
        container.ifPresent(c -> more.add("container " + UserText.printable(c)));
        String who = "process " + pid.getAsLong();
        return more.isEmpty() ? who : who + " (" + String.join(", ", more) + ")";
    }
}
