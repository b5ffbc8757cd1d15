// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.sim;

import io.gpuagent.model.time.Clock;
import io.gpuagent.mps.PipeDirectory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The state machine of a control daemon with its servers and clients. Any thread may call. Whatever takes time happens
 * when the clock has moved and somebody calls, at the latest {@link #tick}.
 */
public final class SimulatedDaemon {
    private static final int LAST_STATUS = 128;

    private final SimulatedSetup setup;
    private final SimulatedHost host;
    private final SimulatedLogs logs;
    private final Timers timers;
    private final ServerPool pool;
    private final Shell shell;
    private final AnswerScript script = new AnswerScript();
    private final List<CompletableFuture<Reply>> quits = new ArrayList<>();
    private boolean alive = true;

    /**
     * Starts a daemon, and nothing else: no server before the first client.
     *
     * @param setup how it is started
     * @param host its machine
     * @param clock the time
     */
    public SimulatedDaemon(SimulatedSetup setup, SimulatedHost host, Clock clock) {
        this.setup = setup;
        this.host = host;
        this.timers = new Timers(clock);
        this.logs = new SimulatedLogs(setup.folders(), setup.pid(), clock, host.foreground());
        this.pool = new ServerPool(setup, host, logs, timers);
        this.shell = new Shell(setup, pool);
        PipeDirectory pipe = setup.folders().pipe();
        logs.control("Starting control daemon using socket " + pipe.file(PipeDirectory.CONTROL));
        logs.control("To connect CUDA applications to this daemon, set env CUDA_MPS_PIPE_DIRECTORY=" + pipe.path());
        logs.control("CUDA MPS Control binary version: " + setup.version());
    }

    /**
     * A daemon without processes, with plain files in its folders.
     *
     * @param setup how it is started
     * @param clock the time
     * @return the daemon
     */
    public static SimulatedDaemon start(SimulatedSetup setup, Clock clock) {
        PipeFiles files = new PipeFiles(setup.folders());
        files.make(setup.pid());
        return new SimulatedDaemon(setup, SimulatedHost.counting(setup.pid() + 1, files), clock);
    }

    /**
     * What the client program does with its standard input. Of several lines, only the last one's answer comes back.
     *
     * @param input the lines
     * @param uid the user who runs it
     * @return what it prints and returns; completed when the daemon answers, which it may never do
     */
    public synchronized CompletableFuture<Reply> answer(String input, int uid) {
        timers.runDue();
        CompletableFuture<Reply> answer = done(Reply.nothing());
        for (String command : input.lines().toList()) {
            answer = alive ? receive(command, uid) : done(Reply.NO_DAEMON);
        }
        return answer;
    }

    private static CompletableFuture<Reply> done(Reply reply) {
        return CompletableFuture.completedFuture(reply);
    }

    private CompletableFuture<Reply> receive(String command, int uid) {
        if (!quits.isEmpty()) {
            return done(Reply.ENDING);
        }
        logs.control("Accepting connection...");
        logs.control("NEW UI");
        logs.control("Cmd:" + command);
        Optional<AnswerScript.Fault> fault = script.fault(command);
        return fault.isEmpty()
                ? carryOut(command, uid)
                : switch (fault.get()) {
                    case AnswerScript.Fault.Hang() -> new CompletableFuture<>();
                    case AnswerScript.Fault.Instead(Reply reply) -> done(reply);
                    case AnswerScript.Fault.Delay(Duration by) -> late(by, carryOut(command, uid));
                };
    }

    private CompletableFuture<Reply> late(Duration by, CompletableFuture<Reply> real) {
        CompletableFuture<Void> delay = new CompletableFuture<>();
        timers.after(by, () -> delay.complete(null));
        return delay.thenCombine(real, (_, reply) -> reply);
    }

    private CompletableFuture<Reply> carryOut(String command, int uid) {
        boolean privileged = uid == 0 || uid == setup.uid();
        String[] words = command.strip().split("\\s+", -1);
        CompletableFuture<Reply> answer;
        if (!words[0].equals("quit")) {
            answer = done(shell.run(words, privileged, uid));
        } else if (privileged) {
            answer = quit(words);
        } else {
            answer = done(Reply.line("Not enough privilege to execute quit command"));
        }
        logs.control("UI closed");
        return answer;
    }

    /** Plain {@code quit} waits for the clients, {@code -t N} at most N seconds. */
    private CompletableFuture<Reply> quit(String[] words) {
        CompletableFuture<Reply> answer = new CompletableFuture<>();
        quits.add(answer);
        pool.refuseOthers();
        if (words.length > 2 && words[1].equals("-t") && words[2].matches("\\d{1,6}")) {
            timers.after(Duration.ofSeconds(Long.parseLong(words[2])), () -> end(true));
            timers.runDue();
        }
        endWhenAsked();
        return answer;
    }

    private void endWhenAsked() {
        if (!quits.isEmpty() && !pool.hasClients()) {
            end(true);
        }
    }

    private void end(boolean orderly) {
        if (alive) {
            alive = false;
            pool.endAll();
            timers.clear();
            host.daemonEnded(orderly);
            quits.forEach(quit -> quit.complete(Reply.nothing()));
        }
    }

    /**
     * A program initialises CUDA.
     *
     * @param program the program
     * @return the client, which runs, waits or was refused
     */
    public synchronized SimulatedClient join(ClientProgram program) {
        timers.runDue();
        SimulatedClient client = new SimulatedClient(program);
        if (alive && quits.isEmpty()) {
            pool.join(client);
        } else {
            client.become(alive ? SimulatedClient.State.CONNECTION_FAILED : SimulatedClient.State.RPC_FAILURE);
        }
        return client;
    }

    /**
     * A program has ended, however it did.
     *
     * @param pid the program
     */
    public synchronized void leave(long pid) {
        timers.runDue();
        if (alive) {
            pool.leave(pid);
            endWhenAsked();
        }
    }

    /**
     * A fatal GPU error in a client: all clients of the server are affected, and no new one is let in until they have
     * exited. After NVIDIA's documentation; never seen on hardware.
     *
     * @param device where
     */
    public synchronized void fault(int device) {
        timers.runDue();
        pool.fault(device);
    }

    /**
     * A server's process has ended by itself or by a signal. Its clients break and its limits are gone.
     *
     * @param pid the server
     * @param status its exit status; the daemon logs 0 for one above 128, a signal's, as captured on an H200
     */
    public synchronized void serverDied(long pid, int status) {
        timers.runDue();
        pool.servers().stream()
                .filter(server -> server.pid == pid)
                .findFirst()
                .ifPresent(server -> pool.exited(server, status > LAST_STATUS ? 0 : status));
    }

    /**
     * From now on every server exits right after its start, as one does that a user other than root cannot run; 0 ends
     * this.
     *
     * @param status the exit status
     * @param reason what the server's log says, nothing when empty
     */
    public synchronized void everyServerExitsWith(int status, String reason) {
        timers.runDue();
        pool.everyServerExitsWith(status, reason);
    }

    /**
     * From now on the limits of memory that servers start with are told and hold nobody, as on drivers that did not apply
     * those set by UUID (k8s-device-plugin 569).
     */
    public synchronized void ignoreMemoryLimits() {
        pool.ignoreMemoryLimits();
    }

    /** The daemon gets a signal that ends it: servers go, clients break, files stay. */
    public synchronized void kill() {
        end(false);
    }

    /** Lets happen what is due. */
    public synchronized void tick() {
        timers.runDue();
    }

    /**
     * Whether it runs.
     *
     * @return false after {@code quit} or a signal
     */
    public synchronized boolean isAlive() {
        return alive;
    }

    /**
     * Its servers' pids.
     *
     * @return in the order of their start
     */
    public synchronized List<Long> serverPids() {
        timers.runDue();
        return pool.servers().stream().map(server -> server.pid).toList();
    }

    /**
     * Faults of its answers.
     *
     * @return the script
     */
    public AnswerScript script() {
        return script;
    }

    /**
     * How it was started.
     *
     * @return the setup
     */
    public SimulatedSetup setup() {
        return setup;
    }
}
