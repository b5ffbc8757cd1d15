// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.helper;

import io.gpuagent.control.Answer;
import io.gpuagent.control.Caller;
import io.gpuagent.control.ControlPort;
import io.gpuagent.control.MigRequest;
import io.gpuagent.control.Outcome;
import io.gpuagent.control.direct.Requester;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * Main class of {@code gpu-agent-restore.service}: makes the MIG layouts again that a boot has taken, of all GPUs at a
 * time. It never waits longer than {@link MigRequest.Restore#deadline()} for one that does not answer, and then ends
 * whatever the driver does. Exit status 1 says that some GPU could not be brought back; nothing waits for it.
 */
public final class RestoreMain {
    private static final System.Logger LOG = System.getLogger(RestoreMain.class.getName());
    private static final Requester BOOT = new Requester("boot", Optional.of(0L), Optional.empty());
    private static final int FAILED = 1;
    private static final int WRONG_USAGE = 2;

    private RestoreMain() {}

    /**
     * Makes the layouts again.
     *
     * @param arguments see {@link HelperOptions}
     */
    public static void main(String[] arguments) {
        int status = run(List.of(arguments), RealPort::open);
        // A thread that hangs in the driver would hold this process, and the boot with it.
        Runtime.getRuntime().halt(status);
    }

    static int run(List<String> arguments, BiFunction<HelperOptions, Requester, ControlPort> ports) {
        HelperOptions options;
        List<MigRequest.Restore> requests;
        try {
            options = HelperOptions.parse(arguments);
            requests = requests(options.folders().layouts());
        } catch (IllegalArgumentException | IOException e) {
            LOG.log(System.Logger.Level.ERROR, String.valueOf(e.getMessage()));
            return WRONG_USAGE;
        }
        if (requests.isEmpty()) {
            return 0;
        }
        ControlPort port = ports.apply(options, BOOT);
        List<CompletableFuture<Boolean>> answers = new ArrayList<>();
        for (MigRequest.Restore request : requests) {
            CompletableFuture<Boolean> answer = new CompletableFuture<>();
            answers.add(answer);
            Thread.ofPlatform().daemon().name("restore").start(() -> answer.complete(isDone(port, request)));
        }
        boolean allDone = true;
        for (CompletableFuture<Boolean> answer : answers) {
            allDone &= answer.join();
        }
        return allDone ? 0 : FAILED;
    }

    /** One for each GPU that something is written down about. */
    private static List<MigRequest.Restore> requests(Path layouts) throws IOException {
        List<MigRequest.Restore> requests = new ArrayList<>();
        try (Stream<Path> folders = Files.list(layouts)) {
            for (Path folder : folders.sorted().toList()) {
                try {
                    requests.add(new MigRequest.Restore(folder.getFileName().toString()));
                } catch (IllegalArgumentException noGpu) {
                    LOG.log(System.Logger.Level.WARNING, folder + " is passed over: " + noGpu.getMessage());
                }
            }
        } catch (NoSuchFileException nothing) {
            return List.of();
        }
        return requests;
    }

    private static boolean isDone(ControlPort port, MigRequest.Restore request) {
        Answer answer = port.perform(request, Caller.silent());
        return switch (answer) {
            case Answer.Done(Outcome.Changed changed) -> {
                String lines = String.join("; ", changed.lines());
                LOG.log(
                        System.Logger.Level.INFO,
                        request.gpu() + ": "
                                + (changed.after().isEmpty()
                                        ? lines
                                        : "made again: " + changed.after() + (lines.isEmpty() ? "" : "; " + lines)));
                yield true;
            }
            case Answer.Done _ -> true;
            case Answer.Refused refused -> {
                LOG.log(System.Logger.Level.ERROR, request.gpu() + ": " + refused.sentence());
                yield false;
            }
        };
    }
}
