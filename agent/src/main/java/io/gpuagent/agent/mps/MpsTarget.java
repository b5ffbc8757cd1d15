// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mps;

import io.gpuagent.agent.api.GpuName;
import io.gpuagent.agent.api.MigDevices;
import io.gpuagent.agent.config.BadValueException;
import io.gpuagent.agent.config.Quoted;
import io.gpuagent.model.GpuSnapshot;
import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.ReadingKeys;
import io.gpuagent.model.UserText;
import io.gpuagent.model.mps.MpsDaemonView;
import io.gpuagent.model.mps.MpsNodeView;
import io.gpuagent.model.mps.MpsState;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a person names: a daemon by its id, or a GPU or MIG device that has one or is to get one.
 *
 * @param text the name
 */
public record MpsTarget(String text) {
    // What a person means by these is a device, whether it exists or not.
    private static final Pattern DEVICE = Pattern.compile("[0-9]{1,4}$|GPU-|MIG-|.*:");
    private static final int DIGITS = 8;
    // Daemons that a message names.
    private static final int SHOWN = 8;

    /**
     * The daemon that is named.
     *
     * @param mps the daemons there are
     * @param node the GPUs
     * @return the daemon
     * @throws BadValueException when there is none
     */
    public MpsDaemonView daemon(MpsNodeView mps, NodeSnapshot node) throws BadValueException {
        Optional<MpsDaemonView> named = mps.daemons().stream()
                .filter(daemon -> daemon.id().equals(text))
                .findFirst();
        if (named.isPresent()) {
            return named.get();
        }
        // One may stand for a MIG device that is gone.
        Optional<MpsDaemonView> left = MigDevices.uuid(text).flatMap(uuid -> serving(mps, uuid));
        if (left.isPresent()) {
            return left.get();
        }
        String device;
        try {
            device = device(node);
        } catch (BadValueException e) {
            if (DEVICE.matcher(text).lookingAt()) {
                throw e;
            }
            throw new BadValueException("there is no MPS daemon " + Quoted.of(text), daemons(mps));
        }
        return serving(mps, device)
                .orElseThrow(() -> new BadValueException(
                        Quoted.of(text) + " has no MPS daemon",
                        "start one with gpu-agent mps start " + UserText.shortened(text)));
    }

    /** One that runs before those that were stopped: a device is in one running daemon, and may be in several others. */
    private static Optional<MpsDaemonView> serving(MpsNodeView mps, String device) {
        return mps.daemons().stream()
                .filter(daemon -> daemon.devices().contains(device))
                .min(Comparator.comparing(daemon -> daemon.state() == MpsState.ABSENT));
    }

    private static String daemons(MpsNodeView mps) {
        return mps.daemons().isEmpty()
                ? "there is none yet; start one with gpu-agent mps start"
                : "there are "
                        + shown(mps.daemons().stream().map(MpsDaemonView::id).toList());
    }

    private static String shown(List<String> ids) {
        String first = ids.stream().limit(SHOWN).collect(Collectors.joining(", "));
        return ids.size() > SHOWN ? first + " and " + (ids.size() - SHOWN) + " more" : first;
    }

    /**
     * The device that is named.
     *
     * @param node the GPUs
     * @return its UUID
     * @throws BadValueException when there is no such GPU or MIG device
     */
    public String device(NodeSnapshot node) throws BadValueException {
        if (MigDevices.isMeant(text)) {
            return MigDevices.of(node).resolve(text);
        }
        return GpuName.parse(text)
                .resolve(
                        node.gpus(),
                        GpuSnapshot::identity,
                        gpu -> gpu.readings().value(ReadingKeys.PCI))
                .identity()
                .uuid();
    }

    /**
     * The id of the daemon of one device.
     *
     * @param uuid the device's UUID
     * @param mps the daemons there are
     * @return {@code gpu-} or {@code mig-} and the first 8 digits; more of them where another device has that id
     */
    public static String idOf(String uuid, MpsNodeView mps) {
        String digits = uuid.substring(uuid.indexOf('-') + 1).replace("-", "").toLowerCase(Locale.ROOT);
        String kind = uuid.substring(0, uuid.indexOf('-') + 1).toLowerCase(Locale.ROOT);
        for (int length = DIGITS; length < 28 && length < digits.length(); length += DIGITS / 2) {
            String id = kind + digits.substring(0, length);
            if (mps.daemons().stream()
                    .noneMatch(
                            other -> other.id().equals(id) && !other.devices().equals(List.of(uuid)))) {
                return id;
            }
        }
        return kind + digits.substring(0, Math.min(digits.length(), 28));
    }
}
