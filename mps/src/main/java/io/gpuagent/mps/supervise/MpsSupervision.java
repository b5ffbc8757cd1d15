// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.model.Share;
import io.gpuagent.model.mps.MpsNodeView;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * The control daemons of this agent. Any thread may call. Changes of one daemon are made one after the other, and each
 * has a plan that says beforehand whom it reaches. A change either ends with what is in force read back, or throws a
 * {@link ChangeRefused} whose kind says what is left.
 */
public interface MpsSupervision extends AutoCloseable {
    /**
     * The daemons in some folders. Those that run are adopted, with what their clients came under.
     *
     * @param setup folders, machine and time
     * @return their supervision; {@link #watch} begins it
     * @throws io.gpuagent.mps.MpsException when the folders cannot be read
     */
    static MpsSupervision open(SupervisionSetup setup) {
        return new NodeSupervision(setup);
    }

    /**
     * Begins to watch: a thread for each daemon follows its logs and processes, and starts it again when it has died.
     * Daemons that were started by another process of this agent since are found within a second. Without it, a single
     * change can be made by a process that ends behind it.
     */
    void watch();

    /**
     * All that is known now; never waits.
     *
     * @return the newest view
     */
    MpsNodeView view();

    /**
     * What {@link #start} would do.
     *
     * @param wish which daemon
     * @return whom it reaches
     * @throws ChangeRefused when it would be refused
     */
    Effect planStart(DaemonWish wish) throws ChangeRefused;

    /**
     * What {@link #stop} would do.
     *
     * @param id which daemon
     * @param mode what becomes of its clients
     * @return whom it reaches and breaks
     * @throws ChangeRefused when it would be refused
     */
    Effect planStop(String id, StopMode mode) throws ChangeRefused;

    /**
     * What {@link #set} would do.
     *
     * @param id which daemon
     * @param share the new share; a part that is absent stays as it is, and {@link
     *     io.gpuagent.model.PinnedMemoryLimit#NONE} takes a limit of memory off
     * @return whom it reaches, and who stays on old limits
     * @throws ChangeRefused when it would be refused
     */
    Effect planSet(String id, Share share) throws ChangeRefused;

    /**
     * What {@link #terminateClient} would do.
     *
     * @param id which daemon
     * @param pid the client
     * @return the client, and those beside it that can break as well
     * @throws ChangeRefused when it would be refused
     */
    Effect planTerminate(String id, long pid) throws ChangeRefused;

    /**
     * Starts a daemon, or one that was stopped again, and waits until it answers and has the share read back.
     *
     * @param wish which
     * @param progress hears of each step
     * @return before and after
     * @throws ChangeRefused when it does not run afterwards
     */
    Change start(DaemonWish wish, Consumer<String> progress) throws ChangeRefused;

    /**
     * Stops a daemon; one that does not run is left as it is. Files and a compute mode that it left behind are put in
     * order.
     *
     * @param id which
     * @param mode what becomes of its clients
     * @param deadline with {@link StopMode#DRAIN}, how long clients may take, and the stop is refused when some are left
     *     then; new ones are let in meanwhile, and when this process dies, the next one that watches goes on waiting. With
     *     {@link StopMode#FORCE}, when all is over, at least 10 s
     * @param progress hears of each step
     * @return before and after
     * @throws ChangeRefused when it still runs afterwards
     */
    Change stop(String id, StopMode mode, Duration deadline, Consumer<String> progress) throws ChangeRefused;

    /**
     * Sets the share of the daemon's servers, those to come too, and of clients that connect from now on. No running
     * client is changed.
     *
     * @param id which
     * @param share the new share; a part that is absent stays as it is, and {@link
     *     io.gpuagent.model.PinnedMemoryLimit#NONE} takes a limit of memory off
     * @param progress hears of each step
     * @return before and after
     * @throws ChangeRefused when it is not in force afterwards; the former values are put back
     */
    Change set(String id, Share share, Consumer<String> progress) throws ChangeRefused;

    /**
     * Destroys a client's contexts. Its process stays, and a busy client beside it can break, too (captured once on an
     * H200).
     *
     * @param id which daemon
     * @param pid the client
     * @param progress hears of each step
     * @return before and after
     * @throws ChangeRefused when it was not terminated
     */
    Change terminateClient(String id, long pid, Consumer<String> progress) throws ChangeRefused;

    /**
     * Starts a daemon again that was given up on after it had died too often.
     *
     * @param id which
     * @param progress hears of each step
     * @return before and after
     * @throws ChangeRefused when it does not run afterwards
     */
    Change resume(String id, Consumer<String> progress) throws ChangeRefused;

    /**
     * What {@link #callOffDrain} would do.
     *
     * @param id which daemon
     * @return whom it reaches
     * @throws ChangeRefused when it would be refused
     */
    Effect planCallOffDrain(String id) throws ChangeRefused;

    /**
     * Ends a drain, whichever process waits in it, and lets the daemon and its clients go on; that stop is refused. A
     * {@link #start} of a daemon that is drained does the same.
     *
     * @param id which
     * @param progress hears of each step
     * @return before and after
     * @throws ChangeRefused when it is not drained
     */
    Change callOffDrain(String id, Consumer<String> progress) throws ChangeRefused;

    /** Stops watching. All daemons go on running, and the next process adopts them. */
    @Override
    void close();
}
