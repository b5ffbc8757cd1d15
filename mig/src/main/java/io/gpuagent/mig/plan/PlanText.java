// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import io.gpuagent.mig.MigGpu;
import java.util.List;

/**
 * A plan as people read it: the slices before and after, the steps in their order, what stays and why, and who is
 * affected. At most 80 columns, ASCII, a line feed at the end of each line.
 */
public final class PlanText {
    private final StringBuilder text = new StringBuilder();

    private PlanText() {}

    /**
     * Writes a plan, or why there is none.
     *
     * @param outcome what the planner gave
     * @return the text
     */
    public static String of(PlanOutcome outcome) {
        PlanText page = new PlanText();
        MigGpu gpu = outcome.before();
        page.paragraph(
                "GPU " + gpu.identity().index() + ", " + gpu.model() + ": "
                        + outcome.wanted().words(),
                "");
        page.text.append('\n');
        SliceMap before = SliceMap.before(outcome);
        SliceMapText map = new SliceMapText(before.width()).row("now", before);
        switch (outcome) {
            case Plan plan -> {
                if (!plan.isNoChange()) {
                    map.row("then", SliceMap.after(plan));
                }
                page.map(map);
                page.steps(plan);
            }
            case Impossible impossible -> {
                page.map(map);
                page.paragraph(impossible.reason() + ".", "");
            }
        }
        page.section("Must stay", outcome.pins().stream().map(Pin::sentence).toList());
        if (outcome instanceof Plan plan) {
            page.section(
                    "Affected", plan.affected().stream().map(Affected::sentence).toList());
        }
        return page.text.toString();
    }

    /**
     * Writes a GPU as it is: the map of its slices, and what must stay.
     *
     * @param gpu the GPU
     * @param rules what counts as a reason to stay
     * @return the text
     */
    public static String of(MigGpu gpu, PinRules rules) {
        PlanText page = new PlanText();
        SliceMap now = SliceMap.of(gpu, rules);
        page.map(new SliceMapText(now.width()).row("now", now));
        List<String> pins = gpu.instances().stream()
                .flatMap(instance -> rules.pins(instance).stream())
                .map(Pin::sentence)
                .toList();
        page.section("Must stay", pins);
        return page.text.toString();
    }

    private void map(SliceMapText map) {
        text.append(map.text());
        if (!map.legend().isEmpty()) {
            paragraph("      " + String.join(", ", map.legend()), "      ");
        }
        text.append('\n');
    }

    private void steps(Plan plan) {
        if (plan.isNoChange()) {
            paragraph("Nothing to do: the GPU has what is wanted.", "");
        } else {
            text.append("Steps\n");
            int digits = String.valueOf(plan.steps().size()).length();
            for (int i = 0; i < plan.steps().size(); i++) {
                String number = String.valueOf(i + 1);
                String indent = " ".repeat(digits + 4);
                paragraph(
                        "  " + " ".repeat(digits - number.length()) + number + "  "
                                + plan.steps().get(i).words(),
                        indent);
            }
        }
    }

    private void section(String title, List<String> sentences) {
        if (!sentences.isEmpty()) {
            text.append(title).append('\n');
            sentences.forEach(sentence -> paragraph("  " + sentence, "    "));
        }
    }

    /** Breaks at blanks; a word that is longer than a line stands alone, cut into lines. */
    private void paragraph(String sentence, String indent) {
        String rest = sentence;
        while (rest.length() > SliceMapText.WIDTH) {
            int blank = rest.lastIndexOf(' ', SliceMapText.WIDTH);
            boolean isInIndent = blank <= 0 || rest.substring(0, blank).isBlank();
            int end = isInIndent ? SliceMapText.WIDTH : blank;
            text.append(rest, 0, end).append('\n');
            rest = indent + rest.substring(isInIndent ? end : end + 1);
        }
        text.append(rest).append('\n');
    }
}
