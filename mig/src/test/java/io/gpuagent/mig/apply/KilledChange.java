// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/** A process that makes a change and stands still at a point of it, to be killed there. */
final class KilledChange {
    static final String AT_THE_POINT = "at the point";
    static final String DONE = "done";

    private KilledChange() {}

    public static void main(String[] arguments) throws Exception {
        MigRig rig = KillIT.rig(Path.of(arguments[0]));
        CutPoints points = new CutPoints(Long.parseLong(arguments[1])) {
            @Override
            void cut() {
                System.out.println(AT_THE_POINT);
                while (true) {
                    LockSupport.park();
                }
            }
        };
        ApplyResult result = rig.executor(points, points).apply(rig.plan(CrashScene.WISH), Progress.NONE, () -> false);
        System.out.println(result instanceof ApplyResult.Done ? DONE : result.toString());
    }
}
