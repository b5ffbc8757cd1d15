// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mig;

import io.gpuagent.mig.plan.PlanText;
import java.util.ArrayList;
import java.util.List;

/** A plan of the node as people read it: GPU by GPU, at most 80 columns. */
final class PlanPage {
    private static final int WIDTH = 80;

    private PlanPage() {}

    static String of(MigPlan plan) {
        List<String> blocks = new ArrayList<>();
        plan.gpus().forEach(gpu -> blocks.add(block(gpu)));
        StringBuilder notes = new StringBuilder();
        plan.notes().forEach(note -> notes.append(wrapped("Note: " + note, "  ")));
        if (!notes.isEmpty()) {
            blocks.add(notes.toString());
        }
        if (plan.gpus().isEmpty()) {
            blocks.addFirst("No GPU of this node is named: nothing to do.\n");
        }
        return String.join("\n", blocks);
    }

    private static String block(GpuPlan plan) {
        StringBuilder text = new StringBuilder();
        String name = "GPU " + plan.gpu().index() + (plan.model().isEmpty() ? "" : ", " + plan.model());
        if (plan.layout().isPresent()) {
            plan.mode()
                    .filter(on -> on)
                    .ifPresent(_ -> text.append(wrapped(name + ": MIG mode is turned on first.", "")));
            text.append(PlanText.of(plan.layout().get()));
            plan.mode().filter(on -> !on).ifPresent(_ -> text.append(wrapped("Then MIG mode is turned off.", "")));
        } else if (plan.obstacle().isPresent()) {
            text.append(wrapped(name + ": " + plan.obstacle().get() + ".", ""));
        } else if (plan.kept()) {
            text.append(wrapped(name + ": left as it is.", ""));
        } else if (plan.mode().isPresent()) {
            text.append(wrapped(name + ": MIG mode is turned " + (plan.mode().get() ? "on." : "off."), ""));
        } else {
            text.append(wrapped(name + ": nothing to do.", ""));
        }
        plan.notes().forEach(note -> text.append(wrapped("Note: " + note, "  ")));
        return text.toString();
    }

    private static String wrapped(String sentence, String indent) {
        StringBuilder text = new StringBuilder();
        StringBuilder line = new StringBuilder();
        for (String word : sentence.split(" ", -1)) {
            if (!line.isEmpty() && line.length() + 1 + word.length() > WIDTH) {
                text.append(line).append('\n');
                line = new StringBuilder(indent);
                line.append(word);
            } else {
                line.append(line.isEmpty() ? "" : " ").append(word);
            }
        }
        return text.append(line).append('\n').toString();
    }
}
