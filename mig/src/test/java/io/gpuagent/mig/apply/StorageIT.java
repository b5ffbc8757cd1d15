// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.mig.Ownership;
import io.gpuagent.mig.plan.Plan;
import io.gpuagent.nvml.CallObserver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Disks that are full, and files that are damaged. */
class StorageIT {
    @TempDir
    Path folder;

    /** Takes a number of writes; then it is full. */
    private static final class FullDisk implements Disk {
        private int left;

        FullDisk(int writes) {
            left = writes;
        }

        private void take() throws IOException {
            if (left-- <= 0) {
                throw new IOException("No space left on device");
            }
        }

        @Override
        public Slab slab(Path file, int size) throws IOException {
            take();
            Slab real = Disk.REAL.slab(file, size);
            return new Slab() {
                @Override
                public byte[] read() throws IOException {
                    return real.read();
                }

                @Override
                public void write(int offset, byte[] bytes) throws IOException {
                    take();
                    real.write(offset, bytes);
                }

                @Override
                public void close() throws IOException {
                    real.close();
                }
            };
        }

        @Override
        public Optional<byte[]> read(Path file) throws IOException {
            return Disk.REAL.read(file);
        }

        @Override
        public void replace(Path file, byte[] content) throws IOException {
            take();
            Disk.REAL.replace(file, content);
        }
    }

    @Test
    void withoutAJournalNothingIsChangedAndWhateverFillsUpLaterTheEndIsRight() throws Exception {
        MigRig rig = new MigRig("h200", folder.resolve("gpu"));
        CrashScene scene = new CrashScene(rig);
        List<String> outcomes = new ArrayList<>();
        for (int writes = 0; writes < 30; writes++) {
            scene.set();
            Plan plan = scene.plan();
            FullDisk disk = new FullDisk(writes);
            ApplyResult result = rig.executor(CallObserver.NONE, disk).apply(plan, Progress.NONE, () -> false);
            outcomes.add(result.getClass().getSimpleName());
            if (result instanceof ApplyResult.Refused refused) {
                assertThat(refused.why()).contains("No space left on device");
                assertThat(rig.changes()).as("%d writes", writes).isEmpty();
            }
            // There is room again.
            rig.executor().recover(Progress.NONE);
            scene.isWanted("a disk for " + writes + " writes");
        }
        System.out.println("disks for 0 to 29 writes: " + outcomes);
        assertThat(outcomes)
                .startsWith("Refused", "Refused", "Refused", "LeftAsItIs")
                .endsWith("Done", "Done");
    }

    @Test
    @EnabledIfSystemProperty(named = "gpuagent.full", matches = "true")
    void aRealDiskThatIsFullChangesNothing() throws Exception {
        Path disk = Files.createDirectory(folder.resolve("disk"));
        run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk.toString());
        try {
            MigRig rig = MigRig.with("h200", folder.resolve("gpu"));
            Plan plan = rig.plan("3g.71gb");
            MigRig full = new MigRig(rig.driver, disk.resolve("gpu"));

            ApplyResult result = full.executor().apply(plan, Progress.NONE, () -> false);

            assertThat(result)
                    .isInstanceOfSatisfying(
                            ApplyResult.Refused.class,
                            refused -> assertThat(refused.why()).contains("so nothing is changed"));
            assertThat(rig.changes()).isEmpty();
        } finally {
            run("umount", disk.toString());
        }
    }

    private static void run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).inheritIO().start();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(String.join(" ", command)).isZero();
    }

    @Test
    void aDamagedFileOfOwnersMakesEverythingForeign() throws Exception {
        MigRig rig = MigRig.with("h200", folder, "1g.18gb@0");
        rig.adopt("1g.18gb@0");
        Path file = folder.resolve("ownership");
        byte[] content = Files.readAllBytes(file);
        content[content.length / 2] ^= 1;
        Files.write(file, content);

        assertThat(rig.executor().read().gpu().instances().getFirst().ownership())
                .isEqualTo(Ownership.FOREIGN);
        assertThat(MigOwnership.read(Disk.REAL, file, rig.identity().uuid()).problem())
                .get()
                .asString()
                .startsWith("which MIG instances are gpu-agent's cannot be read from " + file)
                .endsWith("so none is taken for its own; adopt those that are");
        rig.adopt("1g.18gb@0");
        assertThat(rig.executor().read().gpu().instances().getFirst().ownership())
                .isEqualTo(Ownership.OWN);
    }

    @Test
    void anInstanceThatComesWhereOneOfOursWasSeenToBeGoneIsForeign() throws Exception {
        MigRig rig = MigRig.with("h200", folder, "1g.18gb@0", "1g.18gb@1");
        rig.adopt("1g.18gb@0", "1g.18gb@1");
        rig.mig().destroy(rig.id("1g.18gb@0"));
        assertThat(rig.apply("1g.18gb")).as("a look").isInstanceOf(ApplyResult.Done.class);

        rig.cut("1g.18gb@0");

        assertThat(rig.executor().read().gpu().instances())
                .extracting(instance -> instance.ownership())
                .containsExactly(Ownership.FOREIGN, Ownership.OWN);
    }
}
