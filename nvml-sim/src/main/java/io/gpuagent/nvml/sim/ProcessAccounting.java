// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The driver's record of the processes of a GPU: of those that were started while it was on, as nvml.h has it. Guarded by
 * the lock of the GPU.
 */
final class ProcessAccounting {
    private final int room;
    /** By process id, the oldest first. */
    private final Map<Integer, Account> accounts = new LinkedHashMap<>();

    private boolean isOn;

    /**
     * What is kept of a process.
     *
     * @param startMicros simulated microseconds since 1970
     * @param gpuPercentSeconds what the meter of the GPU stood at
     * @param memoryPercentSeconds likewise
     * @param mostMemory most bytes it has had
     * @param end what is known once it has ended
     */
    record Account(
            long startMicros,
            double gpuPercentSeconds,
            double memoryPercentSeconds,
            long mostMemory,
            Optional<End> end) {
        Account ended(End how) {
            return new Account(startMicros, gpuPercentSeconds, memoryPercentSeconds, mostMemory, Optional.of(how));
        }

        Account with(long memory) {
            return new Account(startMicros, gpuPercentSeconds, memoryPercentSeconds, Math.max(mostMemory, memory), end);
        }

        /** Its whole life, as if it ended now. */
        End until(long micros, Meter meter) {
            long seconds = Math.max(1, (micros - startMicros) / 1_000_000);
            return new End(
                    (micros - startMicros) / 1_000,
                    (int) Math.clamp((meter.gpuPercentSeconds() - gpuPercentSeconds) / seconds, 0, 100),
                    (int) Math.clamp((meter.memoryPercentSeconds() - memoryPercentSeconds) / seconds, 0, 100));
        }
    }

    /**
     * How a process was.
     *
     * @param millis how long it lived
     * @param gpuPercent utilization of the GPU in that time
     * @param memoryPercent of the memory controller
     */
    record End(long millis, int gpuPercent, int memoryPercent) {}

    /**
     * An empty record that is off.
     *
     * @param room how many processes it holds
     */
    ProcessAccounting(int room) {
        this.room = room;
    }

    boolean isOn() {
        return isOn;
    }

    /** What was on record is forgotten when it is turned off. */
    void turn(boolean on) {
        isOn = on;
        if (!on) {
            accounts.clear();
        }
    }

    void started(SimulatedProcess process, long micros, Meter meter) {
        if (!isOn || room == 0) {
            return;
        }
        accounts.remove(process.pid());
        if (accounts.size() == room) {
            accounts.remove(accounts.keySet().iterator().next());
        }
        accounts.put(
                process.pid(),
                new Account(
                        micros,
                        meter.gpuPercentSeconds(),
                        meter.memoryPercentSeconds(),
                        process.memory(),
                        Optional.empty()));
    }

    void grown(int pid, long memory) {
        accounts.computeIfPresent(pid, (key, account) -> account.with(memory));
    }

    void ended(int pid, long micros, Meter meter) {
        accounts.computeIfPresent(
                pid,
                (key, account) -> account.end().isPresent() ? account : account.ended(account.until(micros, meter)));
    }

    /** Forgets the processes that have ended. */
    void clearEnded() {
        accounts.values().removeIf(account -> account.end().isPresent());
    }

    List<Integer> pids() {
        return List.copyOf(accounts.keySet());
    }

    Optional<Account> find(int pid) {
        return Optional.ofNullable(accounts.get(pid));
    }

    Map<String, Object> saved() {
        List<Object> list = new ArrayList<>();
        accounts.forEach((pid, account) -> {
            Map<String, Object> members = new LinkedHashMap<>();
            members.put("pid", pid);
            members.put("start", account.startMicros());
            members.put("gpu-percent-seconds", account.gpuPercentSeconds());
            members.put("memory-percent-seconds", account.memoryPercentSeconds());
            members.put("most-memory", account.mostMemory());
            account.end()
                    .ifPresent(end -> members.put("end", List.of(end.millis(), end.gpuPercent(), end.memoryPercent())));
            list.add(members);
        });
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("on", isOn);
        members.put("accounts", list);
        return members;
    }

    void restore(JsonTree saved) {
        isOn = saved.flag("on", false);
        accounts.clear();
        for (JsonTree account : saved.objects("accounts")) {
            Optional<End> end = Optional.empty();
            if (account.has("end")) {
                List<Long> figures = account.integers("end");
                end = Optional.of(new End(
                        figures.get(0),
                        figures.get(1).intValue(),
                        figures.get(2).intValue()));
            }
            accounts.put(
                    account.smallInteger("pid"),
                    new Account(
                            account.integer("start"),
                            account.number("gpu-percent-seconds", 0),
                            account.number("memory-percent-seconds", 0),
                            account.integer("most-memory"),
                            end));
        }
    }
}
