// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.direct;

import io.gpuagent.mps.supervise.ComputeModes;
import java.util.concurrent.atomic.AtomicReference;

/** The compute mode of one GPU that exists in a field only. */
public final class RecordedModes implements ComputeModes {
    private final AtomicReference<Mode> mode = new AtomicReference<>(Mode.DEFAULT);

    @Override
    public Mode read(String gpu) {
        return mode.get();
    }

    @Override
    public void set(String gpu, Mode wanted) {
        mode.set(wanted);
    }
}
