// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import io.gpuagent.nvml.SymbolSource;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
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

    private final EventSets events = new EventSets(this);
    private final Faults faults = new Faults();
    private final CallCounts calls = new CallCounts();
    private final ScenarioPlayer player = new ScenarioPlayer(this);
    private final Dispatch dispatch = new Dispatch(this);
    private final Machine machine;
    private final Library library;
    private volatile Set<Privilege> privileges = EnumSet.allOf(Privilege.class);

    private SimulatedDriver(SimProfile profile, LongSupplier nanos, long seed) {
        SimulatedClock clock = new SimulatedClock(nanos, nanos.getAsLong());
        machine = new Machine(profile, clock, seed, faults, events::raise);
        library = new Library(this, profile.description());
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
        return library.address(symbol);
    }

    /**
     * The simulated GPUs.
     *
     * @return by index
     */
    public List<SimulatedGpu> gpus() {
        return machine.gpus();
    }

    /**
     * A simulated GPU.
     *
     * @param index its NVML index
     * @return the GPU
     */
    public SimulatedGpu gpu(int index) {
        return machine.gpus().get(index);
    }

    /** Stops the load of all GPUs; see {@link SimulatedGpu#freeze()}. */
    public void freeze() {
        machine.gpus().forEach(SimulatedGpu::freeze);
    }

    /**
     * Takes a symbol out of the library, as if the driver were too old to have it.
     *
     * @param symbol C name
     * @throws IllegalStateException when its address has been given out: a function does not vanish from a loaded library
     */
    public void remove(String symbol) {
        library.remove(symbol);
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
        Library.INIT.forEach(function -> faults.answerTimes(function, code, times));
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
        machine.handles().reuse(reuse);
    }

    /**
     * Reboots the machine: all sessions end, all MIG instances go, and MIG mode where the cards do not store it.
     */
    public void reboot() {
        library.endSessions();
        events.end();
        machine.gpus().forEach(gpu -> gpu.mig().reboot());
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
    public int sessions() {
        return library.sessions();
    }

    Machine machine() {
        return machine;
    }

    Dispatch dispatch() {
        return dispatch;
    }

    Faults faults() {
        return faults;
    }

    EventSets events() {
        return events;
    }

    boolean may(Privilege privilege) {
        return privileges.contains(Privilege.ROOT) || privileges.contains(privilege);
    }

    void takeSteps() {
        player.advance(machine.clock().elapsedNanos());
    }

    long nextStepNanos() {
        return player.nextNanos();
    }

    void noteFailure(String function, Throwable failure) {
        calls.failed(function, failure);
    }
}
