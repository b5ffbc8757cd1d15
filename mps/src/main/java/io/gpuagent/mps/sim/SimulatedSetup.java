// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.sim;

import io.gpuagent.mps.DaemonFolders;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * How a simulated daemon is started.
 *
 * @param folders where it lives
 * @param version its binary version, for example 13000
 * @param devices what CUDA_VISIBLE_DEVICES names
 * @param pid its pid
 * @param uid the user who started it
 * @param multiUser whether one server serves all users ({@code -M})
 * @param environment its environment, of which the defaults of threads and priority are read; that of memory does nothing on
 *     driver 580
 * @param serverStart how long a server initialises; about 2 s on an H200, with a CUDA context
 * @param serverStop how long a server takes to leave when told to; about 1 s on an H200
 */
public record SimulatedSetup(
        DaemonFolders folders,
        int version,
        List<SimulatedDevice> devices,
        long pid,
        int uid,
        boolean multiUser,
        Map<String, String> environment,
        Duration serverStart,
        Duration serverStop) {
    /** Takes copies. */
    public SimulatedSetup {
        devices = List.copyOf(devices);
        environment = Map.copyOf(environment);
    }

    /**
     * Root's daemon of one H200, whose servers start and stop at once.
     *
     * @param folders where it lives
     * @return the setup
     */
    public static SimulatedSetup h200(DaemonFolders folders) {
        return new SimulatedSetup(
                folders, 13000, List.of(SimulatedDevice.H200), 490, 0, false, Map.of(), Duration.ZERO, Duration.ZERO);
    }

    /**
     * The same with other devices.
     *
     * @param others the devices
     * @return the setup
     */
    public SimulatedSetup withDevices(List<SimulatedDevice> others) {
        return new SimulatedSetup(folders, version, others, pid, uid, multiUser, environment, serverStart, serverStop);
    }

    /**
     * The same with another version.
     *
     * @param other the binary version
     * @return the setup
     */
    public SimulatedSetup withVersion(int other) {
        return new SimulatedSetup(folders, other, devices, pid, uid, multiUser, environment, serverStart, serverStop);
    }

    /**
     * The same of another process.
     *
     * @param otherPid its pid
     * @param otherUid its user
     * @return the setup
     */
    public SimulatedSetup withProcess(long otherPid, int otherUid) {
        return new SimulatedSetup(
                folders, version, devices, otherPid, otherUid, multiUser, environment, serverStart, serverStop);
    }

    /**
     * The same in multi-user mode or not.
     *
     * @param shared whether one server serves all users
     * @return the setup
     */
    public SimulatedSetup withMultiUser(boolean shared) {
        return new SimulatedSetup(folders, version, devices, pid, uid, shared, environment, serverStart, serverStop);
    }

    /**
     * The same with an environment.
     *
     * @param variables the variables
     * @return the setup
     */
    public SimulatedSetup withEnvironment(Map<String, String> variables) {
        return new SimulatedSetup(folders, version, devices, pid, uid, multiUser, variables, serverStart, serverStop);
    }

    /**
     * The same with slower servers.
     *
     * @param start how long one initialises
     * @param stop how long one takes to leave
     * @return the setup
     */
    public SimulatedSetup withServerTimes(Duration start, Duration stop) {
        return new SimulatedSetup(folders, version, devices, pid, uid, multiUser, environment, start, stop);
    }
}
