// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import io.gpuagent.nvml.SymbolSource;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
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
    /** All that were opened: who holds an address of an old one holds on to the driver. */
    private final List<Library> libraries = new CopyOnWriteArrayList<>();

    private volatile Set<Privilege> privileges = EnumSet.allOf(Privilege.class);

    private SimulatedDriver(SimProfile profile, LongSupplier nanos, long startNanos, long seed) {
        machine = new Machine(profile, new SimulatedClock(nanos, startNanos), seed, faults, events);
        libraries.add(new Library(this, profile.description()));
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
        return new SimulatedDriver(profile, nanos, nanos.getAsLong(), seed);
    }

    /**
     * Opens the machine whose state is kept in a file, so that several processes see one machine: MIG, modes, limits,
     * processes, counters, what was pinned, the life of the driver. Not shared are sessions, handles, scenarios, hangs and
     * forced answers; nor is the way in which MIG places and numbers instances here.
     *
     * <p>Beside the file lie {@code NAME.lock}, and for a moment {@code NAME.new}. Events of another process are told within
     * 20 ms to those who wait, as far as the clock goes by itself.
     *
     * @param profile its GPUs; the same for all processes
     * @param epochNanos a clock that all processes read alike, also after a reboot of the real machine, such as the
     *     nanoseconds since 1970: the time of the machine runs from when its file was made
     * @param seed what the load is drawn from; the same for all processes
     * @param file where the state is kept; its folder must be there, it need not
     * @return a driver that is as the file says
     * @throws StateException when the file cannot be read or written, or holds another machine
     */
    public static SimulatedDriver open(SimProfile profile, LongSupplier epochNanos, long seed, Path file) {
        StateFile state = StateFile.open(file);
        SimulatedDriver driver = new SimulatedDriver(
                profile, epochNanos, SharedMachine.startNanos(state, profile, seed, epochNanos.getAsLong()), seed);
        SharedMachine.share(driver.machine, state);
        driver.machine.catchUp();
        driver.reopenLibrary();
        return driver;
    }

    /**
     * Opens the library anew, as a process does that has ended and come back: it is of the version that is installed now.
     * Addresses that were given out before go on to belong to the old one.
     */
    public void reopenLibrary() {
        libraries.add(new Library(this, machine.profile().under(machine.life().installed())));
    }

    /**
     * The kernel module: loaded or not, in which version, and which GPUs it finds.
     *
     * @return to be read and changed at any time
     */
    public DriverLife life() {
        return machine.life();
    }

    private Library library() {
        return libraries.getLast();
    }

    @Override
    public OptionalLong address(String symbol) {
        return library().address(symbol);
    }

    /**
     * The simulated GPUs, whether NVML numbers them at present or not.
     *
     * @return by their places at the start
     */
    public List<SimulatedGpu> gpus() {
        return machine.gpus();
    }

    /**
     * A simulated GPU.
     *
     * @param index its place at the start, which is its NVML index until that changes
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
        library().remove(symbol);
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
        machine.gate().refresh();
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
     * Reboots the machine: all sessions end, everywhere, and all that the driver does not remember goes. So do all MIG
     * instances, and MIG mode where the cards do not store it.
     */
    public void reboot() {
        machine.life().reboot();
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
        return library().sessions();
    }

    Machine machine() {
        return machine;
    }

    Dispatch dispatch() {
        return dispatch;
    }

    /**
     * What goes wrong whichever GPU is asked, and where none is.
     *
     * @return to be changed at any time
     */
    public Faults faults() {
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
