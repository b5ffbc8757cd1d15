// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.model.mps.MpsCounters;

/** Counters while the next picture is made. */
final class CountersDraft {
    private long restarts;
    private long serverStarts;
    private long serverFailures;
    private long faults;
    private long terminatedClients;
    private long commands;
    private long commandTimeouts;

    CountersDraft(MpsCounters from) {
        restarts = from.restarts();
        serverStarts = from.serverStarts();
        serverFailures = from.serverFailures();
        faults = from.faults();
        terminatedClients = from.terminatedClients();
        commands = from.commands();
        commandTimeouts = from.commandTimeouts();
    }

    /** Counts from nothing on. */
    void forget() {
        restarts = 0;
        serverStarts = 0;
        serverFailures = 0;
        faults = 0;
        terminatedClients = 0;
        commands = 0;
        commandTimeouts = 0;
    }

    void restarted() {
        restarts++;
    }

    void serverStarted() {
        serverStarts++;
    }

    void serverFailed() {
        serverFailures++;
    }

    void faulted() {
        faults++;
    }

    void clientTerminated() {
        terminatedClients++;
    }

    void commanded(boolean timedOut) {
        commands++;
        commandTimeouts += timedOut ? 1 : 0;
    }

    MpsCounters counters() {
        return new MpsCounters(
                restarts, serverStarts, serverFailures, faults, terminatedClients, commands, commandTimeouts);
    }
}
