// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.unit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What systemd and Perl make of the files; where they are missing there is nothing to ask, but the full tests want them. */
class MpsUnitIT {
    private static final Path SYSTEMD_ANALYZE = Path.of("/usr/bin/systemd-analyze");
    private static final Path PERL = Path.of("/usr/bin/perl");

    @TempDir
    Path folder;

    private static void need(Path program) {
        if (!Boolean.getBoolean("gpuagent.full")) {
            assumeThat(program).exists();
        }
    }

    private static String run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readNBytes(1 << 20), StandardCharsets.UTF_8);
        return process.waitFor() + ": " + text;
    }

    /** Neither program is installed where tests run, which is all that systemd may complain about. */
    private Path unit() throws IOException {
        String text = Files.readString(MpsUnitTest.UNIT).replaceAll("(Exec\\w+=)/usr/bin/\\S+", "$1/bin/true");
        return Files.writeString(folder.resolve("gpu-agent-mps@gpu-5c3d1a2b.service"), text);
    }

    @Test
    void systemdUnderstandsEveryLine() throws Exception {
        need(SYSTEMD_ANALYZE);

        String answer = run(List.of(SYSTEMD_ANALYZE.toString(), "verify", "--man=no", unit().toString()));

        // They came with systemd 254; an older one waits the same time before each start.
        assertThat(answer.lines()
                        .map(line -> line.replaceAll(
                                "(/\\S+: *)?/\\S+:\\d+: Unknown key (name )?'Restart(Steps|MaxDelaySec)' in section '?\\[?Service]?'?,"
                                        + " ignoring\\.",
                                ""))
                        .collect(Collectors.joining()))
                .isEqualTo("0: ");
    }

    @Test
    void needrestartReadsItsFileAsPerlDoes() throws Exception {
        need(PERL);
        String script = "our %nrconf; do $ARGV[0]; die $@ if $@;"
                + " foreach my $re (keys %{$nrconf{override_rc}}) {"
                + " foreach my $unit (@ARGV[1..$#ARGV]) {"
                + " print \"$unit $nrconf{override_rc}{$re}\\n\" if $unit =~ /$re/ } }";

        assertThat(run(List.of(
                        PERL.toString(),
                        "-e",
                        script,
                        Path.of("../systemd/needrestart/gpu-agent-mps.conf")
                                .toAbsolutePath()
                                .toString(),
                        "gpu-agent-mps@gpu-5c3d1a2b.service",
                        "gpu-agent.service")))
                .isEqualTo("0: gpu-agent-mps@gpu-5c3d1a2b.service 0\n");
    }
}
