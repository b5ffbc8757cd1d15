// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mig;

import java.util.Optional;

/**
 * A layout that is to be planned.
 *
 * @param file the file as the user named it, for messages
 * @param text what it holds
 * @param config which of mig-parted's configurations
 * @param maySwitchMode whether modes may be switched where a file of mig-parted differs
 * @param includeReserved whether reserved instances may go
 */
public record LayoutAsk(
        String file, String text, Optional<String> config, boolean maySwitchMode, boolean includeReserved) {}
