// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig;

import java.time.Duration;
import java.util.Locale;
import java.util.OptionalInt;

/**
 * A reason why an instance may be in use. NVML has no call that tells who blocks an instance, so these are gathered from
 * its process lists and from /proc; only the driver's own IN_USE is the truth.
 */
public sealed interface Claim {
    /**
     * The compute instance it is about.
     *
     * @return its id; empty where it is about the whole GPU instance
     */
    OptionalInt computeInstance();

    /**
     * Says it in plain words, to follow a name of the instance.
     *
     * @return such as {@code process 4711 (python) runs on it}
     */
    String words();

    /**
     * A process runs on it, says NVML (nvmlDeviceGetComputeRunningProcesses_v3 and its siblings).
     *
     * @param holder the process
     * @param computeInstance where
     */
    record Runs(Holder holder, OptionalInt computeInstance) implements Claim {
        @Override
        public String words() {
            return holder.words() + " runs on it";
        }
    }

    /**
     * A process has the instance's capability node ({@code /dev/nvidia-caps/nvidia-capN}) open: monitors and idle
     * clients do, which are in no process list.
     *
     * @param holder the process
     * @param computeInstance whose node it is; empty for that of the GPU instance
     */
    record HoldsNode(Holder holder, OptionalInt computeInstance) implements Claim {
        @Override
        public String words() {
            return holder.words() + " holds its capability node open";
        }
    }

    /**
     * A running process names its UUID and will expect to find it.
     *
     * @param holder the process
     * @param computeInstance the one with that UUID
     * @param variable CUDA_VISIBLE_DEVICES or NVIDIA_VISIBLE_DEVICES
     */
    record NamesDevice(Holder holder, OptionalInt computeInstance, String variable) implements Claim {
        @Override
        public String words() {
            return holder.words() + " names it in " + variable;
        }
    }

    /**
     * The root of a running container holds its capability nodes.
     *
     * @param holder the container
     * @param computeInstance whose node it is
     */
    record InContainer(Holder holder, OptionalInt computeInstance) implements Claim {
        @Override
        public String words() {
            return holder.words() + " was given it";
        }
    }

    /**
     * Something ran on it not long ago, and may come again.
     *
     * @param ago since when nothing runs
     * @param computeInstance where
     */
    record RanLately(Duration ago, OptionalInt computeInstance) implements Claim {
        @Override
        public String words() {
            long seconds = ago.toSeconds();
            return "something ran on it "
                    + (seconds < 60
                            ? String.format(Locale.ROOT, "%d s", seconds)
                            : String.format(Locale.ROOT, "%d min", seconds / 60))
                    + " ago";
        }
    }

    /**
     * An MPS control daemon stands on it. Its server's process is not given as {@link Runs}.
     *
     * @param holder the daemon
     * @param computeInstance the one it serves
     * @param clients programs connected to it; where there are none it is only stopped first
     */
    record MpsDaemon(Holder holder, OptionalInt computeInstance, int clients) implements Claim {
        @Override
        public String words() {
            String served = clients == 0 ? "no client" : clients == 1 ? "1 client" : clients + " clients";
            return "the MPS daemon, " + holder.words() + ", stands on it with " + served;
        }
    }

    /**
     * Whether anybody uses it cannot be seen.
     *
     * @param why the reason, such as {@code other users' processes need root}
     */
    record NotVisible(String why) implements Claim {
        @Override
        public OptionalInt computeInstance() {
            return OptionalInt.empty();
        }

        @Override
        public String words() {
            return "who uses it cannot be seen: " + why;
        }
    }
}
