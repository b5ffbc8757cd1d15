// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.layout;

import io.gpuagent.agent.api.GpuName;
import io.gpuagent.agent.config.BadValueException;
import io.gpuagent.agent.config.Quoted;
import io.gpuagent.agent.config.YamlSection;
import io.gpuagent.model.PciAddress;
import io.gpuagent.model.layout.GpuMatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads which GPUs an entry is about. */
final class MatchReader {
    private static final Pattern UUID = Pattern.compile("(?i)GPU-[0-9a-f-]{1,36}");
    private static final int MOST_GPUS = 64;
    private static final String RIGHT =
            "write one of {index: 0}, {uuid: GPU-...}, {pci: \"3b:00.0\"} and {model: \"*H200*\"}";
    /** Stands where no match could be read, so that the rest of the entry is still checked. */
    private static final GpuMatch NOTHING = new GpuMatch.Model("");

    private MatchReader() {}

    static GpuMatch of(YamlSection entry) {
        if (!entry.has("match")) {
            entry.wrong("", "has no match", RIGHT);
            return NOTHING;
        }
        YamlSection section = entry.section("match");
        List<GpuMatch> read = new ArrayList<>();
        section.value("index", Values.whole(0, MOST_GPUS - 1))
                .map(GpuMatch.Index::new)
                .ifPresent(read::add);
        section.value("uuid", MatchReader::uuid).map(GpuMatch.Uuid::new).ifPresent(read::add);
        section.value("pci", MatchReader::pci).map(GpuMatch.Pci::new).ifPresent(read::add);
        section.value("model", Values::word).map(GpuMatch.Model::new).ifPresent(read::add);
        section.finish();
        long given = List.of("index", "uuid", "pci", "model").stream()
                .filter(section::has)
                .count();
        if (given == 0) {
            entry.wrong("match", "names no GPU", RIGHT);
        } else if (given > 1) {
            entry.wrong("match", "names GPUs in " + given + " ways", "keep one of them");
        }
        return read.isEmpty() ? NOTHING : read.getFirst();
    }

    private static String uuid(String text) throws BadValueException {
        if (!UUID.matcher(text).matches()) {
            throw new BadValueException(
                    Quoted.of(text) + " is no UUID of a GPU", "write it as nvidia-smi -L does, or its beginning");
        }
        return text;
    }

    private static PciAddress pci(String text) throws BadValueException {
        Optional<PciAddress> address = GpuName.pciAddress(text);
        return address.orElseThrow(() -> new BadValueException(
                Quoted.of(text) + " is no PCI bus id", "write it as \"00000000:3B:00.0\" or \"3b:00.0\""));
    }
}
