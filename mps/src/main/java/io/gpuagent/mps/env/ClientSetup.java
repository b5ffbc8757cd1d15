// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.env;

import io.gpuagent.model.Share;
import io.gpuagent.model.mps.MpsDaemonView;
import io.gpuagent.mps.MpsException;
import io.gpuagent.mps.control.MpsEnvironment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How a program becomes a client of a daemon.
 *
 * @param daemon the daemon's id
 * @param pipe its pipe directory, which must be at the same path for the client
 * @param devices UUIDs of its devices in the order of their ordinals
 * @param uid the user it runs as
 * @param multiUser whether it serves all users at once
 * @param share what the client asks for itself, which can only lower what its server allows
 */
public record ClientSetup(String daemon, Path pipe, List<String> devices, long uid, boolean multiUser, Share share) {
    /**
     * Takes a copy.
     *
     * @throws MpsException when the pipe directory cannot stand in every format
     */
    public ClientSetup {
        devices = List.copyOf(devices);
        // What its server allows is not a client's to take off.
        share = share.over(Share.UNLIMITED);
        if (!pipe.toString().matches("/[A-Za-z0-9/._@+-]*")) {
            throw new MpsException("the MPS pipe directory " + pipe
                    + " has characters that shells, units and containers read in different ways; choose a runtime folder"
                    + " of letters, digits and . _ - @ +");
        }
    }

    /**
     * The setup for a client of a daemon.
     *
     * @param daemon the daemon
     * @param share what the client asks for itself
     * @return the setup
     */
    public static ClientSetup of(MpsDaemonView daemon, Share share) {
        return new ClientSetup(daemon.id(), daemon.pipe(), daemon.devices(), daemon.uid(), daemon.multiUser(), share);
    }

    /**
     * The variables. Devices go by UUID: the daemon numbers its own from 0 on, so that an ordinal of the host would name
     * another device, or none. A limit of memory has an entry for each device that the client sees and no other: one
     * too many makes the driver drop every limit (captured on an H200, driver 580.159.04).
     *
     * @return names and values in a stable order
     */
    public Map<String, String> variables() {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put(MpsEnvironment.PIPE_DIRECTORY, pipe.toString());
        variables.put(MpsEnvironment.VISIBLE_DEVICES, String.join(",", devices));
        variables.putAll(MpsEnvironment.ofShare(share, devices.size()));
        return variables;
    }

    /**
     * What to know beside the text.
     *
     * @param format who reads it
     * @return one sentence each, without a full stop
     */
    public List<String> notes(EnvironmentFormat format) {
        List<String> notes = new ArrayList<>();
        switch (format) {
            case SHELL -> {}
            case SYSTEMD ->
                notes.add(
                        "the unit needs the host's /dev/shm and GPU devices: leave PrivateIPC= and PrivateDevices= off");
            case DOCKER ->
                notes.add("give the container these devices by UUID and no others, such as with --gpus" + " '\"device="
                        + String.join(",", devices) + "\"', so that the UUIDs above are valid in it");
        }
        if (!multiUser) {
            notes.add(
                    "the daemon serves one user at a time; a client of another user waits, without a message, until the"
                            + " clients of the first have gone");
        }
        if (share.memory().isPresent()) {
            notes.add("the limit of memory holds for each process and guards against accidents: whoever sets these"
                    + " variables can also set others; MIG keeps hostile tenants apart");
        }
        return List.copyOf(notes);
    }
}
