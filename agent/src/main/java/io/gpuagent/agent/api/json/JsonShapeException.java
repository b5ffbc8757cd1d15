// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.api.json;

import java.io.Serial;

/** A text that is no JSON, or is JSON of another shape than was expected. */
public final class JsonShapeException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    JsonShapeException(String what) {
        super(what);
    }

    JsonShapeException(String what, Throwable cause) {
        super(what, cause);
    }
}
