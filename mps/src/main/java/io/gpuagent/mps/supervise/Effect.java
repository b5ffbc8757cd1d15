// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.model.mps.MpsClientView;
import java.util.List;

/**
 * What a change would do, said before it is made.
 *
 * @param reach from when on it counts
 * @param sentence for people: what happens and whom it reaches
 * @param staying running clients that stay on the limits they came under
 * @param breaking running clients that end or can end with it
 */
public record Effect(Reach reach, String sentence, List<MpsClientView> staying, List<MpsClientView> breaking) {
    /** Takes copies. */
    public Effect {
        staying = List.copyOf(staying);
        breaking = List.copyOf(breaking);
    }

    /** From when on a change counts. No command of driver 580 changes anything for a running client. */
    public enum Reach {
        /** For clients that connect from now on. */
        NEW_CLIENTS,
        /** For servers, and so for clients, that start later. */
        NEXT_SERVER,
        /** Only once all clients have gone. */
        DRAIN
    }
}
