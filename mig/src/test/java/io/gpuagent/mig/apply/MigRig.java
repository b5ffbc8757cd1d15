// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.mig.MigException;
import io.gpuagent.mig.MigRequestException;
import io.gpuagent.mig.plan.InstanceRequest;
import io.gpuagent.mig.plan.PinRules;
import io.gpuagent.mig.plan.Plan;
import io.gpuagent.mig.plan.PlanOutcome;
import io.gpuagent.mig.plan.Planner;
import io.gpuagent.mig.plan.Wanted;
import io.gpuagent.mig.read.HostClaims;
import io.gpuagent.mig.read.MigFacts;
import io.gpuagent.model.GpuIdentity;
import io.gpuagent.nvml.Access;
import io.gpuagent.nvml.CallObserver;
import io.gpuagent.nvml.Nvml;
import io.gpuagent.nvml.sim.LoggedCall;
import io.gpuagent.nvml.sim.SimProfile;
import io.gpuagent.nvml.sim.SimulatedDriver;
import io.gpuagent.nvml.sim.SimulatedMig;
import io.gpuagent.nvml.sim.SimulatedProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A simulated GPU in MIG mode, and executors for it that go through the binding. */
final class MigRig {
    static final int CALLS_KEPT = 1_000_000;
    static final long MEMORY = 1L << 30;

    final SimulatedDriver driver;
    final PatientClock clock = new PatientClock();
    final Path folder;
    MigPorts ports = MigPorts.ALONE;
    HostClaims claims = HostClaims.NONE;
    /** GPU instance ids by their place, as {@code 1g.18gb@4}. */
    final Map<String, Integer> ids = new HashMap<>();

    MigRig(String profile, Path folder) {
        this(SimulatedDriver.start(SimProfile.parse(profile), new PatientClock()::nanos), folder);
    }

    MigRig(SimulatedDriver driver, Path folder) {
        this.driver = driver;
        this.folder = folder;
    }

    /** A rig in MIG mode with instances, each with a full compute instance. */
    static MigRig with(String profile, Path folder, String... instances) {
        MigRig rig = new MigRig(profile, folder);
        rig.mig().setMode(true);
        Arrays.stream(instances).forEach(rig::cut);
        rig.driver.calls().keep(CALLS_KEPT);
        return rig;
    }

    SimulatedMig mig() {
        return driver.gpu(0).mig();
    }

    /** Makes an instance as another tool would: {@code 3g.71gb@4}, or with compute instances {@code 3g.71gb@4:1c.3g.71gb}. */
    void cut(String instance) {
        String[] parts = instance.split(":", -1);
        String[] name = parts[0].split("@", -1);
        String[] computes = parts.length == 1 ? new String[] {name[0]} : parts[1].split(",", -1);
        ids.put(parts[0], mig().create(name[0], Integer.parseInt(name[1]), computes));
    }

    int id(String instance) {
        return ids.get(instance);
    }

    /** Starts a process on the first compute instance of a GPU instance. */
    void busy(String instance) {
        driver.gpu(0)
                .start(new SimulatedProcess(
                        SimulatedProcess.FIRST_PID + id(instance),
                        SimulatedProcess.Kind.COMPUTE,
                        MEMORY,
                        id(instance),
                        0));
    }

    GpuIdentity identity() {
        return new GpuIdentity(0, driver.gpu(0).uuid());
    }

    MigExecutor executor() {
        return executor(CallObserver.NONE, Disk.REAL);
    }

    MigExecutor executor(CallObserver observer, Disk disk) {
        return new MigExecutor(
                identity(),
                folder,
                () -> Nvml.open(driver, observer, clock::nanos, Access.CONTROL),
                claims,
                ports,
                clock,
                Limits.STANDARD,
                disk);
    }

    void adopt(String... instances) throws MigException {
        for (String instance : instances) {
            executor().adopt(id(instance));
        }
    }

    PlanOutcome outcome(String... wanted) throws MigException, MigRequestException {
        MigFacts facts = executor().read();
        List<InstanceRequest> requests = new ArrayList<>();
        for (String each : wanted) {
            requests.add(InstanceRequest.of(each));
        }
        return new Planner(PinRules.STANDARD)
                .plan(facts.gpu(), Wanted.resolve(facts.gpu().card(), requests));
    }

    Plan plan(String... wanted) throws MigException, MigRequestException {
        PlanOutcome outcome = outcome(wanted);
        assertThat(outcome).isInstanceOf(Plan.class);
        return (Plan) outcome;
    }

    ApplyResult apply(String... wanted) throws MigException, MigRequestException {
        return executor().apply(plan(wanted), Progress.NONE, () -> false);
    }

    List<String> layout() {
        return mig().layout();
    }

    /** Calls that change MIG, in order, each with what it returned where that was not SUCCESS. */
    List<String> changes() {
        return driver.calls().log().stream()
                .filter(call -> call.function().contains("Create")
                        || call.function().contains("Destroy")
                        || call.function().contains("SetMigMode"))
                .map(MigRig::words)
                .toList();
    }

    private static String words(LoggedCall call) {
        String name = call.function().replaceAll("nvmlDevice|nvml|WithPlacement|GpuInstance(?=Create)", "");
        return call.code() == 0 ? name : name + "=" + call.code();
    }
}
