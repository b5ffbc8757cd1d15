// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.List;
import java.util.Map;

/** The driver's record of processes: on or off, and what it holds. */
final class AccountingBehaviours {
    private AccountingBehaviours() {}

    static void addTo(Map<String, Behaviour> behaviours) {
        behaviours.put("nvmlDeviceGetAccountingMode", AccountingBehaviours::mode);
        behaviours.put("nvmlDeviceSetAccountingMode", AccountingBehaviours::setMode);
        behaviours.put("nvmlDeviceClearAccountingPids", AccountingBehaviours::clear);
        behaviours.put("nvmlDeviceGetAccountingPids", AccountingBehaviours::pids);
        behaviours.put("nvmlDeviceGetAccountingStats", AccountingBehaviours::stats);
    }

    private static ProcessAccounting accounting(Call call) {
        return call.gpu().processes().accounting();
    }

    private static void mode(Call call) {
        CannedAnswers.giveOrRefuse(call);
        synchronized (call.gpu()) {
            call.putInt(1, accounting(call).isOn() ? 1 : 0);
        }
    }

    private static void requireAccounting(Call call) {
        if (call.gpu().card().figure("nvmlDeviceGetAccountingMode").isEmpty()) {
            throw new Refusal(Code.NOT_SUPPORTED);
        }
    }

    /** nvml.h: on a GPU in MIG mode it is off, and changing it is not supported. */
    private static void setMode(Call call) {
        boolean isOn = SettingBehaviours.enabled(call, 1);
        requireAccounting(call);
        call.require(Privilege.ROOT);
        if (isOn && call.gpu().state().migCurrent() == 1) {
            throw new Refusal(Code.NOT_SUPPORTED);
        }
        call.gpu().change(() -> accounting(call).turn(isOn));
    }

    private static void clear(Call call) {
        requireAccounting(call);
        call.require(Privilege.ROOT);
        call.gpu().change(() -> accounting(call).clearEnded());
    }

    private static void pids(Call call) {
        requireAccounting(call);
        synchronized (call.gpu()) {
            List<Integer> pids = accounting(call).pids();
            call.offer(1, pids.size());
            for (int i = 0; i < pids.size(); i++) {
                call.putElement(2, i, pids.get(i));
            }
        }
    }

    private static void stats(Call call) {
        requireAccounting(call);
        StructView stats = call.struct(2);
        synchronized (call.gpu()) {
            if (!accounting(call).isOn()) {
                // As captured on an H200.
                throw new Refusal(Code.NOT_SUPPORTED);
            }
            ProcessAccounting.Account account =
                    accounting(call).find(call.integer(1)).orElseThrow(() -> new Refusal(Code.NOT_FOUND));
            ProcessAccounting.End soFar = account.end()
                    .orElseGet(() -> account.until(
                            call.machine().clock().epochMicros(),
                            call.gpu().readings().meter()));
            stats.set("gpuUtilization", soFar.gpuPercent())
                    .set("memoryUtilization", soFar.memoryPercent())
                    .set("maxMemoryUsage", account.mostMemory())
                    // nvml.h: 0 while it runs.
                    .set("time", account.end().isPresent() ? soFar.millis() : 0L)
                    .set("startTime", account.startMicros())
                    .set("isRunning", account.end().isPresent() ? 0 : 1);
        }
    }
}
