// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.layout;

import io.gpuagent.agent.config.BadValueException;
import io.gpuagent.agent.config.KeyAdvice;
import io.gpuagent.agent.config.Problems;
import io.gpuagent.agent.config.Quoted;
import io.gpuagent.agent.config.YamlSection;
import io.gpuagent.agent.config.YamlText;
import io.gpuagent.model.layout.Layout;
import io.gpuagent.model.layout.LayoutForm;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Reads the text of a layout file: {@code version: 1} is gpu-agent's own form, {@code version: v1} mig-parted's
 * (github.com/NVIDIA/mig-parted, examples/config.yaml).
 */
public final class LayoutText {
    private static final KeyAdvice ADVICE = new KeyAdvice(List.of(
            "version",
            "gpus",
            "mps-groups",
            "match.index",
            "match.uuid",
            "match.pci",
            "match.model",
            "gpus.match",
            "gpus.keep",
            "gpus.mig-mode",
            "gpus.mig",
            "mig.profile",
            "mig.start",
            "mig.count",
            "mig.compute",
            "mps.threads",
            "mps.memory",
            "mps.priority",
            "mps.multi-user",
            "mps.exclusive-process"));

    private LayoutText() {}

    /**
     * Reads a layout.
     *
     * @param file the file as the user named it, for messages
     * @param text what it holds
     * @param config which of mig-parted's configurations; empty where none was named
     * @return the layout
     * @throws LayoutException when anything in it is wrong; it lists everything
     */
    public static Layout read(String file, String text, Optional<String> config) throws LayoutException {
        Problems problems = new Problems(file);
        Node node = YamlText.compose(text, problems);
        Layout layout = new Layout(LayoutForm.OWN, List.of(), List.of());
        if (problems.sorted().isEmpty()) {
            layout = read(node, config, problems);
        }
        if (!problems.sorted().isEmpty()) {
            throw new LayoutException(file, problems.sorted());
        }
        return layout;
    }

    private static Layout read(@Nullable Node node, Optional<String> config, Problems problems) {
        YamlSection root = YamlSection.root(node, problems, ADVICE);
        boolean hasVersion = root.has("version");
        Optional<LayoutForm> form = root.value("version", LayoutText::form);
        if (!hasVersion) {
            form = Optional.of(root.has("mig-configs") ? LayoutForm.MIG_PARTED : LayoutForm.OWN);
            root.wrong(
                    "",
                    "has no version",
                    form.get() == LayoutForm.OWN ? "begin it with version: 1" : "begin it with version: v1");
        }
        if (form.isEmpty()) {
            return new Layout(LayoutForm.OWN, List.of(), List.of());
        }
        if (form.get() == LayoutForm.MIG_PARTED) {
            return MigPartedReader.read(root, config);
        }
        config.ifPresent(name -> root.wrong(
                "version",
                "is 1, which has no configuration " + Quoted.of(name),
                "leave --config out; it chooses one of mig-parted's files"));
        return OwnReader.read(root);
    }

    private static LayoutForm form(String text) throws BadValueException {
        return switch (text) {
            case "1" -> LayoutForm.OWN;
            case "v1" -> LayoutForm.MIG_PARTED;
            default ->
                throw new BadValueException(
                        "there is no version " + Quoted.of(text),
                        "write 1 for a layout of gpu-agent, v1 for a file of mig-parted");
        };
    }
}
