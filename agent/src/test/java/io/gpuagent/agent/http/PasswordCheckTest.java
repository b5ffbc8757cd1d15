// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import static io.gpuagent.agent.http.PasswordCheck.Verdict.BUSY;
import static io.gpuagent.agent.http.PasswordCheck.Verdict.RIGHT;
import static io.gpuagent.agent.http.PasswordCheck.Verdict.WRONG;
import static org.assertj.core.api.Assertions.assertThat;

import at.favre.lib.crypto.bcrypt.BCrypt;
import io.gpuagent.agent.http.PasswordCheck.Verdict;
import io.gpuagent.model.time.ManualClock;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PasswordCheckTest {
    private static final String HASH_5 = hash(5, "opensesame");
    private static final String HASH_6 = hash(6, "other");

    private final WebRuntime web = new WebRuntime();
    private final ManualClock clock = new ManualClock();
    private final List<String> compared = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        web.close(Duration.ofSeconds(5));
    }

    @Test
    void theRightPasswordIsRightAndAnotherIsNot() {
        PasswordCheck check = new PasswordCheck(web.vertx(), clock);
        Map<String, String> users = Map.of("alice", HASH_5, "bob", HASH_6);

        assertThat(verdict(check, users, "alice", "opensesame")).isEqualTo(RIGHT);
        assertThat(verdict(check, users, "alice", "OpenSesame")).isEqualTo(WRONG);
        assertThat(verdict(check, users, "bob", "opensesame")).isEqualTo(WRONG);
        assertThat(verdict(check, users, "carol", "opensesame")).isEqualTo(WRONG);
        assertThat(verdict(check, users, "alice", "")).isEqualTo(WRONG);
    }

    // Hashes as htpasswd, Go and old PHP write them; the sample of exporter-toolkit's documentation is of "$2y$".
    @ParameterizedTest
    @ValueSource(strings = {"$2a$", "$2b$", "$2y$"})
    void hashesOfEveryToolAreUnderstood(String version) {
        String hash = version + HASH_5.substring(4);

        assertThat(verdict(new PasswordCheck(web.vertx(), clock), Map.of("alice", hash), "alice", "opensesame"))
                .isEqualTo(RIGHT);
    }

    @Test
    void whatGoesBeyondSeventyTwoBytesHasNoPart() {
        String longest = "x".repeat(72);
        Map<String, String> users = Map.of("alice", hash(4, longest));

        assertThat(verdict(new PasswordCheck(web.vertx(), clock), users, "alice", longest + "yz"))
                .isEqualTo(RIGHT);
    }

    @Test
    void aPasswordThatWasRightIsComparedOnce() {
        PasswordCheck check = counting();
        Map<String, String> users = Map.of("alice", HASH_5);

        for (int i = 0; i < 100; i++) {
            assertThat(verdict(check, users, "alice", "opensesame")).isEqualTo(RIGHT);
        }
        assertThat(compared).hasSize(1);

        clock.advance(Duration.ofHours(2));
        assertThat(verdict(check, users, "alice", "opensesame")).isEqualTo(RIGHT);
        assertThat(compared).hasSize(2);
    }

    @Test
    void aPasswordThatWasChangedIsKnownNoMore() {
        PasswordCheck check = new PasswordCheck(web.vertx(), clock);
        assertThat(verdict(check, Map.of("alice", HASH_5), "alice", "opensesame"))
                .isEqualTo(RIGHT);

        assertThat(verdict(check, Map.of("alice", HASH_6), "alice", "opensesame"))
                .isEqualTo(WRONG);
        assertThat(verdict(check, Map.of("bob", HASH_6), "alice", "opensesame")).isEqualTo(WRONG);
    }

    @Test
    void anUnknownUserCostsAsMuchAsTheDearestKnownOne() {
        PasswordCheck check = counting();

        verdict(check, Map.of("alice", HASH_5, "bob", HASH_6), "nobody", "opensesame");

        assertThat(compared).singleElement().asString().startsWith("$2y$06$").hasSize(60);
    }

    @Test
    void noPasswordOfAnUnknownUserIsEverRight() {
        PasswordCheck check = new PasswordCheck(web.vertx(), clock, (password, hash) -> true);

        assertThat(verdict(check, Map.of("alice", HASH_5), "nobody", "x")).isEqualTo(WRONG);
        assertThat(verdict(check, Map.of("alice", HASH_5), "nobody", "x")).isEqualTo(WRONG);
    }

    @Test
    void whoGuessesIsSlowedDownAndOthersAreNot() {
        PasswordCheck check = counting();
        Map<String, String> users = Map.of("alice", HASH_5);

        List<Verdict> guesses = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            guesses.add(verdict(check, users, "alice", "guess" + i, "192.0.2.1"));
        }
        assertThat(guesses.subList(0, 10)).containsOnly(WRONG);
        assertThat(guesses.subList(10, 30)).containsOnly(BUSY);
        assertThat(compared).hasSize(10);

        assertThat(verdict(check, users, "alice", "opensesame", "192.0.2.2")).isEqualTo(RIGHT);
        assertThat(verdict(check, users, "alice", "opensesame", "192.0.2.1"))
                .as("known already, so that it costs nothing")
                .isEqualTo(RIGHT);

        clock.advance(Duration.ofSeconds(2));
        assertThat(verdict(check, users, "alice", "guess", "192.0.2.1")).isEqualTo(WRONG);
    }

    @Test
    void fewWaitForTheOneThatCompares() {
        CountDownLatch go = new CountDownLatch(1);
        PasswordCheck check = new PasswordCheck(web.vertx(), clock, (password, hash) -> {
            try {
                return go.await(30, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        Map<String, String> users = Map.of("alice", HASH_5);

        List<Future<Verdict>> all = IntStream.range(0, 50)
                .mapToObj(i -> check.check(users, credentials("alice", "p" + i), "192.0.2." + i))
                .toList();
        assertThat(all.stream().filter(Future::isComplete)).hasSize(34).allMatch(busy -> busy.result() == BUSY);

        go.countDown();
        assertThat(all.stream().map(PasswordCheckTest::await).filter(RIGHT::equals))
                .hasSize(16);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Basic", "Basic ", "Basic !!!", "Basic YWxpY2U=", "Bearer YWxpY2U6eA==", "alice:x"})
    void whatIsNoPairIsNoCredentials(String header) {
        assertThat(Credentials.of(header)).isEmpty();
    }

    @Test
    void aPasswordMayHoldColonsAndAnyCharacter() {
        Credentials given = credentials("ali\u00e7e", "a:b:\u20ac");

        assertThat(given.user()).isEqualTo("ali\u00e7e");
        assertThat(given.password()).asString(StandardCharsets.UTF_8).isEqualTo("a:b:\u20ac");
        assertThat(given).asString().doesNotContain("a:b");
    }

    private PasswordCheck counting() {
        return new PasswordCheck(web.vertx(), clock, (password, hash) -> {
            compared.add(hash);
            return new String(password, StandardCharsets.UTF_8).equals("opensesame");
        });
    }

    private static Verdict verdict(PasswordCheck check, Map<String, String> users, String user, String password) {
        return verdict(check, users, user, password, "127.0.0.1");
    }

    private static Verdict verdict(
            PasswordCheck check, Map<String, String> users, String user, String password, String address) {
        return await(check.check(users, credentials(user, password), address));
    }

    private static Verdict await(Future<Verdict> verdict) {
        return verdict.toCompletionStage().toCompletableFuture().join();
    }

    private static Credentials credentials(String user, String password) {
        byte[] pair = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
        return Credentials.of("Basic " + Base64.getEncoder().encodeToString(pair))
                .orElseThrow();
    }

    private static String hash(int cost, String password) {
        return BCrypt.with(BCrypt.Version.VERSION_2Y).hashToString(cost, password.toCharArray());
    }
}
