// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpuagent.agent.config.ConfigException;
import io.gpuagent.agent.config.WebConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WebConfigSourceTest {
    private static final String HASH = "$2y$10$mDwo.lAisC94iLAyP81MCesa29IzH37oigHC/42V2pdJlUprsJPze";

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void file() {
        file = folder.resolve("web.yml");
    }

    @Test
    void withoutAFileAllIsOpenAndStaysSo() throws Exception {
        WebConfigSource source = WebConfigSource.of(Optional.empty());

        assertThat(source.get()).isEqualTo(WebConfig.OPEN);
        assertThat(source.refresh()).isFalse();
    }

    @Test
    void aFileThatIsNotGoodStopsTheStart() throws IOException {
        assertThatThrownBy(() -> WebConfigSource.of(Optional.of(file))).isInstanceOf(ConfigException.class);
        write("basic_auth_users: {alice: x}\n");
        assertThatThrownBy(() -> WebConfigSource.of(Optional.of(file))).isInstanceOf(ConfigException.class);
    }

    @Test
    void aChangeHoldsOnceItIsSeen() throws Exception {
        WebConfigSource source = started("alice");

        write(users("bob"));
        assertThat(source.get().users()).containsOnlyKeys("alice");
        assertThat(source.refresh()).isTrue();
        assertThat(source.get().users()).containsOnlyKeys("bob");
        assertThat(source.refresh()).isFalse();
    }

    @Test
    void aSlipOfThePenLetsNobodyInAndLocksNobodyOut() throws Exception {
        WebConfigSource source = started("alice");

        write("basic_auth_users: {alice: nonsense}\n");
        assertThat(source.refresh()).isFalse();
        assertThat(source.get().users()).containsOnlyKeys("alice");

        Files.delete(file);
        assertThat(source.refresh()).isFalse();
        assertThat(source.get().users()).containsOnlyKeys("alice");

        write(users("carol"));
        assertThat(source.refresh()).isTrue();
        assertThat(source.get().users()).containsOnlyKeys("carol");
    }

    @Test
    void whatWasMissingIsFoundWhenItComes() throws Exception {
        WebConfigSource source = started("alice");

        write(users("bob") + "tls_server_config: {cert_file: tls.crt, key_file: tls.key}\n");
        assertThat(source.refresh()).isFalse();
        // The file itself does not change any more; one that it names comes, and is no certificate.
        Files.writeString(folder.resolve("tls.crt"), "nothing\n");
        assertThat(source.refresh()).isFalse();
        write(users("bob"));
        assertThat(source.refresh()).isTrue();
    }

    private WebConfigSource started(String user) throws Exception {
        write(users(user));
        return WebConfigSource.of(Optional.of(file));
    }

    private static String users(String user) {
        return "basic_auth_users: {" + user + ": " + HASH + "}\n";
    }

    private void write(String text) throws IOException {
        Path next = Files.writeString(folder.resolve("next"), text);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
