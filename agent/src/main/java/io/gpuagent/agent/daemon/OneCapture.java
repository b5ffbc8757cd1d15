// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import io.gpuagent.agent.config.AgentException;
import io.gpuagent.agent.config.AgentVersion;
import io.gpuagent.agent.config.GpuSource;
import io.gpuagent.agent.poll.NvmlSource;
import io.gpuagent.model.time.Clock;
import io.gpuagent.model.time.SystemClock;
import io.gpuagent.nvml.NvmlLibrary;
import io.gpuagent.nvml.NvmlReturn;
import io.gpuagent.nvml.sim.capture.Capture;
import io.gpuagent.nvml.sim.capture.CaptureDocument;
import java.util.List;
import java.util.Optional;

/** Captures all that the NVML of this machine answers, without a daemon. */
public final class OneCapture {
    private OneCapture() {}

    /**
     * What a capture found.
     *
     * @param json the document, which {@code --simulate} takes
     * @param gpus how many GPUs it holds
     * @param questions how many questions were asked
     * @param hung the calls that did not return, such as {@code gpu1 nvmlDeviceGetPowerUsage}
     * @param refusal why NVML could not be initialised, by the name of its code
     */
    public record Taken(String json, int gpus, int questions, List<String> hung, Optional<String> refusal) {}

    /**
     * Takes a capture.
     *
     * @param source which GPUs
     * @param keepsIdentifiers whether UUIDs, serial numbers and process ids are told as they are
     * @return what was found
     * @throws AgentException when there is no NVML to ask
     */
    public static Taken take(GpuSource source, boolean keepsIdentifiers) throws AgentException {
        Clock clock = SystemClock.INSTANCE;
        try (NvmlAccess nvml = NvmlAccess.open(source, clock)) {
            NvmlSource.Opened opened = nvml.source().open();
            CaptureDocument document =
                    Capture.take(opened.symbols(), clock::nanos, keepsIdentifiers, Capture.Deadlines.DEFAULT);
            if (document.hung().isEmpty()) {
                // Code of an unloaded library must not be running.
                opened.close().run();
            }
            return new Taken(
                    document.json("What NVML answered, taken by gpu-agent " + AgentVersion.current()
                            + ". Run gpu-agent with --simulate and this file to see the same GPUs."),
                    document.gpus(),
                    document.questions(),
                    document.hung(),
                    refusal(document));
        } catch (NvmlLibrary.NotFound e) {
            throw new AgentException(
                    AgentException.FAILED,
                    "there is no NVML library here: " + e.getMessage()
                            + "; install the NVIDIA driver, or set nvml.library",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AgentException(AgentException.FAILED, "the capture was interrupted; run it again", e);
        }
    }

    private static Optional<String> refusal(CaptureDocument document) {
        NvmlReturn code = new NvmlReturn(document.initCode());
        return code.equals(NvmlReturn.SUCCESS) ? Optional.empty() : Optional.of(code.cName());
    }
}
