// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.log;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Makes events out of lines. A fault is told in several lines, so this keeps a little between them: one for each log
 * file, used by one thread.
 *
 * <pre>
 * Volta MPS: The following devices
 * 0
 * Volta MPS: The following clients have a sticky error set:
 * 11641
 * </pre>
 */
public final class LogEvents {
    // A GPU has at most 60 client contexts; a log that lists more is none.
    private static final int MOST_LISTED = 4096;
    private static final String DEVICES = "The following devices";
    private static final String CLIENTS = "clients have a sticky error set:";

    private Optional<FaultList> open = Optional.empty();

    private static final class FaultList {
        final long server;
        final List<Integer> devices = new ArrayList<>();
        final List<Long> clients = new ArrayList<>();
        boolean inClients;

        FaultList(long server) {
            this.server = server;
        }

        MpsEvent event() {
            return new MpsEvent.GpuFault(server, devices, clients);
        }
    }

    /**
     * Reads the next line.
     *
     * @param line the line
     * @return its events; none for a line that only continues a list, two where it ends one
     */
    public List<MpsEvent> read(LogLine line) {
        List<MpsEvent> events = new ArrayList<>(2);
        String message = MessageGrammar.bare(line).strip();
        if (open.isPresent() && belongs(open.get(), line) && !continues(open.get(), message)) {
            events.add(open.get().event());
            open = Optional.empty();
        }
        if (open.isPresent() && belongs(open.get(), line)) {
            return events;
        }
        if (message.startsWith(DEVICES)) {
            FaultList list = new FaultList(line.pid());
            addNumbers(list, message.substring(DEVICES.length()));
            open = Optional.of(list);
            return events;
        }
        events.add(MessageGrammar.event(line));
        return events;
    }

    /**
     * Nothing more was written for now, so that a list at the end of the log is taken for whole.
     *
     * @return the fault that was still open
     */
    public Optional<MpsEvent> idle() {
        Optional<MpsEvent> fault = open.map(FaultList::event);
        open = Optional.empty();
        return fault;
    }

    /** Other servers write into the same file; a line without a header may be part of a list. */
    private static boolean belongs(FaultList list, LogLine line) {
        return line.source() == LogLine.Source.NONE || line.pid() == list.server;
    }

    private static boolean continues(FaultList list, String message) {
        int clients = message.indexOf(CLIENTS);
        if (clients >= 0) {
            list.inClients = true;
            addNumbers(list, message.substring(clients + CLIENTS.length()));
            return true;
        }
        return addNumbers(list, message);
    }

    /** Whether the text was nothing but numbers. */
    private static boolean addNumbers(FaultList list, String text) {
        List<String> numbers = Stream.of(text.split("[\\s,:]+", -1))
                .filter(word -> !word.isEmpty())
                .toList();
        // Ten digits are more than any pid has.
        if (!numbers.stream().allMatch(word -> word.matches("\\d{1,10}"))) {
            return false;
        }
        for (String number : numbers) {
            if (list.devices.size() + list.clients.size() == MOST_LISTED) {
                break;
            }
            if (list.inClients) {
                list.clients.add(Long.valueOf(number));
            } else {
                list.devices.add((int) Math.min(Long.parseLong(number), Integer.MAX_VALUE));
            }
        }
        return true;
    }
}
