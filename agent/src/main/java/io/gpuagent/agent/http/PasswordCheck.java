// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import at.favre.lib.crypto.bcrypt.BCrypt;
import at.favre.lib.crypto.bcrypt.LongPasswordStrategies;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.gpuagent.model.time.Clock;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Checks passwords against bcrypt hashes, which is made to be slow: tens of milliseconds at cost 10. So a password that
 * was right is remembered (as a digest, salted anew by each process), and everything else is bounded: one check at a time
 * on a thread of its own, few that wait for it, and few wrong ones from one address. Whoever guesses passwords keeps one
 * thread busy at most, and those whose password is known already do not notice.
 */
final class PasswordCheck {
    /** What comes of a check. */
    enum Verdict {
        /** The password is the user's. */
        RIGHT,
        /** It is not, or there is no such user. */
        WRONG,
        /** It was not checked: too many wait, or too many were wrong. */
        BUSY
    }

    /** What compares a password with a hash. */
    interface Comparison {
        boolean fits(byte[] password, String hash);
    }

    private static final int MOST_WAITING = 16;
    private static final int MOST_REMEMBERED = 256;
    private static final Duration REMEMBERED_FOR = Duration.ofHours(1);
    private static final int MOST_ADDRESSES = 1024;
    private static final int WRONG_AT_ONCE = 10;
    private static final Duration WRONG_EACH = Duration.ofSeconds(1);
    // No password's hash: that of an unknown user, so that the answer takes as long as a known one's.
    private static final String NOBODY = ".".repeat(22) + "x".repeat(31);

    private final Clock clock;
    private final Comparison comparison;
    private final WorkerExecutor worker;
    private final AtomicInteger waiting = new AtomicInteger();
    private final byte[] salt = new byte[32];
    private final Cache<ByteBuffer, Boolean> right;
    private final Cache<String, TokenBucket> addresses =
            Caffeine.newBuilder().maximumSize(MOST_ADDRESSES).build();

    PasswordCheck(Vertx vertx, Clock clock) {
        this(vertx, clock, PasswordCheck::bcrypt);
    }

    PasswordCheck(Vertx vertx, Clock clock, Comparison comparison) {
        this.clock = clock;
        this.comparison = comparison;
        this.worker = vertx.createSharedWorkerExecutor("passwords", 1);
        this.right = Caffeine.newBuilder()
                .maximumSize(MOST_REMEMBERED)
                .expireAfterWrite(REMEMBERED_FOR)
                .ticker(clock::nanos)
                .build();
        new SecureRandom().nextBytes(salt);
    }

    /**
     * Checks a password.
     *
     * @param users the hashes by user, at least one
     * @param credentials who claims to be whom
     * @param address where the claim comes from
     * @return the verdict; at once where the password was right before
     */
    Future<Verdict> check(Map<String, String> users, Credentials credentials, String address) {
        String known = users.get(credentials.user());
        String hash = known == null ? "$2y$" + highestCost(users) + "$" + NOBODY : known;
        ByteBuffer digest = digest(credentials, hash);
        if (right.getIfPresent(digest) != null) {
            return Future.succeededFuture(Verdict.RIGHT);
        }
        TokenBucket bucket = addresses.get(address, missing -> new TokenBucket(clock, WRONG_EACH, WRONG_AT_ONCE));
        if (!bucket.take()) {
            return Future.succeededFuture(Verdict.BUSY);
        }
        if (waiting.incrementAndGet() > MOST_WAITING) {
            waiting.decrementAndGet();
            bucket.giveBack();
            return Future.succeededFuture(Verdict.BUSY);
        }
        return worker.executeBlocking(() -> comparison.fits(credentials.password(), hash) && known != null, true)
                .map(fits -> {
                    if (!Boolean.TRUE.equals(fits)) {
                        return Verdict.WRONG;
                    }
                    bucket.giveBack();
                    right.put(digest, true);
                    return Verdict.RIGHT;
                })
                .onComplete(done -> waiting.decrementAndGet());
    }

    private static String highestCost(Map<String, String> users) {
        int cost = users.values().stream()
                .mapToInt(hash -> Integer.parseInt(hash.substring(4, 6)))
                .max()
                .orElse(10);
        return String.format(Locale.ROOT, "%02d", cost);
    }

    /** Holds the hash as well, so that a password that was changed is known no more. */
    private ByteBuffer digest(Credentials credentials, String hash) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(salt);
            sha.update(hash.getBytes(StandardCharsets.UTF_8));
            sha.update((byte) 0);
            // A user's name holds no colon.
            sha.update((credentials.user() + ":").getBytes(StandardCharsets.UTF_8));
            sha.update(credentials.password());
            return ByteBuffer.wrap(sha.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static boolean bcrypt(byte[] password, String hash) {
        if (password.length == 0) {
            return false; // The library refuses to look at one; nobody has an empty password.
        }
        // What goes beyond 72 bytes has no part in a bcrypt hash; htpasswd and Go cut it off as well.
        return BCrypt.verifyer(BCrypt.Version.VERSION_2Y, LongPasswordStrategies.truncate(BCrypt.Version.VERSION_2Y))
                .verify(password, hash.getBytes(StandardCharsets.US_ASCII))
                .verified;
    }
}
