// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.config.AgentException;
import io.gpuagent.agent.config.BadValueException;
import io.gpuagent.agent.config.ConfigException;
import io.gpuagent.agent.config.PathText;
import io.gpuagent.agent.config.Quoted;
import io.gpuagent.model.UserText;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.InvalidPathException;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Runs a command line: every failure ends in one sentence on standard error and an exit code of the contract. */
public final class Cli {
    private final Surroundings surroundings;

    Cli(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    /**
     * Runs a command of this process.
     *
     * @param arguments the command line
     * @return the exit code
     */
    public static int run(String[] arguments) {
        return new Cli(Surroundings.real()).execute(arguments);
    }

    int execute(String... arguments) {
        Output output = surroundings.output();
        int code = commandLine().execute(arguments);
        output.out().flush();
        output.err().flush();
        if (code == 0 && output.out().checkError()) {
            if (output.pipe()) {
                // A reader such as head had enough; it lacks nothing.
                return 0;
            }
            output.sentence("the output could not be written in full");
            return AgentException.FAILED;
        }
        return code;
    }

    private CommandLine commandLine() {
        Output output = surroundings.output();
        CommandLine command = new CommandLine(new GpuAgentCommand())
                .addSubcommand(new ServeCommand(surroundings))
                .addSubcommand(new StatusCommand(surroundings))
                .addSubcommand(new MetricsCommand(surroundings))
                .addSubcommand(new CaptureCommand(surroundings))
                .addSubcommand(new HealthCommand(surroundings))
                .addSubcommand(new EventsCommand(surroundings))
                .addSubcommand(new AckCommand(surroundings))
                .addSubcommand(new ReleaseCommand(surroundings))
                .addSubcommand(new CommandLine(new MpsCommand())
                        .addSubcommand(new MpsListCommand(surroundings))
                        .addSubcommand(new MpsStartCommand(surroundings))
                        .addSubcommand(new MpsStopCommand(surroundings))
                        .addSubcommand(new MpsSetCommand(surroundings))
                        .addSubcommand(new MpsEnvCommand(surroundings))
                        .addSubcommand(new MpsClientsCommand(surroundings))
                        .addSubcommand(new MpsTerminateCommand(surroundings))
                        .addSubcommand(new MpsResumeCommand(surroundings))
                        .addSubcommand(new MpsUnitStopCommand(surroundings)))
                .addSubcommand(new PlanCommand(surroundings))
                .addSubcommand(new ApplyCommand(surroundings))
                .addSubcommand(new ExportCommand(surroundings))
                .addSubcommand(new RepartitionCommand(surroundings))
                .addSubcommand(new CommandLine(new MigCommand())
                        .addSubcommand(new MigListCommand(surroundings))
                        .addSubcommand(new MigEnableCommand(surroundings))
                        .addSubcommand(new MigDisableCommand(surroundings))
                        .addSubcommand(new MigHoldersCommand(surroundings))
                        .addSubcommand(new MigHistoryCommand(surroundings))
                        .addSubcommand(new MigRollbackCommand(surroundings))
                        .addSubcommand(new MigRepairCommand(surroundings))
                        .addSubcommand(new MigAdoptCommand(surroundings))
                        .addSubcommand(new MigWatchCommand(surroundings))
                        .addSubcommand(new MigCancelCommand(surroundings)))
                .addSubcommand(new CommandLine(new ConfigCommand()).addSubcommand(new ConfigCheckCommand(surroundings)))
                .addSubcommand(new VersionCommand(surroundings));
        return command.setOut(writer(output.out()))
                .setErr(writer(output.err()))
                .setColorScheme(Help.defaultColorScheme(output.colours() ? Help.Ansi.ON : Help.Ansi.OFF))
                // "@file" is a file of further arguments to picocli; to a user it is a strange file name.
                .setExpandAtFiles(false)
                .setUsageHelpAutoWidth(false)
                .setParameterExceptionHandler((e, _) -> wrongUsage(e))
                .setExecutionExceptionHandler((e, _, _) -> failed(e));
    }

    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(new OutputStreamWriter(stream, stream.charset()), true);
    }

    private int wrongUsage(ParameterException e) {
        String name = e.getCommandLine().getCommandSpec().qualifiedName();
        surroundings.output().sentence(sentence(e) + "; see " + name + " --help");
        return AgentException.BAD_INPUT;
    }

    private static String sentence(ParameterException e) {
        if (e instanceof UnmatchedArgumentException unmatched) {
            String argument = unmatched.getUnmatched().getFirst();
            List<String> suggestions = unmatched.getSuggestions();
            String near = suggestions.isEmpty() ? "" : "; did you mean " + suggestions.getFirst() + "?";
            boolean commands = !e.getCommandLine().getSubcommands().isEmpty();
            String kind = unmatched.isUnknownOption() ? "option" : commands ? "command" : "argument";
            return "there is no " + kind + " " + Quoted.of(argument) + near;
        }
        if (e instanceof MissingParameterException
                && !e.getCommandLine().getSubcommands().isEmpty()) {
            return "a command is missing";
        }
        String all = String.valueOf(e.getMessage());
        // Picocli puts the whole of what was written into its message.
        String value = e.getValue();
        String said = value == null || value.length() <= UserText.LONGEST
                ? all
                : all.replace(value, UserText.shortened(value));
        String message = Quoted.printable(said.lines().findFirst().orElse(""));
        return message.isEmpty()
                ? "wrong usage"
                : message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1);
    }

    private int failed(Exception e) {
        Output output = surroundings.output();
        return switch (e) {
            case ConfigException config -> {
                config.problems().forEach(problem -> output.err().println(Quoted.printable(problem.toString())));
                if (config.more() > 0) {
                    output.err().println("and " + config.more() + " more");
                }
                output.sentence(config.sentence());
                yield config.exitCode();
            }
            case AgentException known -> {
                output.sentence(known.sentence());
                yield known.exitCode();
            }
            // From the environment: whatever the command line names is checked before.
            case InvalidPathException path -> {
                BadValueException refused = PathText.refused(path);
                output.sentence(refused.what() + "; " + refused.right());
                yield AgentException.BAD_INPUT;
            }
            default -> {
                output.sentence("this is a fault of gpu-agent itself: " + e);
                e.printStackTrace(output.err());
                yield AgentException.FAILED;
            }
        };
    }
}
