// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogLineTest {
    @ParameterizedTest
    @CsvSource({"SEVERE, 3", "WARNING, 4", "INFO, 6", "FINE, 7"})
    void inTheJournalALineStartsWithItsPriority(String level, int priority) {
        assertThat(new LogLine(true).format(new LogRecord(Level.parse(level), "GPU 3 is lost")))
                .isEqualTo("<" + priority + ">GPU 3 is lost\n");
    }

    @Test
    void elsewhereALineStartsWithTimeAndLevel() {
        assertThat(new LogLine(false).format(new LogRecord(Level.WARNING, "GPU 3 is lost")))
                .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}\\S+ WARN {2}GPU 3 is lost\\n");
    }

    @Test
    void eachLineOfATraceHasThePriorityOfItsRecord() {
        LogRecord failure = new LogRecord(Level.SEVERE, "it failed");
        failure.setThrown(new IllegalStateException("why"));

        assertThat(new LogLine(true).format(failure).lines())
                .hasSizeGreaterThan(2)
                .allMatch(line -> line.startsWith("<3>"))
                .anyMatch(line -> line.contains("IllegalStateException: why"));
    }

    @Test
    void parametersStandWhereTheMessageWantsThem() {
        LogRecord refusal = new LogRecord(Level.INFO, "{0} answers again");
        refusal.setParameters(new Object[] {"GPU 3"});

        assertThat(new LogLine(true).format(refusal)).isEqualTo("<6>GPU 3 answers again\n");
    }
}
