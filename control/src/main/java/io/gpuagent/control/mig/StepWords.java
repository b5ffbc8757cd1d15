// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.mig;

import io.gpuagent.mig.apply.Progress;
import java.util.function.Consumer;

/**
 * Says in a sentence how a change goes on.
 *
 * @param hears the sentences
 */
record StepWords(Consumer<String> hears) implements Progress {
    @Override
    public void on(Event event) {
        String step = event.step() + "/" + event.steps() + " " + event.words();
        hears.accept(
                switch (event.kind()) {
                    case BEGUN -> step;
                    case RETRIED -> step + ": the driver says it is in use; trying again";
                    case REOPENED -> step + ": NVML shows otherwise; it is initialised anew";
                    case DONE -> step + ": done";
                    case UNDOING -> "going back: " + event.words();
                });
    }
}
