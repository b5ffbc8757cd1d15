// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.bench;

import io.gpuagent.agent.poll.CallLedger;
import io.gpuagent.model.time.SystemClock;
import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.CallObserver;
import io.gpuagent.nvml.GpmSample;
import io.gpuagent.nvml.Gpu;
import io.gpuagent.nvml.Nvml;
import io.gpuagent.nvml.SymbolSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The same calls in C and through the binding, in turns, so that what else the machine does is shared. Not under JMH: its
 * loop could not be the C program's, and a round of JMH is an iteration of a second, too long to take turns. A round is as
 * many calls as take some milliseconds; the loops on both sides check each call's answer.
 */
final class CallLoops {
    private static final int ROUNDS = 31;
    private static final long ROUND_NANOS = 5_000_000;
    /** Enough for the first compiler, which compiles after 200 calls (and 2,000 turns of a loop). */
    private static final int WARM_UP_CALLS = 20_000;

    private static final long WARM_UP_NANOS = 300_000_000;

    private final CLoop c;
    private final Side binding;
    private final Side counted;

    CallLoops(CLoop c, SymbolSource library) {
        this.c = c;
        this.binding = new Side(library, CallObserver.NONE);
        this.counted = new Side(library, new CallLedger(SystemClock.INSTANCE));
    }

    /** All calls that this GPU answers. */
    List<CallFigures> measure() throws IOException {
        List<CallFigures> figures = new ArrayList<>();
        for (MeasuredCall call : MeasuredCall.values()) {
            OptionalDouble once = c.perCall(call, 1);
            if (once.isEmpty() || binding.isRefused(call)) {
                System.err.println(call.cName() + ": this GPU has none");
            } else {
                figures.add(measure(call));
                System.err.println("measured: " + call.cName());
            }
        }
        return figures;
    }

    private CallFigures measure(MeasuredCall call) throws IOException {
        binding.warmUp(call);
        counted.warmUp(call);
        double estimate = c.perCall(call, 3).orElseThrow();
        long count = Math.clamp((long) (ROUND_NANOS / estimate), 1, 20_000);
        List<Double> ofC = new ArrayList<>();
        List<Double> ofBinding = new ArrayList<>();
        List<Double> ofCounted = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            ofC.add(c.perCall(call, count).orElseThrow());
            ofBinding.add(binding.perCall(call, count));
            ofCounted.add(counted.perCall(call, count));
        }
        return new CallFigures(
                call, new Samples(ofC).median(), new Samples(ofBinding).median(), new Samples(ofCounted).median());
    }

    /** One session's loop. */
    private static final class Side {
        private final Gpu gpu;
        private final GpmSample sample;

        Side(SymbolSource library, CallObserver observer) {
            gpu = Nvml.open(library, observer, SystemClock.INSTANCE::nanos)
                    .orThrow()
                    .gpu(0)
                    .orThrow();
            sample = gpu.gpm().allocate().orThrow();
        }

        boolean isRefused(MeasuredCall call) {
            return call.ask(gpu, sample) instanceof Answer.Refused;
        }

        void warmUp(MeasuredCall call) {
            long end = SystemClock.INSTANCE.nanos() + WARM_UP_NANOS;
            for (int i = 0; i < WARM_UP_CALLS && SystemClock.INSTANCE.nanos() < end; i += 10) {
                perCall(call, 10);
            }
        }

        double perCall(MeasuredCall call, long count) {
            long start = SystemClock.INSTANCE.nanos();
            for (long i = 0; i < count; i++) {
                if (call.ask(gpu, sample) instanceof Answer.Refused<?> refused) {
                    throw new IllegalStateException(call.cName() + " is refused: " + refused.code());
                }
            }
            return (double) (SystemClock.INSTANCE.nanos() - start) / count;
        }
    }
}
