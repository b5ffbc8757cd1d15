// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control;

import io.gpuagent.model.Share;
import io.gpuagent.mps.supervise.ComputeModes;
import io.gpuagent.mps.supervise.DaemonWish;
import io.gpuagent.mps.supervise.StopMode;
import java.time.Duration;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * All that can be asked for. Each constructor refuses bad arguments with an {@link IllegalArgumentException} whose
 * message is one sentence, on the requester's side and again in the helper.
 */
public sealed interface Request
        permits Request.MpsStart,
                Request.MpsStop,
                Request.MpsSet,
                Request.MpsTerminateClient,
                Request.MpsResume,
                Request.MpsCallOffDrain,
                Request.ReadEnvironments,
                Request.ListHolders,
                Request.SetComputeMode,
                MigRequest {
    /**
     * The name on the wire and in the audit log.
     *
     * @return lower case with hyphens
     */
    String verb();

    /**
     * How long it may take to be carried out.
     *
     * @return after this time the outcome is unknown
     */
    Duration deadline();

    /**
     * What it changes: at most one request at a time has a subject.
     *
     * @return daemon ids and UUIDs; empty for a request that only reads
     */
    default SortedSet<String> subjects() {
        return new TreeSet<>();
    }

    /**
     * The GPUs of which the requester must let go first.
     *
     * @return UUIDs
     */
    default List<String> quiesces() {
        return List.of();
    }

    /**
     * Whether it changes anything.
     *
     * @return false for a request that only reads
     */
    default boolean isChange() {
        return !subjects().isEmpty();
    }

    /**
     * Starts an MPS control daemon.
     *
     * @param wish which; a MIG device stands alone
     */
    record MpsStart(DaemonWish wish) implements Request {
        /** Checks all arguments. */
        public MpsStart {
            Grammar.wish(wish);
        }

        @Override
        public String verb() {
            return "mps-start";
        }

        @Override
        public Duration deadline() {
            return Duration.ofSeconds(90);
        }

        @Override
        public SortedSet<String> subjects() {
            SortedSet<String> subjects = new TreeSet<>(wish.devices());
            subjects.add(wish.id());
            return subjects;
        }
    }

    /**
     * Stops an MPS control daemon.
     *
     * @param id its id
     * @param mode what becomes of its clients
     * @param grace how long clients may still take, at most 15 minutes
     */
    record MpsStop(String id, StopMode mode, Duration grace) implements Request {
        /** Checks all arguments. */
        public MpsStop {
            Grammar.daemonId(id);
            Grammar.grace(grace);
        }

        @Override
        public String verb() {
            return "mps-stop";
        }

        @Override
        public Duration deadline() {
            return grace.plusSeconds(60);
        }

        @Override
        public SortedSet<String> subjects() {
            return new TreeSet<>(List.of(id));
        }
    }

    /**
     * Sets the share of a daemon's servers and of clients to come.
     *
     * @param id the daemon
     * @param share the new share; a part that is absent stays as it is
     */
    record MpsSet(String id, Share share) implements Request {
        /** Checks all arguments. */
        public MpsSet {
            Grammar.daemonId(id);
            if (share.equals(Share.UNLIMITED)) {
                throw new IllegalArgumentException(
                        "nothing is to be set for the MPS daemon " + id + "; name threads, memory or priority");
            }
        }

        @Override
        public String verb() {
            return "mps-set";
        }

        @Override
        public Duration deadline() {
            return Duration.ofSeconds(90);
        }

        @Override
        public SortedSet<String> subjects() {
            return new TreeSet<>(List.of(id));
        }
    }

    /**
     * Terminates one client of a daemon, which can end its neighbours as well.
     *
     * @param id the daemon
     * @param pid the client
     */
    record MpsTerminateClient(String id, long pid) implements Request {
        /** Checks all arguments. */
        public MpsTerminateClient {
            Grammar.daemonId(id);
            Grammar.pid(pid);
        }

        @Override
        public String verb() {
            return "mps-terminate-client";
        }

        @Override
        public Duration deadline() {
            return Duration.ofSeconds(60);
        }

        @Override
        public SortedSet<String> subjects() {
            return new TreeSet<>(List.of(id));
        }
    }

    /**
     * Starts a daemon again that was given up on after it had died too often.
     *
     * @param id the daemon
     */
    record MpsResume(String id) implements Request {
        /** Checks all arguments. */
        public MpsResume {
            Grammar.daemonId(id);
        }

        @Override
        public String verb() {
            return "mps-resume";
        }

        @Override
        public Duration deadline() {
            return Duration.ofSeconds(90);
        }

        @Override
        public SortedSet<String> subjects() {
            return new TreeSet<>(List.of(id));
        }
    }

    /**
     * Calls the drain of a daemon off, for which {@link MpsStop} waits.
     *
     * @param id the daemon
     */
    record MpsCallOffDrain(String id) implements Request {
        /** Checks all arguments. */
        public MpsCallOffDrain {
            Grammar.daemonId(id);
        }

        @Override
        public String verb() {
            return "mps-call-off-drain";
        }

        @Override
        public Duration deadline() {
            return Duration.ofSeconds(30);
        }

        /** Not the daemon itself: the drain that is to be called off has that one. */
        @Override
        public SortedSet<String> subjects() {
            return new TreeSet<>(List.of(id + ".drain"));
        }
    }

    /**
     * Reads what processes ask of the GPUs: those variables of their environments whose names begin with CUDA_ or
     * NVIDIA_, and no others.
     *
     * @param pids the processes, at most 1024
     */
    record ReadEnvironments(List<Long> pids) implements Request {
        /** Checks all arguments. */
        public ReadEnvironments {
            pids = Grammar.pids(pids);
        }

        @Override
        public String verb() {
            return "read-environments";
        }

        @Override
        public Duration deadline() {
            return Duration.ofSeconds(10);
        }
    }

    /**
     * Lists the processes that hold device nodes open.
     *
     * @param nodes paths of NVIDIA's device nodes, at most 256
     */
    record ListHolders(List<String> nodes) implements Request {
        /** Checks all arguments. */
        public ListHolders {
            nodes = Grammar.deviceNodes(nodes);
        }

        @Override
        public String verb() {
            return "list-holders";
        }

        @Override
        public Duration deadline() {
            return Duration.ofSeconds(10);
        }
    }

    /**
     * Sets who may open contexts on a GPU, and reads back.
     *
     * @param gpu the UUID of a whole GPU
     * @param mode the mode
     */
    record SetComputeMode(String gpu, ComputeModes.Mode mode) implements Request {
        /** Checks all arguments. */
        public SetComputeMode {
            Grammar.gpu(gpu);
        }

        @Override
        public String verb() {
            return "set-compute-mode";
        }

        @Override
        public Duration deadline() {
            return Duration.ofSeconds(70);
        }

        @Override
        public SortedSet<String> subjects() {
            return new TreeSet<>(List.of(gpu));
        }

        @Override
        public List<String> quiesces() {
            return List.of(gpu);
        }
    }
}
