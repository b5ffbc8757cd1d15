// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.catalogue;

import io.gpuagent.health.line.KernelLine.SxidWord;
import io.gpuagent.health.line.XidMessage;
import io.gpuagent.model.health.ClearsOn;
import io.gpuagent.model.health.HealthAction;
import io.gpuagent.model.health.HealthState;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;

/** The tables of Xids and SXids. */
public final class XidCatalogue {
    private static final XidCatalogue BUILT_IN = new XidCatalogue(
            Table.read("xids.tsv"), Table.read("sxids.tsv"), new NvlinkRules(Table.read("nvlink5.tsv")));

    private final String version;
    private final Map<Integer, XidMeaning> xids = new HashMap<>();
    private final Map<Integer, HealthState> sxids = new HashMap<>();
    private final NvlinkRules nvlink;

    private XidCatalogue(Table xidTable, Table sxidTable, NvlinkRules nvlink) {
        this.version = xidTable.version();
        this.nvlink = nvlink;
        for (String[] row : xidTable.rows()) {
            XidMeaning meaning = meaning(row);
            Table.forEachCode(row[0], code -> {
                if (xids.put(code, meaning) != null) {
                    throw new IllegalStateException("Xid " + code + " stands in the table twice");
                }
            });
        }
        for (String[] row : sxidTable.rows()) {
            Table.forEachCode(row[0], code -> sxids.put(code, state(row[1])));
        }
    }

    private static XidMeaning meaning(String[] row) {
        List<String> marks = Arrays.asList(row[5].split(",", -1));
        return new XidMeaning(
                XidMeaning.Kind.valueOf(row[1]),
                state(row[2]),
                HealthAction.valueOf(row[3].toUpperCase(Locale.ROOT)),
                ClearsOn.valueOf(row[4].toUpperCase(Locale.ROOT)),
                marks.contains("asks"),
                marks.contains("app"),
                marks.contains("unheld"),
                mark(marks, "attach=")
                        .map(Integer::parseInt)
                        .map(OptionalInt::of)
                        .orElse(OptionalInt.empty()),
                mark(marks, "engine="),
                row[6]);
    }

    private static Optional<String> mark(List<String> marks, String name) {
        return marks.stream()
                .filter(mark -> mark.startsWith(name))
                .findFirst()
                .map(mark -> mark.substring(name.length()));
    }

    private static HealthState state(String word) {
        return HealthState.valueOf(word.toUpperCase(Locale.ROOT));
    }

    /**
     * The tables that came with this version.
     *
     * @return the catalogue
     */
    public static XidCatalogue builtIn() {
        return BUILT_IN;
    }

    /**
     * The version of the table of Xids.
     *
     * @return for example {@code 2026.12.1}
     */
    public String version() {
        return version;
    }

    /**
     * What an Xid means.
     *
     * @param code the Xid
     * @return its row; {@link XidMeaning#UNKNOWN} where it has none
     */
    public XidMeaning xid(int code) {
        return xids.getOrDefault(code, XidMeaning.UNKNOWN);
    }

    /**
     * The codes that have a row.
     *
     * @return in ascending order
     */
    public NavigableSet<Integer> codes() {
        return new TreeSet<>(xids.keySet());
    }

    /**
     * How bad an error of an NVSwitch is. The word in its line is believed before any table.
     *
     * @param code the SXid
     * @param word the word, where the line has one
     * @return the state; {@link HealthState#WARN} for a code that is not known
     */
    public HealthState sxid(int code, Optional<SxidWord> word) {
        if (word.isEmpty()) {
            return sxids.getOrDefault(code, HealthState.WARN);
        }
        return switch (word.get()) {
            case FATAL -> HealthState.CRITICAL;
            case NON_FATAL -> HealthState.WARN;
            case CORRECTABLE -> HealthState.OK;
        };
    }

    /**
     * What an Xid means with what its message says.
     *
     * @param code the Xid
     * @param message its message
     * @param driver the driver's version, where it is known: it decides how a register of NVLink is laid out
     * @return its row, with the state and action that follow from the message
     */
    public XidMeaning xid(int code, XidMessage message, Optional<String> driver) {
        XidMeaning row = xid(code);
        return message instanceof XidMessage.Nvlink link ? nvlink.meaning(row, code, link, driver) : row;
    }
}
