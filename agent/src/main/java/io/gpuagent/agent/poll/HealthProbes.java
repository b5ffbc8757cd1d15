// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import io.gpuagent.model.FabricMembership;
import io.gpuagent.model.NvLinkState;
import io.gpuagent.model.PendingRepairs;
import io.gpuagent.model.ReadingKey;
import io.gpuagent.model.ReadingKeys;
import io.gpuagent.model.SlowdownTimes;
import io.gpuagent.model.SpareRowBanks;
import io.gpuagent.model.SramErrors;
import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.Coded;
import io.gpuagent.nvml.Fabric;
import io.gpuagent.nvml.Gpu;
import io.gpuagent.nvml.NvLinks;
import io.gpuagent.nvml.NvmlReturn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/** What a GPU is asked for the sake of its health alone. */
final class HealthProbes {
    // nvml.h: how long clocks were held down, nanoseconds.
    private static final int PERF_POLICY_THERMAL = 75;
    private static final int CLOCKS_EVENT_REASON_HW_THERM_SLOWDOWN = 270;
    private static final int CLOCKS_EVENT_REASON_HW_POWER_BRAKE_SLOWDOWN = 271;

    /** What a driver leaves in an unsigned int that it did not fill. */
    private static final double UINT_MAX = 4_294_967_295.0;

    // nvml.h: NVML_GPU_FABRIC_HEALTH_MASK_*: two bits each.
    private static final long MASK_TRUE = 1;
    private static final long MASK_FALSE = 2;
    private static final int SHIFT_ROUTE_RECOVERY = 2;
    private static final int SHIFT_ROUTE_UNHEALTHY = 4;
    private static final int SHIFT_ACCESS_TIMEOUT = 6;
    private static final int SHIFT_CONFIGURATION = 8;

    // What a value can be at the most; beyond it, the driver's answer is a mistake. Generous on purpose.
    private static final long MAX_BANKS = 1_000_000;
    private static final long MAX_ERRORS = 1L << 48;
    private static final int MAX_FABRIC_STATE = 100;

    static final List<Probe> ALL = List.of(
            plausible(
                    ReadingKeys.SPARE_ROW_BANKS,
                    gpu -> gpu.repairs()
                            .rowRemapper()
                            .map(banks -> new SpareRowBanks(
                                    banks.max(), banks.high(), banks.partial(), banks.low(), banks.none())),
                    banks -> areAtMost(
                            MAX_BANKS, banks.max(), banks.high(), banks.partial(), banks.low(), banks.none())),
            plausible(
                    ReadingKeys.SRAM_ERRORS,
                    gpu -> gpu.sram()
                            .status()
                            .map(status -> new SramErrors(
                                    status.sinceLoad().corrected(),
                                    status.sinceLoad().parity(),
                                    status.sinceLoad().secDed(),
                                    status.isThresholdExceeded())),
                    errors -> areAtMost(MAX_ERRORS, errors.corrected(), errors.parity(), errors.secDed())),
            Probe.of(
                    ReadingKeys.PENDING_REPAIRS,
                    gpu -> gpu.repairs().pending().map(each -> new PendingRepairs(each.channel(), each.tpc()))),
            Probe.of(ReadingKeys.SLOWDOWN_TIMES, HealthProbes::slowdown),
            Probe.bounded(
                    ReadingKeys.PCIE_REPLAYS, 0, UINT_MAX - 1, gpu -> gpu.pcie().replays()),
            Probe.of(ReadingKeys.NVLINKS, HealthProbes::nvlinks),
            plausible(
                    ReadingKeys.FABRIC,
                    gpu -> gpu.fabric()
                            .membership()
                            .map(each -> new FabricMembership(each.state().code(), mask(each))),
                    fabric -> fabric.state() <= MAX_FABRIC_STATE));

    private HealthProbes() {}

