// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.direct;

import io.gpuagent.model.Share;
import io.gpuagent.mps.supervise.Change;
import io.gpuagent.mps.supervise.ChangeRefused;
import io.gpuagent.mps.supervise.DaemonWish;
import io.gpuagent.mps.supervise.StopMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/** Daemons that exist in a set only, for tests of who may change them and what is written down. */
public final class RecordedDaemons extends UnplannedSupervision {
    private final List<String> calls = new ArrayList<>();
    private final TreeSet<String> running = new TreeSet<>();
    private final CountDownLatch reached = new CountDownLatch(1);
    private CountDownLatch gate = new CountDownLatch(0);

    /** The next change stands still until the returned latch is counted down. */
    public CountDownLatch hold() {
        gate = new CountDownLatch(1);
        return gate;
    }

    /** Counted down when a change has come as far as the gate. */
    public CountDownLatch reached() {
        return reached;
    }

    /** The verbs that were carried out. */
    public List<String> calls() {
        synchronized (calls) {
            return List.copyOf(calls);
        }
    }

    private void call(String verb, Consumer<String> progress) throws ChangeRefused {
        synchronized (calls) {
            calls.add(verb);
        }
        progress.accept(verb + " is under way");
        reached.countDown();
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new ChangeRefused(ChangeRefused.Kind.HALF_DONE, "interrupted: " + e);
        }
    }

    @Override
    public Change start(DaemonWish wish, Consumer<String> progress) throws ChangeRefused {
        call("start", progress);
        running.add(wish.id());
        return new Change("absent", "idle", List.of());
    }

    @Override
    public Change stop(String id, StopMode mode, Duration deadline, Consumer<String> progress) throws ChangeRefused {
        call("stop", progress);
        if (!running.remove(id)) {
            throw new ChangeRefused(ChangeRefused.Kind.NOT_FOUND, "there is no MPS daemon " + id);
        }
        return new Change("idle", "absent", List.of());
    }

    @Override
    public Change set(String id, Share share, Consumer<String> progress) throws ChangeRefused {
        call("set", progress);
        throw new ChangeRefused(ChangeRefused.Kind.HALF_DONE, "server 17 took the share and server 18 did not");
    }

    @Override
    public Change terminateClient(String id, long pid, Consumer<String> progress) throws ChangeRefused {
        call("terminate-client", progress);
        return new Change("client " + pid, "gone", List.of());
    }

    /** The only one that passes a change that stands still. */
    @Override
    public Change callOffDrain(String id, Consumer<String> progress) {
        synchronized (calls) {
            calls.add("call-off-drain");
        }
        return new Change("draining", "active", List.of());
    }

    @Override
    public Change resume(String id, Consumer<String> progress) throws ChangeRefused {
        call("resume", progress);
        throw new IllegalStateException("a fault of the agent itself");
    }
}
