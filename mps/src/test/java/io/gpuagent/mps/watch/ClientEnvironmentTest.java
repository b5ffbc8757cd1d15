// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.model.ClientPriority;
import io.gpuagent.model.Share;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientEnvironmentTest {
    private static final String A = "GPU-5c3d1a2b-0000-0000-0000-000000000001";
    private static final String B = "GPU-77777777-0000-0000-0000-000000000002";
    private static final String MEMORY = "CUDA_MPS_PINNED_DEVICE_MEM_LIMIT";
    private static final String VISIBLE = "CUDA_VISIBLE_DEVICES";

    @Test
    void whoNamesNothingAsksForNothing() {
        ClientEnvironment client = ClientEnvironment.of(Map.of("CUDA_VISIBLE_DEVICES", "0"), List.of(A));

        assertThat(client).isEqualTo(new ClientEnvironment(Share.UNLIMITED, Optional.empty(), List.of()));
    }

    /** "Captured on an H200, driver 580.159.04": it had 12 multiprocessors and 4196660848 bytes free. */
    @Test
    void aClientMayAskForLess() {
        ClientEnvironment client = ClientEnvironment.of(
                Map.of("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "10", MEMORY, "0=4G", "CUDA_MPS_CLIENT_PRIORITY", "1"),
                List.of(A));

        assertThat(client.share()).isEqualTo(Views.share("10%", "4GiB").withPriority(ClientPriority.BELOW_NORMAL));
        assertThat(client.escape()).isEmpty();
        assertThat(client.unclear()).isEmpty();
    }

    /** "Captured on an H200, driver 580.159.04": under a server's limit of 8 GiB it had 149857370112 bytes free. */
    @Test
    void aListThatNamesADeviceItDoesNotSeeSetsAllMemoryFree() {
        ClientEnvironment client = ClientEnvironment.of(Map.of(MEMORY, "0=4G,1=4G"), List.of(A));

        assertThat(client.escape())
                .hasValueSatisfying(sentence -> assertThat(sentence)
                        .contains(
                                "CUDA_MPS_PINNED_DEVICE_MEM_LIMIT=0=4G,1=4G",
                                "it sees 1",
                                "drops every limit of memory"));
    }

    @Test
    void theSameListIsFineWhereItSeesBothDevices() {
        ClientEnvironment client = ClientEnvironment.of(Map.of(MEMORY, "0=4G,1=4G"), List.of(A, B));

        assertThat(client.escape()).isEmpty();
        assertThat(client.share()).isEqualTo(Views.share("", "4GiB"));
    }

    @ParameterizedTest
    @CsvSource({
        // What it sees, its list, whether that sets it free
        "0, 1=4G, true",
        "1, 0=4G, false",
        "1, 1=4G, true",
        "GPU-77777777-0000-0000-0000-000000000002, GPU-5c3d1a2b-0000-0000-0000-000000000001=4G, true",
        "GPU-7777, 0=4G, false",
        // CUDA sees those before the first that does not exist.
        "'0,9,1', 1=4G, true",
        "'1,0', '0=4G,1=4G', false"
    })
    void whatItSeesIsItsOwnPartOfTheDaemonsDevices(String visible, String list, boolean escapes) {
        ClientEnvironment client = ClientEnvironment.of(Map.of(VISIBLE, visible, MEMORY, list), List.of(A, B));

        assertThat(client.escape().isPresent()).isEqualTo(escapes);
    }

    @Test
    void whereItSeesNoneOfThemNothingIsClaimed() {
        ClientEnvironment client = ClientEnvironment.of(Map.of(VISIBLE, "GPU-unknown", MEMORY, "0=4G"), List.of(A));

        assertThat(client.escape()).isEmpty();
        assertThat(client.share().memory()).isEmpty();
        assertThat(client.unclear()).singleElement().asString().contains("names none of the daemon's devices");
    }

    @ParameterizedTest
    @CsvSource({"1G, 1GiB", "512MB, 512MiB", "512m, 512MiB", "1048576K, 1GiB"})
    void unitsAreBinaryAsTheDriversDocumentationHasThem(String size, String limit) {
        assertThat(ClientEnvironment.of(Map.of(MEMORY, "0=" + size), List.of(A)).share())
                .isEqualTo(Views.share("", limit));
    }

    /** A control daemon takes 1T as 1M ("captured on an H200"); what a client's environment does was never seen. */
    @ParameterizedTest
    @ValueSource(strings = {"0=1T", "0=20", "0=", "4G", "0=4G,", "0=1.5G", "0=0M", "0=99999999999999999999G"})
    void aLimitThatIsNotUnderstoodIsNeitherALimitNorNone(String list) {
        ClientEnvironment client = ClientEnvironment.of(Map.of(MEMORY, list), List.of(A));

        assertThat(client.share().memory()).isEmpty();
        assertThat(client.unclear()).singleElement().asString().contains(list, "not understood");
    }

    @Test
    void differentLimitsOfSeveralDevicesAreNotMadeOne() {
        ClientEnvironment client = ClientEnvironment.of(Map.of(MEMORY, "0=4G,1=8G"), List.of(A, B));

        assertThat(client.share().memory()).isEmpty();
        assertThat(client.unclear()).singleElement().asString().contains("not the same for all 2 devices");
    }

    @ParameterizedTest
    @CsvSource({
        "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE, 150",
        "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE, half",
        "CUDA_MPS_CLIENT_PRIORITY, 2"
    })
    void aValueOutOfRangeIsSaid(String name, String value) {
        ClientEnvironment client = ClientEnvironment.of(Map.of(name, value), List.of(A));

        assertThat(client.share()).isEqualTo(Share.UNLIMITED);
        assertThat(client.unclear()).singleElement().asString().contains(name + "=" + value);
    }

    @Test
    void whatIsShownOfAnEnvironmentIsPlainAndShort() {
        String wild = "0=4G,\u001b[31m" + "x".repeat(1000) + "=4G";
        ClientEnvironment client = ClientEnvironment.of(Map.of(MEMORY, wild), List.of(A));

        assertThat(client.escape())
                .hasValueSatisfying(
                        sentence -> assertThat(sentence).hasSizeLessThan(500).doesNotContain("\u001b"));
    }
}
