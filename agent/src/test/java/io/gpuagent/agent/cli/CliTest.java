// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.agent.api.json.JsonReader;
import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.config.GpuSource;
import io.gpuagent.agent.config.ListenAddress;
import io.gpuagent.agent.daemon.OneCapture;
import io.gpuagent.host.HostView;
import io.gpuagent.host.RuntimeFolders;
import io.gpuagent.model.SampleSnapshots;
import io.gpuagent.model.time.ManualClock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CliTest {
    @TempDir
    Path root;

    private CommandRun command;

    @BeforeEach
    void setUp() {
        command = new CommandRun(root);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "serve",
                "status",
                "metrics",
                "capture",
                "mps",
                "mps list",
                "plan",
                "apply",
                "export",
                "repartition",
                "mig",
                "mig list",
                "mig enable",
                "mig disable",
                "mig holders",
                "mig history",
                "mig rollback",
                "mig repair",
                "mig adopt",
                "mig watch",
                "mig cancel",
                "mps start",
                "mps stop",
                "mps set",
                "mps env",
                "mps clients",
                "mps terminate",
                "mps resume",
                "health",
                "events",
                "ack",
                "release",
                "config",
                "config check",
                "version"
            })
    void helpIsForReading(String name) throws IOException {
        assertThat(command.run((name + " --help").strip().split(" "))).isZero();
        assertThat(command.err()).isEmpty();
        assertThat(command.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        Golden.check("help" + (name.isEmpty() ? "" : "-" + name.replace(' ', '-')) + ".txt", command.out());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                                          | 2 | a command is missing; see gpu-agent --help
            config                        | 2 | a command is missing; see gpu-agent config --help
            sttus                         | 2 | there is no command "sttus"; did you mean status?; see gpu-agent --help
            --jsn                         | 2 | there is no option "--jsn"; see gpu-agent --help
            status --jsn                  | 2 | there is no option "--jsn"; did you mean --json?; see gpu-agent status --help
            status --socket               | 2 | missing required parameter for option '--socket' (PATH); see gpu-agent status --help
            status --socket a --socket b  | 2 | option '--socket' (PATH) should be specified only once; see gpu-agent status --help
            status --json=yes             | 2 | invalid value for option '--json': 'yes' is not a boolean; see gpu-agent status --help
            status x                      | 2 | GPU: "x" names no GPU; name a GPU by its index (0), its UUID or the beginning of it (GPU-5c3d), or its PCI bus id (3b:00.0)
            status --simulate h200 9      | 2 | GPU: there is no GPU "9"; this node has 0 (GPU-00000000-0000-0000-0000-000000000001), 1 (GPU-00000000-0000-0000-0000-000000000002)
            status --simulate h9000       | 2 | there is no profile "h9000"; use h200
            status --simulate h200 --socket /s | 2 | --socket asks an agent and --simulate reads without one; give one of them
            status --socket ''            | 2 | --socket: the path is empty; name one
            status --socket /none/s       | 5 | no agent answers: there is no socket /none/s; start one with gpu-agent serve
            status --socket /dev/null/s   | 5 | no agent answers: there is no socket /dev/null/s; start one with gpu-agent serve
            metrics --format xml          | 2 | --format: there is no format "xml"; use native or dcgm
            metrics 0                     | 2 | there is no argument "0"; see gpu-agent metrics --help
            metrics --simulate h9000      | 2 | there is no profile "h9000"; use h200
            capture 0                     | 2 | there is no argument "0"; see gpu-agent capture --help
            capture -o ''                 | 2 | -o: the path is empty; name one
            capture -o /                  | 2 | -o: / is no file; name one
            serve --listen 9836           | 2 | --listen: "9836" is no address to listen on; write HOST:PORT, for example 127.0.0.1:9836, 0.0.0.0:9836 or [::1]:9836
            serve --scenario f            | 2 | --scenario happens to simulated GPUs; add --simulate, for example h200
            serve --simulate h200 --scenario /none | 2 | --scenario: /none does not exist or may not be read; name a scenario file
            serve @file                   | 2 | there is no argument "@file"; see gpu-agent serve --help
            events --since abc            | 2 | invalid value for option '--since': 'abc' is not a long; see gpu-agent events --help
            ack 5                         | 2 | missing required option: '--why=TEXT'; see gpu-agent ack --help
            ack five --why x              | 2 | INCIDENT must be a number, such as 17; gpu-agent health shows them
            release --end --for 5m        | 2 | --end takes NVML up again; give it alone
            health --socket /none/s       | 5 | no agent answers: there is no socket /none/s; start one with gpu-agent serve
            mps                           | 2 | a command is missing; see gpu-agent mps --help
            mps unit-stop                 | 1 | CUDA_MPS_PIPE_DIRECTORY names no folder: this is for the unit gpu-agent-mps@ID.service, which sets it; to stop a daemon by hand, use gpu-agent mps stop
            mps start 0 --threads 150     | 2 | --threads: the thread percentage "150" is out of range: write a number above 0 and at most 100, such as 25% or 12.5
            mps start 0 --threads abc     | 2 | --threads: the thread percentage "abc" is no percentage: write a number above 0 and at most 100, such as 25% or 12.5
            mps start 0 --memory 8GB      | 2 | --memory: the memory limit "8GB" has the unit GB, which is a power of ten to some and of two to others: write a number and a binary unit, such as 8GiB or 512M
            mps start 0 --memory 20       | 2 | --memory: the memory limit "20" has no unit: write a number and a binary unit, such as 8GiB or 512M
            mps start 0 --priority high   | 2 | --priority: the client priority "high" is unknown: write normal or below-normal
            mps start 0 1                 | 2 | a daemon for several GPUs is a group: give it a name with --name
            mps start 0 1 --name A        | 2 | --name: "A" is no name of a group; write 1 to 32 lower-case letters, digits and hyphens, the first no hyphen
            mps start X!                  | 2 | TARGET: "X!" names no GPU, MIG device or daemon; write an index (0), a UUID or its beginning, a PCI bus id (3b:00.0), a MIG UUID or its beginning (MIG-5c3d), or the id of a daemon
            mps set 0                     | 2 | nothing is to be set; give --threads, --memory or --priority
            mps stop 0 --drain --force    | 2 | --drain waits for clients and --force ends them; give one of them
            mps stop 0 --within 5         | 2 | --within is how long clients may take; give it with --drain or --force, or leave it out
            mps stop 0 --drain --within 0 | 2 | --within: "0" is no time that clients can be given; write 1 to 900, in seconds
            mps stop 0 --drain --within 901 | 2 | --within: "901" is no time that clients can be given; write 1 to 900, in seconds
            mps stop 0 --force --within 5m | 2 | --within: "5m" is no time that clients can be given; write 1 to 900, in seconds
            mps terminate 0               | 2 | missing required parameter: 'PID'; see gpu-agent mps terminate --help
            mps terminate 0 all           | 2 | PID: "all" is no process id; gpu-agent mps clients lists those of the clients
            mps terminate 0 -5            | 2 | PID: "-5" is no process id; gpu-agent mps clients lists those of the clients
            mps resume                    | 2 | missing required parameter: 'TARGET'; see gpu-agent mps resume --help
            mps resume 0 1                | 2 | there is no argument "1"; see gpu-agent mps resume --help
            mps env 0 --format podman     | 2 | --format: there is no format "podman": write shell, systemd or docker
            mps set 0 --threads 5 --socket /none/s | 5 | no agent answers: there is no socket /none/s; start one with gpu-agent serve
            mps list --socket /none/s     | 5 | no agent answers: there is no socket /none/s; start one with gpu-agent serve
            mig                           | 2 | a command is missing; see gpu-agent mig --help
            mig list x --socket /s        | 2 | GPU: "x" names no GPU; name a GPU by its index (0), its UUID or the beginning of it (GPU-5c3d), or its PCI bus id (3b:00.0)
            mig list --socket /none/s     | 5 | no agent answers: there is no socket /none/s; start one with gpu-agent serve
            mig enable 0                  | 2 | there is no terminal to ask at, so nothing was touched; add --yes to go on without a question
            mig repair 0 --remove --abandon | 2 | --remove and --abandon are two ways to repair; give one of them
            mig adopt 0 -- -1             | 2 | INSTANCE: -1 is no id; gpu-agent mig list shows them
            repartition 0                 | 2 | missing required parameter: 'PROFILE'; see gpu-agent repartition --help
            plan /none.yaml --socket /none/s | 2 | /none.yaml: it does not exist; name a file that does
            plan /dev/null --socket /none/s  | 2 | /dev/null: it is no regular file; name a layout file
            apply plan-00000000 --mode    | 2 | plan-00000000 is a plan, which was made with its options; give them to gpu-agent plan
            serve --simulate h200 --scenario /mig-busy | 2 | --scenario: /mig-busy does not exist or may not be read; name a scenario file
            config check a b              | 2 | there is no argument "b"; see gpu-agent config check --help
            """)
    void aMistakeIsAnsweredWithOneSentence(String line, int code, String sentence) {
        assertThat(command.run(arguments(line))).isEqualTo(code);
        assertThat(command.err()).isEqualTo("gpu-agent: " + sentence + "\n");
        assertThat(command.out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mps TEXT",
                "mps list TEXT",
                "mps list --TEXT",
                "mps clients 0 TEXT",
                "mps start TEXT",
                "mps start 0 1 --name TEXT",
                "mps start 0 --threads TEXT",
                "mps set 0 --memory TEXT",
                "mps set 0 --memory 8TEXT",
                "mps env 0 --priority TEXT",
                "mps env 0 --format TEXT",
                "mps env 0 --json=TEXT",
                "mps stop 0 --drain --within TEXT",
                "mps terminate 0 TEXT",
                "mps resume TEXT",
                "mps list --socket TEXT",
            })
    void whatAUserWroteIsNotEchoedWholeNorWithItsControlCharacters(String line) {
        String text = "\u001b[2J" + "x".repeat(5000);
        String[] arguments = Arrays.stream(line.split(" "))
                .map(word -> word.replace("TEXT", text))
                .toArray(String[]::new);

        assertThat(command.run(arguments)).isEqualTo(2);
        assertThat(command.err()).contains("xxx");
        assertThat(command.err().lines())
                .allSatisfy(told -> assertThat(told).hasSizeLessThan(450).doesNotContainPattern("\\p{Cntrl}"));
    }

    @Test
    void aLongSocketPathIsRefusedBeforeItIsTried() {
        assertThat(command.run("status", "--socket", "/" + "a".repeat(200))).isEqualTo(2);
        assertThat(command.err())
                .endsWith("has 201 bytes, too many for a socket; choose a path of at most 101 bytes\n");
    }

    @Test
    void statusReadsOnceWhereNoAgentRuns() {
        assertThat(command.run("status")).isZero();
        assertThat(command.err())
                .isEqualTo("gpu-agent: no agent answers at " + root
                        + "/run/gpu-agent/gpu-agent.sock; read this machine once\n");
        assertThat(command.agent().source).isEqualTo(new GpuSource.Driver(Optional.empty()));
        assertThat(command.out()).contains("NVIDIA H200");
    }

    @Test
    void aSocketFileThatIsNoneIsSaidAndReadAround() throws IOException {
        Files.createDirectories(root.resolve("run/gpu-agent"));
        Files.writeString(root.resolve("run/gpu-agent/gpu-agent.sock"), "");
        assertThat(command.run("status")).isZero();
        assertThat(command.err()).contains("gpu-agent.sock is no socket").endsWith("; read this machine once\n");
        assertThat(command.run("status", "--socket", root + "/run/gpu-agent/gpu-agent.sock"))
                .isEqualTo(5);
    }

    @Test
    void statusShowsTheGpusThatAreNamed() throws Exception {
        assertThat(command.run(
                        "status",
                        "--simulate",
                        "h200x2",
                        "--json",
                        "00:07.0",
                        "GPU-00000000-0000-0000-0000-000000000002"))
                .isZero();
        JsonValue json = JsonReader.read(command.out().getBytes(StandardCharsets.UTF_8));
        assertThat(json.items("gpus").orElseThrow())
                .singleElement()
                .satisfies(gpu -> assertThat(gpu.number("index")).contains(1.0));
        assertThat(json.number("generation")).contains(299.0);
        assertThat(command.err()).isEmpty();
    }

    @Test
    void statusOfADriverThatIsDownIsAnAnswerToo() {
        command.with(SampleSnapshots.driverDown());
        assertThat(command.run("status", "--simulate", "h200", "5")).isZero();
        assertThat(command.out()).contains("version_mismatch");
    }

    @Test
    void metricsWritesThePage() {
        assertThat(command.run("metrics", "--simulate", "h200")).isZero();
        assertThat(command.out()).isEqualTo("# generation 299\n");
        assertThat(command.agent().source).isEqualTo(new GpuSource.Simulated("h200", Optional.empty()));
    }

    @Test
    void captureWritesWhatWasFound() throws IOException {
        assertThat(command.run("capture")).isZero();
        assertThat(command.out()).isEqualTo("{}\n");
        assertThat(command.err())
                .isEqualTo("gpu-agent: 1234 questions asked, 2 GPUs; UUIDs, serial numbers and process ids are"
                        + " replaced\n");
        assertThat(command.agent().source).isEqualTo(new GpuSource.Driver(Optional.empty()));

        Path file = Files.writeString(root.resolve("capture.json"), "an earlier one");
        assertThat(command.run("capture", "--simulate", "h200", "--keep-ids", "-o", file.toString()))
                .isZero();
        assertThat(file).hasContent("{}");
        assertThat(root).isDirectoryNotContaining("glob:**.new");
        assertThat(command.out()).isEmpty();
        assertThat(command.err()).endsWith("; identifiers are in it as they are\n");
        assertThat(command.agent().source).isEqualTo(new GpuSource.Simulated("h200", Optional.empty()));
    }

    @Test
    void captureTellsWhatItCouldNotGet() {
        command.agent().captured =
                new OneCapture.Taken("{}\n", 1, 1, List.of("gpu0 nvmlDeviceGetPowerUsage"), Optional.empty());
        assertThat(command.run("capture")).isZero();
        assertThat(command.err())
                .startsWith("gpu-agent: gpu0 nvmlDeviceGetPowerUsage did not return; no further question was asked"
                        + " there\n");

        command.agent().captured =
                new OneCapture.Taken("{}\n", 0, 1, List.of(), Optional.of("NVML_ERROR_DRIVER_NOT_LOADED"));
        assertThat(command.run("capture")).isZero();
        assertThat(command.err())
                .isEqualTo("gpu-agent: NVML cannot be initialised (NVML_ERROR_DRIVER_NOT_LOADED); the capture holds no"
                        + " more than that\n");

        assertThat(command.run("capture", "-o", root.resolve("none/c.json").toString()))
                .isEqualTo(1);
        assertThat(command.err()).contains("cannot write ").endsWith("; choose another place with -o\n");
    }

    @Test
    void serveHandsOverWhatItWasTold() throws IOException {
        Path scenario = Files.writeString(root.resolve("scenario.yaml"), "");
        assertThat(command.run(
                        "serve",
                        "--simulate",
                        "h200x8",
                        "--scenario",
                        scenario.toString(),
                        "--listen",
                        "[::1]:0",
                        "--socket",
                        "/s/a.sock",
                        "--state-dir",
                        "/s",
                        "--runtime-dir",
                        "/r"))
                .isZero();
        assertThat(command.agent().source).isEqualTo(new GpuSource.Simulated("h200x8", Optional.of(scenario)));
        assertThat(command.agent().config.metrics().listen()).isEqualTo(new ListenAddress("::1", 0));
        assertThat(command.agent().socket).isEqualTo(Path.of("/s/a.sock"));
        assertThat(command.agent().folders)
                .isEqualTo(new RuntimeFolders.Chosen(Path.of("/r"), Path.of("/s"), true, true));
    }

    @Test
    void anOptionWinsOverTheFile() throws IOException {
        usual("metrics: {listen: '0.0.0.0:1'}\napi: {socket: /file.sock}\n");
        assertThat(command.run("serve")).isZero();
        assertThat(command.agent().config.metrics().listen()).isEqualTo(new ListenAddress("0.0.0.0", 1));
        assertThat(command.agent().socket).isEqualTo(Path.of("/file.sock"));
        assertThat(command.run("serve", "--listen", "127.0.0.1:2", "--socket", "/option.sock"))
                .isZero();
        assertThat(command.agent().config.metrics().listen()).isEqualTo(new ListenAddress("127.0.0.1", 2));
        assertThat(command.agent().socket).isEqualTo(Path.of("/option.sock"));
    }

    @Test
    void aBadFileStopsAnAgentAndNotAReader() throws IOException {
        Path file = usual("log: {level: loud}\n");
        assertThat(command.run("serve")).isEqualTo(2);
        assertThat(command.err())
                .isEqualTo(file + ":1:14: log.level: there is no level \"loud\"; use error, warn, info or debug\n"
                        + "gpu-agent: " + file + " has a problem; correct it and run gpu-agent config check\n");
        assertThat(command.run("metrics")).isZero();
        assertThat(command.err())
                .isEqualTo("gpu-agent: " + file
                        + " has a problem; correct it and run gpu-agent config check; the defaults are used\n");
    }

    @Test
    void configCheckTellsWhatItFound() throws IOException {
        assertThat(command.run("config", "check")).isZero();
        assertThat(command.out()).isEqualTo("There is no " + root + "/etc/gpu-agent/config.yaml: the defaults hold.\n");
        Path file = usual("poll: {fast: 2s}\n");
        assertThat(command.run("config", "check")).isZero();
        assertThat(command.out()).isEqualTo(file + " is good.\n");
        Files.writeString(file, "a: 1\nb: 2\n");
        assertThat(command.run("config", "check", file.toString())).isEqualTo(2);
        assertThat(command.out()).isEmpty();
        assertThat(command.err().lines()).hasSize(3);
        assertThat(command.run("config", "check", "/none.yaml")).isEqualTo(2);
        assertThat(command.err()).startsWith("/none.yaml: it does not exist; name a file that does\n");
    }

    @Test
    void versionSaysWhichAgentThisIs() throws Exception {
        assertThat(command.run("version")).isZero();
        String line = command.out();
        assertThat(line).startsWith("gpu-agent ").hasLineCount(1);
        assertThat(command.run("--version")).isZero();
        assertThat(command.out()).isEqualTo(line);
        assertThat(command.run("version", "--json")).isZero();
        JsonValue json = JsonReader.read(command.out().getBytes(StandardCharsets.UTF_8));
        assertThat("gpu-agent " + json.text("agent_version").orElseThrow() + "\n")
                .isEqualTo(line);
        assertThat(json.number("version")).contains(1.0);
    }

    @Test
    void outputThatCannotBeWrittenIsAFailureUnlessItsReaderHasGone() {
        OutputStream full = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("No space left on device");
            }
        };
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Output file = Output.of(full, err);
        Output pipe = new Output(file.out(), file.err(), false, true, Screen.NONE);
        HostView host = new HostView(root, Map.of(), 0);
        LocalAgent agent = command.agent();
        assertThat(new Cli(new Surroundings(host, pipe, new ManualClock(), agent)).execute("version"))
                .isZero();
        assertThat(err.size()).isZero();
        assertThat(new Cli(new Surroundings(host, file, new ManualClock(), agent)).execute("version"))
                .isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualTo("gpu-agent: the output could not be written in full\n");
    }

    @ParameterizedTest
    @CsvSource({
        "config check X, FILE",
        "serve --config X, --config",
        "serve --runtime-dir X, --runtime-dir",
        "serve --state-dir X, --state-dir",
        "serve --socket X, --socket",
        "status --socket X, --socket"
    })
    void aPathThatTheLocaleCannotExpressIsOneSentence(String line, String name) {
        // Half of a surrogate pair has no bytes in any encoding, as a letter with an accent has none in the locale C.
        assertThat(command.run(line.replace("X", "/\uD800").split(" "))).isEqualTo(2);
        assertThat(command.err())
                .isEqualTo("gpu-agent: " + name + ": \"/?\" cannot be used under this locale; set LC_ALL=C.UTF-8\n");
    }

    @Test
    void aFolderOfTheEnvironmentThatTheLocaleCannotExpressIsOneSentence() {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        HostView host = new HostView(root, Map.of("XDG_RUNTIME_DIR", "/\uD800"), 1000);
        Output output = Output.of(OutputStream.nullOutputStream(), err);
        for (String name : List.of("status", "serve")) {
            err.reset();
            assertThat(new Cli(new Surroundings(host, output, new ManualClock(), command.agent())).execute(name))
                    .isEqualTo(2);
            assertThat(err.toString(StandardCharsets.UTF_8))
                    .isEqualTo("gpu-agent: \"XDG_RUNTIME_DIR=/?\" cannot be used under this locale;"
                            + " set LC_ALL=C.UTF-8\n");
        }
    }

    @Test
    void aLongRuntimeFolderIsNotBlamedOnTheSocket() {
        String folder = "/" + "r".repeat(99);
        assertThat(command.run("serve", "--runtime-dir", folder)).isEqualTo(2);
        assertThat(command.err())
                .startsWith("gpu-agent: --runtime-dir: ")
                .endsWith(" has 115 bytes, too many for a socket; choose a folder with a shorter path with"
                        + " --runtime-dir, or a socket with --socket\n");
        assertThat(command.run("serve", "--runtime-dir", folder, "--socket", "/s"))
                .isZero();
    }

    @Test
    void aUsualFileThatCannotBeReachedIsSaid() throws IOException {
        // Like a folder that may not be entered, and unlike that one, this stops root as well.
        Path folder = Files.createDirectories(root.resolve("etc")).resolve("gpu-agent");
        Files.createSymbolicLink(folder, folder);
        Path file = folder.resolve("config.yaml");
        assertThat(command.run("serve")).isEqualTo(2);
        assertThat(command.err()).startsWith(file + ": it cannot be read (");
        assertThat(command.run("config", "check")).isEqualTo(2);
        assertThat(command.run("metrics")).isZero();
        assertThat(command.err())
                .startsWith("gpu-agent: " + file + ": it cannot be read (")
                .endsWith("; the defaults are used\n")
                .hasLineCount(1);
    }

    @Test
    void problemsWithoutEndAreCutShort() throws IOException {
        Path file = usual("a: 1\n" + "a: 1\n".repeat(60));
        assertThat(command.run("config", "check")).isEqualTo(2);
        assertThat(command.err().lines()).hasSize(52).contains("and 11 more");
        assertThat(command.err()).endsWith(file + " has 61 problems; correct it and run gpu-agent config check\n");
    }

    private Path usual(String text) throws IOException {
        Path folder = Files.createDirectories(root.resolve("etc/gpu-agent"));
        return Files.writeString(folder.resolve("config.yaml"), text);
    }

    private static String[] arguments(String line) {
        if (line == null) {
            return new String[0];
        }
        String[] words = line.split(" +");
        for (int i = 0; i < words.length; i++) {
            words[i] = words[i].equals("''") ? "" : words[i];
        }
        return words;
    }

    @Test
    void whatAUnitRunsBehindItsStartIsTakenByItsTwoWordsAlone() {
        assertThat(MpsUnitStart.isAsked(new String[] {"mps", "unit-start"})).isTrue();
        assertThat(MpsUnitStart.isAsked(new String[] {"mps", "unit-start", "--help"}))
                .isFalse();
        assertThat(MpsUnitStart.isAsked(new String[] {"mps", "unit-stop"})).isFalse();
        assertThat(MpsUnitStart.isAsked(new String[] {})).isFalse();
    }
}