    private static <T> Probe plausible(ReadingKey<T> key, Function<Gpu, Answer<T>> call, Predicate<T> isPlausible) {
        return new Probe(key.tier(), List.of(key), (gpu, answers) -> {
            Answer<T> answer = call.apply(gpu);
            if (answer instanceof Answer.Value<T>(T value) && !isPlausible.test(value)) {
                answers.reject(key, String.valueOf(value));
            } else {
                answers.put(key, answer);
            }
        });
    }

    private static boolean areAtMost(long most, long... counts) {
        return LongStream.of(counts).allMatch(count -> count >= 0 && count <= most);
    }

    /** All in one call: each alone would be a round trip of its own (facts: up to 0.9 ms, then cached). */
    private static Answer<SlowdownTimes> slowdown(Gpu gpu) {
        List<Answer<Number>> times = gpu.fields()
                .read(
                        PERF_POLICY_THERMAL,
                        CLOCKS_EVENT_REASON_HW_THERM_SLOWDOWN,
                        CLOCKS_EVENT_REASON_HW_POWER_BRAKE_SLOWDOWN);
        boolean tellsAny = times.stream().anyMatch(each -> each instanceof Answer.Value<Number>);
        return tellsAny
                ? new Answer.Value<>(new SlowdownTimes(nanos(times.get(0)), nanos(times.get(1)), nanos(times.get(2))))
                : times.getFirst()
                        .map(none ->
                                new SlowdownTimes(OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty()));
    }

    private static OptionalLong nanos(Answer<Number> answer) {
        return answer instanceof Answer.Value<Number>(Number nanos) && nanos.longValue() >= 0
                ? OptionalLong.of(nanos.longValue())
                : OptionalLong.empty();
    }

    /** A GPU without NVLink refuses the first one with NOT_SUPPORTED; behind its last link it answers INVALID_ARGUMENT. */
    private static Answer<List<NvLinkState>> nvlinks(Gpu gpu) {
        NvLinks links = gpu.nvLinks();
        List<NvLinkState> states = new ArrayList<>();
        for (int link = 0; link < NvLinks.MAX_LINKS; link++) {
            switch (links.isActive(link)) {
                case Answer.Value<Boolean>(Boolean active) ->
                    states.add(new NvLinkState(
                            link,
                            active,
                            count(links.errors(link, NvLinks.ErrorCounter.DL_CRC_FLIT)),
                            count(links.errors(link, NvLinks.ErrorCounter.DL_RECOVERY))));
                case Answer.Refused<Boolean>(var function, NvmlReturn code) -> {
                    if (states.isEmpty() && !code.equals(NvmlReturn.INVALID_ARGUMENT)) {
                        return new Answer.Refused<>(function, code);
                    }
                    return new Answer.Value<>(List.copyOf(states));
                }
                case Answer.Unavailable<Boolean>(var function) -> {
                    return new Answer.Unavailable<>(function);
                }
            }
        }
        return new Answer.Value<>(List.copyOf(states));
    }

    private static OptionalLong count(Answer<Long> answer) {
        return answer instanceof Answer.Value<Long>(Long count) && count >= 0
                ? OptionalLong.of(count)
                : OptionalLong.empty();
    }

    private static long mask(Fabric.Membership membership) {
        return membership
                .health()
                .map(health -> bits(health.isBandwidthDegraded())
                        | bits(health.isRouteRecovering()) << SHIFT_ROUTE_RECOVERY
                        | bits(health.isRouteUnhealthy()) << SHIFT_ROUTE_UNHEALTHY
                        | bits(health.isAccessTimeoutRecovering()) << SHIFT_ACCESS_TIMEOUT
                        | (long) health.configuration().map(Coded::code).orElse(0) << SHIFT_CONFIGURATION)
                .orElse(0L);
    }

    private static long bits(Optional<Boolean> flag) {
        return flag.map(is -> is ? MASK_TRUE : MASK_FALSE).orElse(0L);
    }
}
