// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import io.gpuagent.nvml.SymbolSource;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A driver that is not there: its symbol table holds real C function pointers, behind which simulated GPUs answer.
 *
 * <p>Whoever uses an address must hold on to its driver; the pointers go when the driver is collected. All methods may be
 * called from any thread.
 */
public final class SimulatedDriver implements SymbolSource {
    /** The seed of {@link #start(SimProfile, LongSupplier)}. */
    public static final long DEFAULT_SEED = 1;

    /** When simulated time starts, in microseconds since 1970: the day on which the H200 was captured. */
    private static final long EPOCH_MICROS = 1_796_095_303_000_000L;

    private static final CannedAnswer NOT_SUPPORTED = new CannedAnswer(new CannedAnswer.Refused(Code.NOT_SUPPORTED), 0);
    static final Set<String> INIT = Set.of("nvmlInit", "nvmlInit_v2", "nvmlInitWithFlags");
    private final Description description;
    private final LongSupplier nanos;
    private final long startNanos;
    private final Arena arena = Arena.ofAuto();
    private final List<SimulatedGpu> gpus;
    private final Handles handles = new Handles(arena);
    private final List<Long> gpuHandles = new ArrayList<>();
    private final EventSets events = new EventSets(this);
    private final Map<String, Long> addresses = new ConcurrentHashMap<>();
    private final Map<String, MemorySegment> texts = new ConcurrentHashMap<>();
    private final Set<String> removed = ConcurrentHashMap.newKeySet();
    private final Faults faults = new Faults();
    private final CallCounts calls = new CallCounts();
    private final @Nullable Replay replay;
    private final ScenarioPlayer player = new ScenarioPlayer(this);
    private final Dispatch dispatch = new Dispatch(this);
    private volatile Set<Privilege> privileges = EnumSet.allOf(Privilege.class);
    private int sessions;

    private SimulatedDriver(SimProfile profile, LongSupplier nanos, long seed) {
        this.description = profile.description();
        this.nanos = nanos;
        this.startNanos = nanos.getAsLong();
        removed.addAll(description.missing());
        List<SimulatedGpu> made = new ArrayList<>();
        for (int i = 0; i < profile.gpus(); i++) {
            SimulatedGpu gpu = new SimulatedGpu(
                    i,
                    description,
                    GpuIdentity.of(description, i, profile.gpus()),
                    new Load(seed, i, description),
                    this::second,
                    handles,
                    events::raise);
            made.add(gpu);
            gpuHandles.add(handles.add(gpu));
        }
        gpus = List.copyOf(made);
        @Nullable Recording recording = description.recording();
        if (recording == null) {
            replay = null;
            return;
        }
        replay = new Replay(recording, gpus, gpuHandles, handles);
        if (description.isReplay()) {
            replay.hang(faults, gpus);
        }
    }

    /**
     * Starts a driver with the default seed.
     *
     * @param profile its GPUs
     * @param nanos the clock that the GPUs live by
     * @return a driver that is loaded; its library is not initialised
     */
    public static SimulatedDriver start(SimProfile profile, LongSupplier nanos) {
        return start(profile, nanos, DEFAULT_SEED);
    }

    /**
     * Starts a driver.
     *
     * @param profile its GPUs
     * @param nanos the clock that the GPUs live by
     * @param seed what their load is drawn from
     * @return a driver that is loaded; its library is not initialised
     */
    public static SimulatedDriver start(SimProfile profile, LongSupplier nanos, long seed) {
        return new SimulatedDriver(profile, nanos, seed);
    }

    @Override
    public OptionalLong address(String symbol) {
        @Nullable CFunction function = Abi.get().functions().get(symbol);
        if (function == null || removed.contains(symbol)) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(addresses.computeIfAbsent(symbol, name -> FunctionPointer.make(this, function, arena)));
    }

    /**
     * The simulated GPUs.
     *
     * @return by index
     */
    public List<SimulatedGpu> gpus() {
        return gpus;
    }

    /**
     * A simulated GPU.
     *
     * @param index its NVML index
     * @return the GPU
     */
    public SimulatedGpu gpu(int index) {
        return gpus.get(index);
    }

    /** Stops the load of all GPUs; see {@link SimulatedGpu#freeze()}. */
    public void freeze() {
        gpus.forEach(SimulatedGpu::freeze);
    }

    /**
     * Takes a symbol out of the library, as if the driver were too old to have it.
     *
     * @param symbol C name
     * @throws IllegalStateException when its address has been given out: a function does not vanish from a loaded library
     */
    public void remove(String symbol) {
        if (addresses.containsKey(symbol)) {
            throw new IllegalStateException(symbol + " has been looked up already");
        }
        removed.add(symbol);
    }

    /**
     * Makes a function that asks no GPU answer a code from now on; it also works before a GPU's own answer.
     *
     * @param function C name, or {@code *} for all functions
     * @param code an {@code nvmlReturn_t}
     */
    public void answer(String function, int code) {
        faults.answer(function, code);
    }

    /**
     * Makes the next calls of a function answer a code.
     *
     * @param function C name, or {@code *}
     * @param code an {@code nvmlReturn_t}
     * @param times how many calls
     */
    public void answerTimes(String function, int code, int times) {
        faults.answerTimes(function, code, times);
    }

