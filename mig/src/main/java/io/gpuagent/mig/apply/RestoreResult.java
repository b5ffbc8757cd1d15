// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import io.gpuagent.mig.MigException;

/** What came of making a layout again that a boot or a reload of the driver has taken. */
public sealed interface RestoreResult {
    /**
     * It was made again.
     *
     * @param applied how
     */
    record Restored(ApplyResult.Done applied) implements RestoreResult {}

    /**
     * There was nothing to be done, or it is not for us to do it.
     *
     * @param why in one sentence
     */
    record LeftAlone(String why) implements RestoreResult {}

    /**
     * It could not be made again; another attempt may be made.
     *
     * @param reason the kind of reason
     * @param why in one sentence
     */
    record Failed(MigException.Cause reason, String why) implements RestoreResult {}
}
