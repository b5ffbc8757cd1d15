// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.helper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.gpuagent.control.Answer;
import io.gpuagent.control.MigRequest;
import io.gpuagent.control.Outcome;
import io.gpuagent.control.direct.AuditLines;
import io.gpuagent.control.direct.ControlFolders;
import io.gpuagent.control.wire.Message;
import io.gpuagent.mig.MigGpu;
import io.gpuagent.mig.apply.MigState;
import io.gpuagent.mig.plan.InstanceRequest;
import io.gpuagent.mig.plan.PinRules;
import io.gpuagent.mig.plan.Plan;
import io.gpuagent.mig.plan.PlanId;
import io.gpuagent.mig.plan.Planner;
import io.gpuagent.mig.plan.Wanted;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** A stranger, the agent's user and root try every verb with good and bad arguments over the real socket. */
@EnabledIfSystemProperty(named = "gpuagent.full", matches = "true")
class WhoMayChangeWhatIT {
    private static final String AGENT = "gpu-agent-it";
    private static final String STRANGER = "gpu-agent-it-stranger";
    private static final String GPU = "GPU-01234567-89ab-cdef-0123-456789abcdef";

    private static final String PLAN = "0123456789abcdef-fedcba9876543210";
    private static final String RULES = "\"rules\":{\"include_reserved\":false,\"include_unknown\":false,"
            + "\"idle_grace_seconds\":600,\"keep\":[]},\"last_uses\":[]";

    /** Good requests that change something, and what they do to the stage. */
    private static final Map<String, String> CHANGES = Map.of(
            "{\"verb\":\"mps-start\",\"id\":\"pair\",\"devices\":[\"" + GPU
                    + "\"],\"share\":{\"threads\":\"25\"},\"multi_user\":false,\"exclusive_process\":true}",
            "start pair",
            "{\"verb\":\"mps-stop\",\"id\":\"pair\",\"mode\":\"drain\",\"grace_seconds\":30}",
            "stop pair",
            "{\"verb\":\"mps-set\",\"id\":\"pair\",\"share\":{\"memory\":\"8G\"}}",
            "set pair",
            "{\"verb\":\"mps-terminate-client\",\"id\":\"pair\",\"pid\":4711}",
            "terminate-client pair 4711",
            "{\"verb\":\"mps-resume\",\"id\":\"pair\"}",
            "resume pair",
            "{\"verb\":\"set-compute-mode\",\"gpu\":\"" + GPU + "\",\"mode\":\"exclusive-process\"}",
            "compute-mode " + GPU + " EXCLUSIVE_PROCESS");

    /** Good requests that only read. */
    private static final List<String> READS = List.of(
            "{\"verb\":\"read-environments\",\"pids\":[%d]}"
                    .formatted(ProcessHandle.current().pid()),
            "{\"verb\":\"list-holders\",\"nodes\":[\"/dev/nvidia0\",\"/dev/nvidiactl\"]}");

    /** Each verb with something that must not get through. */
    private static final List<String> BAD = List.of(
            "{\"verb\":\"mps-start\",\"id\":\"../../../etc\",\"devices\":[\"" + GPU
                    + "\"],\"share\":{},\"multi_user\":false,\"exclusive_process\":false}",
            "{\"verb\":\"mps-start\",\"id\":\"pair\",\"devices\":[\"" + GPU
                    + "\\nLD_PRELOAD=/tmp/x.so\"],\"share\":{},\"multi_user\":false,\"exclusive_process\":false}",
            "{\"verb\":\"mps-stop\",\"id\":\"pair.service\",\"mode\":\"force\",\"grace_seconds\":0}",
            "{\"verb\":\"mps-stop\",\"id\":\"pair\",\"mode\":\"force\",\"grace_seconds\":-1}",
            "{\"verb\":\"mps-set\",\"id\":\"pair\",\"share\":{\"threads\":\"150\"}}",
            "{\"verb\":\"mps-set\",\"id\":\"pair\",\"share\":{\"threads\":\"25\\nquit\"}}",
            "{\"verb\":\"mps-terminate-client\",\"id\":\"pair\",\"pid\":1}",
            "{\"verb\":\"mps-resume\",\"id\":\"$(reboot)\"}",
            "{\"verb\":\"read-environments\",\"pids\":[-1]}",
            "{\"verb\":\"list-holders\",\"nodes\":[\"/etc/shadow\"]}",
            "{\"verb\":\"set-compute-mode\",\"gpu\":\"0\",\"mode\":\"default\"}",
            "{\"verb\":\"set-compute-mode\",\"gpu\":\"" + GPU + "\",\"mode\":\"exclusive-thread\"}",
            "{\"verb\":\"mig-read\",\"gpu\":\"../../etc\",\"last_uses\":[]}",
            "{\"verb\":\"mig-read\",\"gpu\":\"" + GPU + "\",\"last_uses\":[{\"gpu_instance\":-1,\"ago_seconds\":0}]}",
            "{\"verb\":\"mig-apply\",\"gpu\":\"" + GPU + "\",\"plan\":\"latest\",\"wanted\":[]," + RULES + "}",
            "{\"verb\":\"mig-apply\",\"gpu\":\"" + GPU + "\",\"plan\":\"" + PLAN
                    + "\",\"wanted\":[{\"profile\":\"1g.18gb; reboot\",\"count\":1}]," + RULES + "}",
            "{\"verb\":\"mig-apply\",\"gpu\":\"" + GPU + "\",\"plan\":\"" + PLAN
                    + "\",\"wanted\":[{\"profile\":\"1g.18gb\",\"count\":100000}]," + RULES + "}",
            "{\"verb\":\"mig-apply\",\"gpu\":\"" + GPU + "\",\"plan\":\"" + PLAN + "\",\"wanted\":[],"
                    + RULES.replace("600", "-1") + "}",
            "{\"verb\":\"mig-rollback\",\"gpu\":\"0\",\"plan\":\"" + PLAN + "\"," + RULES + "}",
            "{\"verb\":\"mig-mode\",\"gpu\":\"" + GPU + "\",\"enabled\":\"yes\",\"leave_pending\":false}",
            "{\"verb\":\"mig-mode\",\"gpu\":\"all\",\"enabled\":false,\"leave_pending\":false}",
            "{\"verb\":\"mig-adopt\",\"gpu\":\"" + GPU + "\",\"gpu_instance\":4711}",
            "{\"verb\":\"mig-repair\",\"gpu\":\"" + GPU + "\",\"gpu_instance\":1,\"how\":\"force\"}",
            "{\"verb\":\"mig-recover\",\"gpu\":\"MIG-01234567-89ab-cdef-0123-456789abcdef\"}",
            "{\"verb\":\"mig-restore\",\"gpu\":\"" + GPU + "/..\"}",
            "{\"verb\":\"mig-abandon\",\"gpu\":\"\"}",
            "{\"verb\":\"mps-resume\",\"id\":\"pair\",\"as\":\"root\"}",
            "{\"verb\":\"reboot\"}");

