// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScrapeTimeoutTest {
    @ParameterizedTest
    @CsvSource({"10, 9500", "10.000000, 9500", "1, 500", "0.5, 250", "0.001, 1", "3600, 3599500"})
    void leavesTimeForTheWayBack(String header, long millis) {
        assertThat(ScrapeTimeout.parse(header)).contains(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "soon", "0", "-1", "NaN", "Infinity", "1e300", "10s"})
    void passesOverWhatIsNoTime(String header) {
        assertThat(ScrapeTimeout.parse(header)).isEmpty();
    }
}
