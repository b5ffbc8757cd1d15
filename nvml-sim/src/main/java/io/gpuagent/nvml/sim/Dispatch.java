// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The way of a call through a simulated library: who is asked, what goes wrong, how long it takes, who answers. */
final class Dispatch {
    private static final Set<String> HANDLE_BY_INDEX =
            Set.of("nvmlDeviceGetHandleByIndex", "nvmlDeviceGetHandleByIndex_v2");

    /** What changes the machine, by the verbs of nvml.h. */
    private static final Set<String> CHANGING = Behaviour.ALL.keySet().stream()
            .filter(Pattern.compile("nvml(Device|GpuInstance|ComputeInstance|System)"
                            + "(Set|Create|Destroy|Reset|Clear|Modify|Remove|Discover).*")
                    .asMatchPredicate())
            .collect(Collectors.toUnmodifiableSet());

    private final SimulatedDriver driver;
    /** Garbage is the same in every run. */
    private final Random random = new Random(1);

    private volatile @Nullable LongConsumer latency;

    Dispatch(SimulatedDriver driver) {
        this.driver = driver;
    }

    void spendLatency(@Nullable LongConsumer spend) {
        latency = spend;
    }

    int call(Library library, CFunction function, long[] arguments) {
        driver.takeSteps();
        driver.machine().gate().refresh();
        String name = function.name();
        @Nullable Object target = target(function, arguments);
        @Nullable SimulatedGpu gpu = Call.owner(target);
        int index = gpu == null ? CallCounts.NO_GPU : gpu.index();
        driver.calls().count(name, index);
        driver.faults().hold(name, driver.machine().clock());
        if (gpu != null) {
            gpu.faults().hold(name, driver.machine().clock());
        }
        int code = answered(new Call(library, function, arguments, target), gpu);
        driver.calls().log(name, index, code, driver.machine().clock());
        return code;
    }

    private int answered(Call call, @Nullable SimulatedGpu gpu) {
        try {
            spend(call);
            Optional<Garbler> garbler = garbage(call, gpu).map(kind -> new Garbler(call, kind, random));
            int code = answer(call, gpu);
            if (code == Code.SUCCESS) {
                garbler.ifPresent(Garbler::garble);
            }
            return code;
        } catch (Refusal refusal) {
            return refusal.code();
        }
    }

    private Optional<Garbage> garbage(Call call, @Nullable SimulatedGpu gpu) {
        String name = call.function().name();
        Optional<Garbage> ofNode = driver.faults().garbled(name);
        Optional<Garbage> own = gpu == null ? Optional.empty() : gpu.faults().garbled(name);
        return ofNode.or(() -> own);
    }

    private @Nullable Object target(CFunction function, long[] arguments) {
        @Nullable Class<?> wanted = function.asked();
        if (wanted == null) {
            return attached(function, arguments);
        }
        @Nullable Object target = driver.machine().handles().find(arguments[0]);
        boolean isMigDevice = wanted == SimulatedGpu.class && target instanceof MigDevice;
        boolean isReplayed = target instanceof ReplayedInstance instance && instance.isA(wanted);
        boolean isGone = wanted == SimulatedGpu.class && target instanceof GoneGpu;
        boolean isAsked = isMigDevice || isReplayed || isGone || wanted.isInstance(target);
        return isAsked ? target : null;
    }

    /** The GPU whose handle is asked for by its index: attaching a GPU can hang or fail as any other call to it. */
    private @Nullable SimulatedGpu attached(CFunction function, long[] arguments) {
        if (!HANDLE_BY_INDEX.contains(function.name())) {
            return null;
        }
        return driver.machine().numbered((int) arguments[0]);
    }

    private int answer(Call call, @Nullable SimulatedGpu gpu) {
        String name = call.function().name();
        OptionalInt forced = driver.faults().forced(name);
        if (forced.isPresent()) {
            return forced.getAsInt();
        }
        if (Library.INIT.contains(name)) {
            return call.library().initialise();
        }
        if (call.library().sessions() == 0) {
            return Code.UNINITIALIZED;
        }
        if (name.equals("nvmlShutdown")) {
            return call.library().shutDown();
        }
        if (call.function().asked() != null && gpu == null) {
            return Code.INVALID_ARGUMENT;
        }
        OptionalInt dead = dead(call, gpu);
        if (dead.isPresent()) {
            return dead.getAsInt();
        }
        OptionalInt own = gpu == null ? OptionalInt.empty() : gpu.faults().forced(name);
        if (own.isPresent()) {
            return own.getAsInt();
        }
        OptionalInt replayed = driver.machine().replayed(call);
        if (replayed.isPresent()) {
            return replayed.getAsInt();
        }
        if (call.asksMigDevice()) {
            return answer(call, MigDeviceBehaviours.ALL.get(name), Code.NOT_SUPPORTED);
        }
        @Nullable Behaviour behaviour = Behaviour.ALL.get(name);
        if (behaviour != null && CHANGING.contains(name)) {
            return driver.machine().gate().change(() -> answer(call, behaviour, Code.SUCCESS));
        }
        return behaviour == null ? driver.machine().still(call) : answer(call, behaviour, Code.SUCCESS);
    }

    /** What is answered where the driver that the session began with is not there any more, or the GPU is not. */
    private OptionalInt dead(Call call, @Nullable SimulatedGpu gpu) {
        if (SystemEventBehaviours.ALL.contains(call.function().name())) {
            return OptionalInt.empty();
        }
        if (call.library().isStale()) {
            boolean isLoaded = driver.machine().life().isPresent();
            return OptionalInt.of(
                    gpu != null ? Code.GPU_IS_LOST : isLoaded ? Code.UNINITIALIZED : Code.DRIVER_NOT_LOADED);
        }
        return (gpu != null && driver.machine().isGone(gpu)) || call.asksGoneGpu()
                ? OptionalInt.of(Code.GPU_IS_LOST)
                : OptionalInt.empty();
    }

    private static int answer(Call call, @Nullable Behaviour behaviour, int otherwise) {
        if (behaviour == null) {
            return otherwise;
        }
        behaviour.answer(call);
        return Code.SUCCESS;
    }

    private void spend(Call call) {
        @Nullable LongConsumer spender = latency;
        if (spender == null) {
            return;
        }
        double micros = driver.machine().micros(call);
        if (micros > 0) {
            spender.accept((long) (micros * 1_000));
        }
    }
}
