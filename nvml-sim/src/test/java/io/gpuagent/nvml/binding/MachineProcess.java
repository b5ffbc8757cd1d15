// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.binding;

import io.gpuagent.nvml.Access;
import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.CallObserver;
import io.gpuagent.nvml.Gpu;
import io.gpuagent.nvml.GpuInstance;
import io.gpuagent.nvml.Nvml;
import io.gpuagent.nvml.NvmlReturn;
import io.gpuagent.nvml.sim.SimProfile;
import io.gpuagent.nvml.sim.SimulatedDriver;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A process of its own that uses the machine of a state file: it does what it is told line by line, and says what came. */
final class MachineProcess implements AutoCloseable {
    static final String PROFILE = "h200x2";
    static final long SEED = 7;

    private final Process process;
    private final BufferedReader out;

    private MachineProcess(Process process) {
        this.process = process;
        this.out = process.inputReader(StandardCharsets.UTF_8);
    }

    static MachineProcess start(Path state) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                MachineProcess.class.getName(),
                state.toString()));
        return new MachineProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    void tell(String order) throws IOException {
        process.outputWriter(StandardCharsets.UTF_8).write(order + "\n");
        process.outputWriter(StandardCharsets.UTF_8).flush();
    }

    String answer() throws IOException {
        return String.valueOf(out.readLine());
    }

    String ask(String order) throws IOException {
        tell(order);
        return answer();
    }

    /** SIGKILL. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    static SimulatedDriver open(Path state) {
        return SimulatedDriver.open(SimProfile.parse(PROFILE), MachineProcess::epochNanos, SEED, state);
    }

    static long epochNanos() {
        return System.currentTimeMillis() * 1_000_000L;
    }

    public static void main(String[] arguments) throws IOException {
        SimulatedDriver driver = open(Path.of(arguments[0]));
        Nvml nvml = Nvml.open(driver, CallObserver.NONE, System::nanoTime, Access.CONTROL)
                .orThrow();
        Gpu gpu = nvml.gpu(0).orThrow();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String order = in.readLine(); order != null; order = in.readLine()) {
            String[] words = order.split(" ", -1);
            System.out.println(
                    switch (words[0]) {
                        case "create" ->
                            gpu.mig()
                                    .create(Integer.parseInt(words[1]))
                                    .map(made ->
                                            String.valueOf(made.info().orThrow().id()));
                        case "create-all" -> String.valueOf(createAll(gpu, Integer.parseInt(words[1])));
                        case "destroy" ->
                            gpu.mig()
                                    .instance(Integer.parseInt(words[1]))
                                    .orThrow()
                                    .destroy();
                        case "layout" -> driver.gpu(0).mig().layout();
                        case "count" -> nvml.gpuCount();
                        case "limit" -> gpu.control().power().limit(Integer.parseInt(words[1]));
                        case "reboot" -> {
                            driver.reboot();
                            yield driver.life().bootId();
                        }
                        case "churn" -> {
                            System.out.println("churning");
                            yield churn(gpu);
                        }
                        default -> throw new IllegalArgumentException(order);
                    });
        }
    }

    /** Makes instances until there is no room for one more. */
    private static int createAll(Gpu gpu, int profile) {
        int made = 0;
        while (gpu.mig().create(profile) instanceof Answer.Value<GpuInstance>) {
            made++;
        }
        return made;
    }

    /** Changes the machine again and again, until this process is killed. */
    private static NvmlReturn churn(Gpu gpu) {
        while (true) {
            GpuInstance made = gpu.mig().create(19).orThrow();
            gpu.control().power().limit(300_000).orThrow();
            made.destroy().orThrow();
        }
    }
}
