// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.store;

import io.gpuagent.health.catalogue.XidCatalogue;
import io.gpuagent.health.fold.HealthFold;
import io.gpuagent.health.fold.Moment;
import io.gpuagent.health.fold.NodeFacts;
import io.gpuagent.health.fold.Observation;
import io.gpuagent.model.health.HealthSource;
import java.nio.file.Path;
import java.time.Instant;

/** A process that reads the kernel's log from its beginning and stores what follows, until it is killed. */
final class KilledStore {
    static final String BOOT = "5f8ad1a3-8a3b-4c0e-9d5e-0d2f3c4b5a69";
    /** The log: an Xid in each record, of three kinds. */
    static final int RECORDS = 1_000_000;

    private static final int SMALL_CAP = 20_000;
    private static final int[] CODES = {31, 48, 94};

    private KilledStore() {}

    static String record(int sequence) {
        return "NVRM: Xid (PCI:0000:9b:00): " + CODES[sequence % CODES.length] + ", pid=" + sequence + ", name=a, x";
    }

    static Moment now() {
        return new Moment(System.nanoTime(), Instant.now());
    }

    static HealthStore store(Path folder) {
        return new HealthStore(folder, StoreDisk.REAL, SMALL_CAP);
    }

    static NodeFacts begin(HealthFold fold, HealthStore store) {
        NodeFacts facts = store.load(now()).facts();
        return fold.after(facts, new Observation.Started(now(), BOOT));
    }

    static NodeFacts read(HealthFold fold, NodeFacts facts, int sequence) {
        return fold.after(
                facts, new Observation.KernelMessage(now(), BOOT, sequence, true, HealthSource.KMSG, record(sequence)));
    }

    /** Prints the latest record that is stored, a line each. */
    public static void main(String[] arguments) throws Exception {
        HealthFold fold = new HealthFold(XidCatalogue.builtIn());
        HealthStore store = store(Path.of(arguments[0]));
        NodeFacts facts = begin(fold, store);
        for (int sequence = 0; sequence < RECORDS; sequence++) {
            NodeFacts after = read(fold, facts, sequence);
            boolean isNew = after.revision() != facts.revision();
            facts = after;
            if (isNew && sequence % 3 == 0) {
                store.write(facts, now());
                System.out.println(sequence);
                System.out.flush();
            }
        }
    }
}
