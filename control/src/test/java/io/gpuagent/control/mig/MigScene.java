// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.mig;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.control.Answer;
import io.gpuagent.control.Caller;
import io.gpuagent.control.LastUse;
import io.gpuagent.control.MigRequest;
import io.gpuagent.control.Outcome;
import io.gpuagent.control.direct.ControlFolders;
import io.gpuagent.control.direct.DirectPort;
import io.gpuagent.control.direct.NvmlSessions;
import io.gpuagent.control.direct.RecordedModes;
import io.gpuagent.control.direct.Requester;
import io.gpuagent.host.HostView;
import io.gpuagent.mig.apply.Disk;
import io.gpuagent.mig.apply.Holders;
import io.gpuagent.mig.apply.MigState;
import io.gpuagent.mig.plan.InstanceRequest;
import io.gpuagent.mig.plan.PinRules;
import io.gpuagent.mig.plan.Plan;
import io.gpuagent.mig.plan.PlanId;
import io.gpuagent.mig.plan.PlanOutcome;
import io.gpuagent.mig.plan.Planner;
import io.gpuagent.mig.plan.Wanted;
import io.gpuagent.mig.read.HostClaims;
import io.gpuagent.mps.supervise.ChangeRefused;
import io.gpuagent.nvml.CallObserver;
import io.gpuagent.nvml.sim.SimProfile;
import io.gpuagent.nvml.sim.SimulatedDriver;
import io.gpuagent.nvml.sim.SimulatedMig;
import io.gpuagent.nvml.sim.SimulatedProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A simulated GPU behind the port, through the real binding. */
public final class MigScene {
    private static final long MEMORY = 1L << 30;
    private static final int CALLS_KEPT = 1_000_000;

    final SimulatedDriver driver;
    final PatientClock clock = new PatientClock();
    final ControlFolders folders;
    private int loads;
    HostClaims claims = HostClaims.NONE;
    Holders holders = Holders.UNSEEN;
    MigMachine.Daemons daemons = MigScene::noDaemons;
    PinRules rules = PinRules.STANDARD;
    List<LastUse> lastUses = List.of();
    /** Ids by what was cut, such as {@code 1g.18gb@4}. */
    final Map<String, Integer> ids = new HashMap<>();

    private MigScene(SimulatedDriver driver, Path folder) {
        this.driver = driver;
        folders = new ControlFolders(folder.resolve("run"), folder.resolve("state"), folder.resolve("log"));
    }

    private static io.gpuagent.mps.supervise.MpsSupervision noDaemons() throws ChangeRefused {
        throw new ChangeRefused(ChangeRefused.Kind.NOT_SUPPORTED, "there is no program for MPS daemons");
    }

    /** A card as it comes. */
    static MigScene off(String profile, Path folder) {
        SimulatedDriver driver = SimulatedDriver.start(SimProfile.parse(profile), new PatientClock()::nanos);
        MigScene scene = new MigScene(driver, folder);
        scene.driver.calls().keep(CALLS_KEPT);
        return scene;
    }

    /** A card in MIG mode, with instances that others made; each has a full compute instance. */
    static MigScene with(String profile, Path folder, String... instances) {
        MigScene scene = off(profile, folder);
        scene.mig().setMode(true);
        for (String instance : instances) {
            String[] parts = instance.split("@", -1);
            scene.ids.put(instance, scene.mig().create(parts[0], Integer.parseInt(parts[1]), parts[0]));
        }
        return scene;
    }

    /** The same, with all of them adopted. */
    static MigScene ours(String profile, Path folder, String... instances) {
        MigScene scene = with(profile, folder, instances);
        for (String instance : instances) {
            scene.done(new MigRequest.Adopt(scene.gpu(), scene.id(instance)));
        }
        return scene;
    }

    /** The same GPU, with the files as they are now: what a process finds that starts when this one has ended. */
    MigScene copied(Path folder) throws IOException {
        MigScene copy = new MigScene(driver, folder);
        Path to = Files.createDirectories(copy.folders.layouts().resolve(gpu()));
        try (Stream<Path> files = Files.list(folders.layouts().resolve(gpu()))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
        return copy;
    }

    SimulatedMig mig() {
        return driver.gpu(0).mig();
    }

    String gpu() {
        return driver.gpu(0).uuid();
    }

    int id(String instance) {
        return ids.get(instance);
    }

    void runs(String instance, int number, SimulatedProcess.Kind kind) {
        driver.gpu(0).start(new SimulatedProcess(SimulatedProcess.FIRST_PID + number, kind, MEMORY, id(instance), 0));
    }

    DirectPort port() {
        MigMachine machine = new MigMachine(
                new NvmlSessions(() -> driver, CallObserver.NONE, clock::nanos),
                folders.layouts(),
                claims,
                holders,
                daemons,
                this::load,
                clock,
                Disk.REAL);
        return new DirectPort(
                HostView.real(),
                folders,
                daemons::open,
                new RecordedModes(),
                new MigLayouts(machine),
                new Requester("gpu-agent", Optional.of(997L), Optional.of(4711L)),
                clock);
    }

    /** A boot or another load is told apart by what the simulated machine says of it. */
    private Optional<String> load() {
        return driver.life().isLoaded() ? Optional.of(driver.life().bootId() + "/" + loads) : Optional.empty();
    }

    /** Unloads the kernel module and loads it again. */
    void reload() {
        driver.life().load();
        driver.reopenLibrary();
        loads++;
    }

    /** Boots the machine anew. */
    void reboot() {
        driver.reboot();
        driver.reopenLibrary();
    }

    Answer ask(MigRequest request) {
        return port().perform(request, Caller.silent());
    }

    Answer.Refused refused(MigRequest request) {
        Answer answer = ask(request);
        assertThat(answer).isInstanceOf(Answer.Refused.class);
        return (Answer.Refused) answer;
    }

    Outcome.Changed done(MigRequest request) {
        Answer answer = ask(request);
        assertThat(answer).isInstanceOf(Answer.Done.class);
        return (Outcome.Changed) ((Answer.Done) answer).outcome();
    }

    MigState state() {
        Answer answer = ask(new MigRequest.Read(gpu(), lastUses));
        assertThat(answer).isInstanceOf(Answer.Done.class);
        return ((Outcome.Mig) ((Answer.Done) answer).outcome()).state();
    }

    /** As the agent plans: from what the port has read. */
    PlanOutcome plan(String... wanted) throws Exception {
        MigState state = state();
        return new Planner(rules)
                .plan(state.facts().gpu(), Wanted.resolve(state.facts().gpu().card(), requests(wanted)));
    }

    private static List<InstanceRequest> requests(String... wanted) {
        return Stream.of(wanted).map(InstanceRequest::of).toList();
    }

    MigRequest.Apply apply(String... wanted) throws Exception {
        PlanOutcome outcome = plan(wanted);
        assertThat(outcome).isInstanceOf(Plan.class);
        return apply(PlanId.of((Plan) outcome), wanted);
    }

    MigRequest.Apply apply(PlanId id, String... wanted) {
        return new MigRequest.Apply(gpu(), id, new ArrayList<>(requests(wanted)), rules, lastUses);
    }

    List<String> layout() {
        return mig().layout();
    }

    long destructions() {
        return driver.calls().ofAllWith("Destroy");
    }
}
