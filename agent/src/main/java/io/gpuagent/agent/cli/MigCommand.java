// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What can be done with MIG on one GPU, beside layouts. */
@Command(
        name = "mig",
        header = "Shows how GPUs are cut up, and who uses which piece; MIG mode, repairs.",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "From a whole GPU to four pieces, and back:",
            "  gpu-agent mig enable 0",
            "  gpu-agent repartition 0 3g.71gb 2g.35gb 1g.18gb 1g.18gb",
            "  gpu-agent mig list 0           the map, and the UUIDs for CUDA_VISIBLE_DEVICES",
            "  gpu-agent mig holders 0        who uses which instance",
            "  gpu-agent mig rollback 0       the layout before the last change",
            "",
            "Instances that others made are shown as foreign and left alone until they are",
            "adopted. gpu-agent plan --help tells of layout files."
        })
final class MigCommand implements Runnable {
    @Spec
    CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }
}
