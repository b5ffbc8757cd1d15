// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.watch;

import io.gpuagent.model.mps.ForeignMpsDaemon;
import io.gpuagent.model.mps.MpsDaemonView;
import io.gpuagent.model.mps.MpsReason;
import io.gpuagent.mps.control.MpsEnvironment;
import io.gpuagent.mps.supervise.ComputeModes;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Why programs find a GPU busy. In EXCLUSIVE_PROCESS the first process, which should be an MPS server, has it alone: who
 * does not come through the server reads "all CUDA-capable devices are busy or unavailable", which does not say why.
 */
public final class ExclusiveMode {
    /** Programs cannot use the GPU, since its mode waits for a daemon that is not there. */
    public static final String WITHOUT_DAEMON = "mps_exclusive_without_daemon";

    private ExclusiveMode() {}

    /**
     * Whether a GPU waits for a daemon that is not there.
     *
     * @param device the GPU's UUID
     * @param mode its compute mode as read
     * @param ours our daemons
     * @param foreign daemons of others; one that names no devices serves all
     * @return the reason; empty where all is well
     */
    public static Optional<MpsReason> without(
            String device, ComputeModes.Mode mode, List<MpsDaemonView> ours, List<ForeignMpsDaemon> foreign) {
        if (mode != ComputeModes.Mode.EXCLUSIVE_PROCESS
                || ours.stream()
                        .anyMatch(daemon ->
                                daemon.pid().isPresent() && daemon.devices().contains(device))
                || foreign.stream().anyMatch(daemon -> mayServe(daemon, device))) {
            return Optional.empty();
        }
        return Optional.of(new MpsReason(
                WITHOUT_DAEMON,
                device
                        + " is in compute mode EXCLUSIVE_PROCESS and no MPS daemon serves it: one program gets all of it and"
                        + " the others fail with \"all CUDA-capable devices are busy or unavailable\"; start a daemon for"
                        + " it, or set the mode to DEFAULT"));
    }

    /** Ordinals of others cannot be told from here. */
    private static boolean mayServe(ForeignMpsDaemon daemon, String device) {
        return daemon.devices().isEmpty()
                || daemon.devices().stream().anyMatch(named -> named.matches("\\d+") || device.startsWith(named));
    }

    /**
     * Why a program does not come to a daemon.
     *
     * @param variables the program's CUDA_ variables
     * @param pipe the daemon's pipe directory
     * @return one sentence; empty where its environment leads it there
     */
    public static Optional<String> astray(Map<String, String> variables, Path pipe) {
        String named = variables.getOrDefault(MpsEnvironment.PIPE_DIRECTORY, "");
        if (named.equals(pipe.toString())) {
            return Optional.empty();
        }
        return Optional.of(
                named.isEmpty()
                        ? MpsEnvironment.PIPE_DIRECTORY
                                + " is not set in its environment, so it looks for a daemon in a"
                                + " default directory: set it to " + pipe
                        : MpsEnvironment.PIPE_DIRECTORY
                                + " in its environment names another directory than the daemon's:" + " set it to "
                                + pipe);
    }
}