    /**
     * Makes the next initialisations fail, then succeed again.
     *
     * @param code an {@code nvmlReturn_t}, such as 9 for a driver that is not loaded
     * @param times how many
     */
    public void failInit(int code, int times) {
        INIT.forEach(function -> faults.answerTimes(function, code, times));
    }

    /**
     * Makes a function hang, whatever it asks.
     *
     * @param function C name, or {@code *} for all functions
     * @return to see who hangs and to let go
     */
    public Hang hang(String function) {
        return faults.hang(function);
    }

    /** Ends the forced answers and hangs of the node; those of GPUs stay. */
    public void heal() {
        faults.clear();
    }

    /**
     * Makes every call take as long as it took on the real card.
     *
     * @param spend spends that many nanoseconds on the calling thread; null for calls that take no time
     */
    public void spendLatency(@Nullable LongConsumer spend) {
        dispatch.spendLatency(spend);
    }

    /**
     * Plays a scenario. Its steps happen when a call finds their time come.
     *
     * @param scenario counted from the start of this driver; one that is being played is replaced
     */
    public void play(Scenario scenario) {
        player.play(scenario);
        events.stir();
    }

    /**
     * Takes the steps of the scenario whose time has come, and makes those who wait for events look at the clock. Every
     * call takes the steps by itself; while nothing calls, because the only GPU hangs, somebody else must. A clock that is
     * moved by hand must be followed by this.
     */
    public void advance() {
        takeSteps();
        events.stir();
    }

    /**
     * Says what the process that uses the library may do. At first it may do everything.
     *
     * @param granted the privileges; root has the others too
     */
    public void grant(Set<Privilege> granted) {
        privileges = Set.copyOf(granted);
    }

    /**
     * Gives handles that have died to instances that are made later, as the driver may.
     *
     * @param reuse whether it does
     */
    public void reuseHandles(boolean reuse) {
        handles.reuse(reuse);
    }

    /**
     * Reboots the machine: all sessions end, all MIG instances go, and MIG mode where the cards do not store it.
     */
    public void reboot() {
        synchronized (this) {
            sessions = 0;
        }
        events.end();
        gpus.forEach(gpu -> gpu.mig().reboot());
    }

    /**
     * Waits until that many threads wait for events, so that a test need not guess.
     *
     * @param callers how many
     * @throws InterruptedException when the waiting thread is interrupted
     */
    public void awaitEventWaiters(int callers) throws InterruptedException {
        events.awaitWaiting(callers);
    }

    /**
     * What has been called.
     *
     * @return counts that go on
     */
    public CallCounts calls() {
        return calls;
    }

    /**
     * Whether the library is initialised, by however many users.
     *
     * @return how many initialisations have not been shut down
     */
    public synchronized int sessions() {
        return sessions;
    }

    Description description() {
        return description;
    }

    Faults faults() {
        return faults;
    }

    CannedAnswer canned(String function) {
        return description.answers().getOrDefault(function, NOT_SUPPORTED);
    }

    /** An answer that is always the same, from the card's description or from its capture. */
    int still(Call call) {
        String name = call.function().name();
        if (replay == null || description.answers().containsKey(name)) {
            return CannedAnswers.give(call, canned(name));
        }
        return replay.answer(call).orElse(Code.NOT_SUPPORTED);
    }

    /** What a captured node answered; empty where nothing is replayed, or it was not asked that. */
    OptionalInt replayed(Call call) {
        return replay != null && description.isReplay() ? replay.answer(call) : OptionalInt.empty();
    }

    /** How long a call takes on the real card, in microseconds. */
    double micros(Call call) {
        String name = call.function().name();
        if (replay != null && !description.answers().containsKey(name)) {
            return replay.micros(call);
        }
        return name.equals("nvmlDeviceGetFieldValues")
                ? FieldValues.micros(call)
                : CannedAnswers.micros(call, canned(name));
    }

    long handle(int index) {
        return gpuHandles.get(index);
    }

    Handles handles() {
        return handles;
    }

    EventSets events() {
        return events;
    }

    boolean may(Privilege privilege) {
        return privileges.contains(Privilege.ROOT) || privileges.contains(privilege);
    }

    void takeSteps() {
        player.advance(elapsedNanos());
    }

    long nextStepNanos() {
        return player.nextNanos();
    }

    long elapsedNanos() {
        return nanos.getAsLong() - startNanos;
    }

    long epochMicros() {
        return EPOCH_MICROS + elapsedNanos() / 1_000;
    }

    void noteFailure(String function, Throwable failure) {
        calls.failed(function, failure);
    }

    long errorText(int code) {
        calls.count("nvmlErrorString", CallCounts.NO_GPU);
        return text(Code.text(code));
    }

    /** A C string that stays where it is. */
    long text(String text) {
        return texts.computeIfAbsent(text, arena::allocateFrom).address();
    }

    int call(CFunction function, long[] arguments) {
        return dispatch.call(function, arguments);
    }

    synchronized int initialise() {
        if (replay != null && description.isReplay() && replay.initCode() != Code.SUCCESS) {
            return replay.initCode();
        }
        sessions++;
        return Code.SUCCESS;
    }

    int shutDown() {
        synchronized (this) {
            sessions--;
            if (sessions > 0) {
                return Code.SUCCESS;
            }
        }
        events.end();
        gpus.forEach(gpu -> gpu.mig().instances().forgetStaleDevices());
        return Code.SUCCESS;
    }

    private long second() {
        return Math.max(0, (nanos.getAsLong() - startNanos) / 1_000_000_000L);
    }
}
