// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.control;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The client contexts of one device ({@code get_device_client_list}). The daemon prints a PCI bus id as well; it was
 * wrong on an H200 and is left out.
 *
 * @param ordinal the device, counted from 0 in the daemon's CUDA_VISIBLE_DEVICES
 * @param name the device's name
 * @param contexts its clients' contexts
 */
public record DeviceClients(int ordinal, String name, List<Context> contexts) {
    private static final Pattern DEVICE = Pattern.compile("\\[(\\d{1,4})\\] [0-9A-Fa-f:.]+, (.+)");
    private static final Pattern CONTEXT = Pattern.compile("(\\d{1,10})\\.(\\d{1,10})");

    /** Takes a copy. */
    public DeviceClients {
        contexts = List.copyOf(contexts);
    }

    /**
     * One context.
     *
     * @param pid the client's pid
     * @param id the context's number in that client
     */
    public record Context(long pid, long id) {}

    static List<DeviceClients> parse(String output) {
        List<DeviceClients> devices = new ArrayList<>();
        for (String line :
                output.lines().map(String::strip).filter(l -> !l.isEmpty()).toList()) {
            Matcher device = DEVICE.matcher(line);
            Matcher context = CONTEXT.matcher(line);
            if (device.matches()) {
                devices.add(new DeviceClients(Integer.parseInt(device.group(1)), device.group(2), List.of()));
            } else if (context.matches() && !devices.isEmpty()) {
                DeviceClients last = devices.removeLast();
                List<Context> contexts = new ArrayList<>(last.contexts);
                contexts.add(new Context(Long.parseLong(context.group(1)), Long.parseLong(context.group(2))));
                devices.add(new DeviceClients(last.ordinal, last.name, contexts));
            } else {
                throw new IllegalArgumentException(line);
            }
        }
        return List.copyOf(devices);
    }
}
