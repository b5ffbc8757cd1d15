// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.gpuagent.agent.config.MetricsFormat;
import io.gpuagent.agent.health.HealthViews;
import io.gpuagent.agent.poll.Snapshots;
import io.gpuagent.exporters.DcgmPage;
import io.gpuagent.exporters.DcgmStyle;
import io.gpuagent.exporters.FamilyFilter;
import io.gpuagent.exporters.NativePage;
import io.gpuagent.exporters.PageFormat;
import io.gpuagent.exporters.PageSource;
import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.mps.MpsNodeView;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.zip.GZIPOutputStream;

/**
 * Rendered pages: one per snapshot generation, format and encoding, made by whoever asks first while the others wait for
 * it.
 */
public final class MetricsPages {
    /** Two generations of each format of each kind of names, plain and packed. */
    private static final int KEPT = 12;

    private final Snapshots snapshots;
    private final Supplier<Optional<MpsNodeView>> mps;
    private final HealthViews health;
    private final AgentMeters meters;
    private final FamilyFilter families;
    private final DcgmStyle dcgm;
    private final Cache<Key, Buffer> pages =
            Caffeine.newBuilder().maximumSize(KEPT).build();

    private record Key(long generation, long health, MetricsFormat names, PageFormat format, boolean gzip) {}

    /**
     * Pages of these snapshots.
     *
     * @param snapshots where the figures of GPUs come from
     * @param mps the newest view of MPS, which is there already; empty where nobody supervises it
     * @param health the verdicts
     * @param meters the agent's own, which join the native page
     * @param families which families are on the native page
     * @param dcgm how the page with DCGM's names looks
     */
    public MetricsPages(
            Snapshots snapshots,
            Supplier<Optional<MpsNodeView>> mps,
            HealthViews health,
            AgentMeters meters,
            FamilyFilter families,
            DcgmStyle dcgm) {
        this.snapshots = snapshots;
        this.mps = mps;
        this.health = health;
        this.meters = meters;
        this.families = families;
        this.dcgm = dcgm;
    }

    /**
     * The page now.
     *
     * @param names which names its series have
     * @param format how it is written
     * @param gzip whether it is packed
     * @return its bytes, not to be changed
     */
    Buffer page(MetricsFormat names, PageFormat format, boolean gzip) {
        NodeSnapshot node = snapshots.current();
        // An Xid error is to be seen at once, and not with the next second's snapshot.
        long revision = health.revision();
        Buffer plain =
                cached(new Key(node.generation(), revision, names, format, false), () -> render(node, names, format));
        return gzip
                ? cached(new Key(node.generation(), revision, names, format, true), () -> pack(plain.getBytes()))
                : plain;
    }

    /** The same buffer for all who ask: a slow reader of a page holds no copy of it. */
    private Buffer cached(Key key, Supplier<byte[]> maker) {
        return pages.get(key, missing -> Buffer.buffer(maker.get()));
    }

    private byte[] render(NodeSnapshot node, MetricsFormat names, PageFormat format) {
        return meters.timeRender(() -> switch (names) {
            case NATIVE ->
                format.render(NativePage.of(
                        new PageSource(node, mps.get(), Optional.of(health.view())), meters.snapshots(), families));
            case DCGM -> DcgmPage.of(node, dcgm);
        });
    }

    private static byte[] pack(byte[] plain) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream(plain.length / 8);
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // Nothing can fail in memory.
        }
        return packed.toByteArray();
    }
}
