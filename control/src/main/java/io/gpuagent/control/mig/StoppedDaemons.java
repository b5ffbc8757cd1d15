// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.mig;

import io.gpuagent.mig.ComputeInstance;
import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.MigException;
import io.gpuagent.mig.Placement;
import io.gpuagent.mig.apply.Disk;
import io.gpuagent.mig.read.MigDeviceFacts;
import io.gpuagent.mig.read.MigFacts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The MPS daemons that were stopped for a change of one GPU and are to be started again, in a file, so that a crash in
 * between does not lose them. Where their instance lies names them: its UUID may be another one afterwards.
 *
 * @param file the file; a line for each
 * @param disk how it is written
 */
record StoppedDaemons(Path file, Disk disk) {
    private static final Pattern LINE =
            Pattern.compile("([a-z0-9][a-z0-9-]{0,31}) ([0-9]{1,4})\\+([0-9]{1,4}) (-?[0-9]{1,4})");
    private static final int UNKNOWN = -1;

    /**
     * A daemon that was stopped.
     *
     * @param id its id
     * @param place where its GPU instance lies
     * @param computeStart the first slice of its compute instance; -1 where the driver does not tell
     */
    record Stopped(String id, Placement place, int computeStart) {
        static Stopped of(String id, GpuInstance instance, ComputeInstance compute) {
            return new Stopped(id, instance.placement(), start(compute));
        }

        private static int start(ComputeInstance compute) {
            return compute.placement().map(Placement::start).orElse(UNKNOWN);
        }

        /** The device that lies there now. */
        Optional<String> device(MigFacts now) {
            for (GpuInstance instance : now.gpu().instances()) {
                for (ComputeInstance compute : instance.computes()) {
                    boolean isIt = instance.placement().equals(place) && start(compute) == computeStart;
                    Optional<String> uuid = now.devicesOf(instance.id()).stream()
                            .filter(device -> device.computeInstance() == compute.id())
                            .map(MigDeviceFacts::uuid)
                            .findFirst();
                    if (isIt && uuid.isPresent()) {
                        return uuid;
                    }
                }
            }
            return Optional.empty();
        }
    }

    /** All; a line that is none of ours is passed over. */
    List<Stopped> read() throws MigException {
        try {
            String text = disk.read(file)
                    .map(bytes -> new String(bytes, StandardCharsets.US_ASCII))
                    .orElse("");
            return text.lines()
                    .map(LINE::matcher)
                    .filter(Matcher::matches)
                    .map(line -> new Stopped(
                            line.group(1),
                            new Placement(Integer.parseInt(line.group(2)), Integer.parseInt(line.group(3))),
                            Integer.parseInt(line.group(4))))
                    .toList();
        } catch (IOException | IllegalArgumentException e) {
            throw failed("read", e);
        }
    }

    void add(List<Stopped> more) throws MigException {
        List<Stopped> all = new ArrayList<>(read());
        more.stream()
                .filter(each -> all.stream().noneMatch(known -> known.id().equals(each.id())))
                .forEach(all::add);
        write(all);
    }

    void write(List<Stopped> all) throws MigException {
        StringBuilder text = new StringBuilder();
        for (Stopped each : all) {
            text.append(each.id())
                    .append(' ')
                    .append(each.place().start())
                    .append('+')
                    .append(each.place().size())
                    .append(' ')
                    .append(each.computeStart())
                    .append('\n');
        }
        try {
            disk.replace(file, text.toString().getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw failed("written", e);
        }
    }

    private MigException failed(String what, Exception e) {
        return new MigException(
                MigException.Cause.STORAGE,
                "which MPS daemons were stopped for a change cannot be " + what + " (" + file + "): " + e.getMessage());
    }
}