    private final TestUsers users = new TestUsers();
    private Path folder;
    private int agent;

    @BeforeEach
    void realUsersAndAFolderThatAllMayEnter() throws Exception {
        agent = users.make(AGENT);
        users.make(STRANGER);
        folder = Files.createTempDirectory("gpu-agent-it");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @AfterEach
    void leaveNothingBehind() throws Exception {
        users.remove();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.toList().reversed()) {
                Files.delete(file);
            }
        }
    }

    @Test
    void aStrangerDoesNotEvenReachTheHelper() throws Exception {
        try (PrivilegedSocket socket = PrivilegedSocket.listen(folder, "priv.sock", agent, "0600", helper())) {
            assertThat(socket.ask(TestUsers.as(STRANGER), wrapped(everything())))
                    .hasSize(everything().size())
                    .allMatch("no connection: Permission denied"::equals);
        }
        assertThat(stage()).isEmpty();
        assertThat(folder.resolve("log")).doesNotExist();
    }

    @Test
    void aStrangerWhoReachesTheHelperAllTheSameIsRefusedUnread() throws Exception {
        try (PrivilegedSocket open = PrivilegedSocket.listen(folder, "priv.sock", agent, "0666", helper())) {
            assertThat(open.ask(TestUsers.as(STRANGER), wrapped(everything())))
                    .hasSize(everything().size())
                    .allMatch(("{\"refused\":{\"code\":\"not_allowed\",\"sentence\":\"user " + STRANGER
                            + " may not have anything changed; only " + AGENT + " and root may\"}}")::equals);
        }
        assertThat(stage()).isEmpty();
        assertThat(folder.resolve("log")).doesNotExist();
    }

    @Test
    void theAgentsUserHasEveryGoodRequestDoneAndNoBadOne() throws Exception {
        everyVerb(AGENT, TestUsers.as(AGENT), agent);
    }

    @Test
    void rootHasEveryGoodRequestDoneAndNoBadOne() throws Exception {
        everyVerb("root", List.of(), 0);
    }

    @Test
    void theAgentsUserHasEveryMigRequestDone() throws Exception {
        everyMigVerb(AGENT, TestUsers.as(AGENT));
    }

    @Test
    void rootHasEveryMigRequestDone() throws Exception {
        everyMigVerb("root", List.of());
    }

    private void everyMigVerb(String user, List<String> as) throws Exception {
        ControlFolders folders =
                new ControlFolders(folder.resolve("run"), folder.resolve("state"), folder.resolve("log"));
        Files.createDirectory(folders.state());
        String gpu = CardHelper.card(folders).gpu(0).uuid();
        List<MigRequest> done = new ArrayList<>();
        try (PrivilegedSocket socket = PrivilegedSocket.listen(folder, "priv.sock", agent, "0600", helper())) {
            done.add(asked(socket, as, new MigRequest.Mode(gpu, true, false)));
            MigGpu empty = read(socket, as, gpu).facts().gpu();
            List<InstanceRequest> wish = List.of(InstanceRequest.of("3g.71gb"));
            Plan plan = (Plan) new Planner(PinRules.STANDARD).plan(empty, Wanted.resolve(empty.card(), wish));
            done.add(asked(socket, as, new MigRequest.Apply(gpu, PlanId.of(plan), wish, PinRules.STANDARD, List.of())));
            MigState cut = read(socket, as, gpu);
            Plan back = (Plan) new Planner(PinRules.STANDARD)
                    .plan(
                            cut.facts().gpu(),
                            cut.history().getLast().before().wanted(cut.facts().gpu()));
            done.add(asked(socket, as, new MigRequest.Rollback(gpu, PlanId.of(back), PinRules.STANDARD, List.of())));
            int half = CardHelper.card(folders).gpu(0).mig().create("3g.71gb", 4);
            done.add(asked(socket, as, new MigRequest.Adopt(gpu, half)));
            done.add(asked(socket, as, new MigRequest.Repair(gpu, half, MigRequest.Repair.How.COMPLETE)));
            done.add(asked(socket, as, new MigRequest.Recover(gpu)));
            done.add(asked(socket, as, new MigRequest.Restore(gpu)));
            done.add(asked(socket, as, new MigRequest.Abandon(gpu)));
        }
        assertThat(CardHelper.card(folders).gpu(0).mig().layout()).containsExactly("3g.71gb@4");
        assertThat(AuditLines.read(folder.resolve("log/audit.log")))
                .extracting(line -> line.get("verb"), line -> line.get("phase"), line -> line.get("user"))
                .containsExactlyElementsOf(done.stream()
                        .flatMap(
                                request -> Stream.of("begun", "ended").map(phase -> tuple(request.verb(), phase, user)))
                        .toList());
    }

    private static MigRequest asked(PrivilegedSocket socket, List<String> as, MigRequest request) throws Exception {
        assertThat(answer(socket, as, request)).as(request.verb()).isInstanceOf(Answer.Done.class);
        return request;
    }

    private static MigState read(PrivilegedSocket socket, List<String> as, String gpu) throws Exception {
        Answer answer = answer(socket, as, new MigRequest.Read(gpu, List.of()));
        return ((Outcome.Mig) ((Answer.Done) answer).outcome()).state();
    }

    private static Answer answer(PrivilegedSocket socket, List<String> as, MigRequest request) throws Exception {
        String line = socket.ask(as, List.of(new Message.Ask(request).line())).getFirst();
        return ((Message.Result) Message.read(line)).answer();
    }

    private void everyVerb(String user, List<String> as, int uid) throws Exception {
        List<String> changes = List.copyOf(CHANGES.keySet());
        try (PrivilegedSocket socket = PrivilegedSocket.listen(folder, "priv.sock", agent, "0600", helper())) {
            assertThat(socket.ask(as, wrapped(BAD)))
                    .hasSize(BAD.size())
                    .allMatch(answer -> answer.startsWith("{\"refused\":{\"code\":\"bad_request\",\"sentence\":\""));
            assertThat(stage()).isEmpty();
            assertThat(folder.resolve("log")).doesNotExist();

            assertThat(socket.ask(as, wrapped(READS)))
                    .hasSize(READS.size())
                    .allMatch(answer -> answer.startsWith("{\"done\":{"));
            assertThat(folder.resolve("log")).doesNotExist();

            assertThat(socket.ask(as, wrapped(changes)))
                    .hasSize(changes.size())
                    .allMatch(answer -> answer.startsWith("{\"done\":{"));
        }
        assertThat(stage())
                .containsExactlyElementsOf(changes.stream().map(CHANGES::get).toList());
        List<Map<String, String>> audit = AuditLines.read(folder.resolve("log/audit.log"));
        assertThat(audit)
                .extracting(line -> line.get("phase"), line -> line.get("user"), line -> line.get("uid"))
                .containsExactlyElementsOf(changes.stream()
                        .flatMap(_ -> Stream.of("begun", "ended"))
                        .map(phase -> tuple(phase, user, Integer.toString(uid)))
                        .toList());
        assertThat(audit).allSatisfy(line -> assertThat(line).containsKeys("pid", "time", "change", "verb"));
        assertThat(audit.stream().filter(line -> line.get("phase").equals("ended")))
                .allSatisfy(line -> assertThat(line).containsEntry("result", "done"));
    }

    private static List<String> everything() {
        return Stream.of(CHANGES.keySet(), READS, BAD)
                .flatMap(Collection::stream)
                .toList();
    }

    private static List<String> wrapped(List<String> requests) {
        return requests.stream()
                .map(request -> "{\"version\":1,\"request\":" + request + "}")
                .toList();
    }

    private List<String> stage() throws IOException {
        Path stage = folder.resolve("state/stage");
        return Files.exists(stage) ? Files.readAllLines(stage) : List.of();
    }

    private List<String> helper() {
        return StagedHelper.command(folder, AGENT);
    }
}
