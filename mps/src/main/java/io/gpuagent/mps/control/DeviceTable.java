// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.control;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One table of {@code device_query}: what new servers or one server can use.
 *
 * @param server the server's pid; empty for what new servers get
 * @param devices its devices
 */
public record DeviceTable(OptionalLong server, List<Device> devices) {
    private static final Pattern SERVER = Pattern.compile("Server (\\d{1,10})");
    private static final List<String> TITLES = List.of("Device Ordinal", "PCI IDs", "UUID", "Name", "Attributes");

    /** Takes a copy. */
    public DeviceTable {
        devices = List.copyOf(devices);
    }

    /**
     * One device.
     *
     * @param ordinal its number, which limits of memory are set by
     * @param pciId its PCI id in the daemon's spelling, for example {@code 0000:00.06.00}
     * @param uuid its UUID
     * @param name its name
     * @param attributes {@code N/A} on what was captured
     */
    public record Device(int ordinal, String pciId, String uuid, String name, String attributes) {}

    static List<DeviceTable> parse(String output) {
        List<DeviceTable> tables = new ArrayList<>();
        FixedColumns columns = null;
        for (String line : output.lines().filter(l -> !l.isBlank()).toList()) {
            Matcher server = SERVER.matcher(line.strip());
            if (line.strip().equals("Default")) {
                tables.add(new DeviceTable(OptionalLong.empty(), List.of()));
            } else if (server.matches()) {
                tables.add(new DeviceTable(OptionalLong.of(Long.parseLong(server.group(1))), List.of()));
            } else if (line.startsWith(TITLES.getFirst())) {
                columns = new FixedColumns(line, TITLES);
            } else if (columns == null || tables.isEmpty()) {
                throw new IllegalArgumentException(line);
            } else {
                DeviceTable last = tables.removeLast();
                List<Device> devices = new ArrayList<>(last.devices);
                devices.add(new Device(
                        Math.toIntExact(columns.number(line, 0)),
                        columns.cell(line, 1),
                        columns.cell(line, 2),
                        columns.cell(line, 3),
                        columns.cell(line, 4)));
                tables.add(new DeviceTable(last.server, devices));
            }
        }
        return List.copyOf(tables);
    }
}
