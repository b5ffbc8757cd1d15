// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.direct;

import io.gpuagent.model.Share;
import io.gpuagent.model.mps.MpsNodeView;
import io.gpuagent.mps.supervise.DaemonWish;
import io.gpuagent.mps.supervise.Effect;
import io.gpuagent.mps.supervise.MpsSupervision;
import io.gpuagent.mps.supervise.StopMode;

/** A supervision for tests of who may change what: the port asks it for changes only. */
public abstract class UnplannedSupervision implements MpsSupervision {
    @Override
    public void watch() {
        throw unused();
    }

    @Override
    public MpsNodeView view() {
        throw unused();
    }

    @Override
    public Effect planStart(DaemonWish wish) {
        throw unused();
    }

    @Override
    public Effect planStop(String id, StopMode mode) {
        throw unused();
    }

    @Override
    public Effect planSet(String id, Share share) {
        throw unused();
    }

    @Override
    public Effect planTerminate(String id, long pid) {
        throw unused();
    }

    @Override
    public Effect planCallOffDrain(String id) {
        throw unused();
    }

    @Override
    public void close() {
        throw unused();
    }

    private static AssertionError unused() {
        return new AssertionError("the port asks for changes only");
    }
}
