// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gpuagent.mig.plan.ComputeRequest;
import io.gpuagent.mig.plan.InstanceRequest;
import io.gpuagent.mig.plan.PinRules;
import io.gpuagent.mig.plan.PlanId;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MigRequestTest {
    private static final String GPU = "GPU-01234567-89ab-cdef-0123-456789abcdef";
    private static final PlanId PLAN = PlanId.parse("0123456789abcdef-fedcba9876543210");

    private static MigRequest.Apply apply(List<InstanceRequest> wanted, PinRules rules) {
        return new MigRequest.Apply(GPU, PLAN, wanted, rules, List.of());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "MIG-01234567-89ab-cdef-0123-456789abcdef",
                "GPU-01234567-89AB-cdef-0123-456789abcdef",
                "GPU-01234567-89ab-cdef-0123-456789abcdef/../x",
                "../../etc"
            })
    void aGpuThatIsNoUuidIsRefusedByEveryVerb(String gpu) {
        List<Runnable> requests = List.of(
                () -> new MigRequest.Read(gpu, List.of()),
                () -> new MigRequest.Apply(gpu, PLAN, List.of(), PinRules.STANDARD, List.of()),
                () -> new MigRequest.Rollback(gpu, PLAN, PinRules.STANDARD, List.of()),
                () -> new MigRequest.Mode(gpu, true, false),
                () -> new MigRequest.Adopt(gpu, 1),
                () -> new MigRequest.Repair(gpu, 1, MigRequest.Repair.How.COMPLETE),
                () -> new MigRequest.Recover(gpu),
                () -> new MigRequest.Restore(gpu),
                () -> new MigRequest.Abandon(gpu));

        for (Runnable request : requests) {
            assertThatIllegalArgumentException()
                    .isThrownBy(request::run)
                    .withMessageContaining("is no UUID of a GPU; it is GPU- and 36 lower-case");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "../x", "1g.18gb\n", "$(reboot)", "1g/18gb", "ı", "1g.18gb;"})
    void aProfileThatNoCardCanHaveIsRefused(String profile) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> apply(List.of(InstanceRequest.of(profile)), PinRules.STANDARD))
                .withMessageContaining("is no name of a MIG profile; it is such as 1g.18gb, 1c.3g.71gb or id:19");
        InstanceRequest inside = new InstanceRequest(
                "3g.71gb",
                1,
                OptionalInt.empty(),
                Optional.of(List.of(new ComputeRequest(profile, OptionalInt.empty()))));
        assertThatIllegalArgumentException().isThrownBy(() -> apply(List.of(inside), PinRules.STANDARD));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1g.18gb", "MIG 1g.18gb+me", "1g.24gb+me.all", "1c.3g.71gb", "id:19", "1g.24gb-me", "3g"})
    void aProfileThatACardCanHaveIsTaken(String profile) {
        assertThat(apply(List.of(InstanceRequest.of(profile)), PinRules.STANDARD)
                        .wanted())
                .containsExactly(InstanceRequest.of(profile));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 256, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void anInstanceThatNoCardCanHaveIsRefused(int id) {
        PinRules keeping = PinRules.STANDARD.keeping(Set.of(id));
        List<Runnable> requests = List.of(
                () -> new MigRequest.Adopt(GPU, id),
                () -> new MigRequest.Repair(GPU, id, MigRequest.Repair.How.REMOVE),
                () -> new LastUse(id, OptionalInt.empty(), Duration.ZERO),
                () -> new LastUse(1, OptionalInt.of(id), Duration.ZERO),
                () -> apply(List.of(), keeping),
                () -> new MigRequest.Rollback(GPU, PLAN, keeping, List.of()));

        for (Runnable request : requests) {
            assertThatIllegalArgumentException()
                    .isThrownBy(request::run)
                    .withMessage(id + " is no id of a MIG instance; it is 0 to 255");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 65})
    void aCountThatNoCardHasRoomForIsRefused(int count) {
        InstanceRequest request = new InstanceRequest("1g.18gb", count, OptionalInt.empty(), Optional.empty());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> apply(List.of(request), PinRules.STANDARD))
                .withMessage("a count of " + count + " is out of range; it is 1 to 64");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 64})
    void aStartThatIsOnNoCardIsRefused(int start) {
        InstanceRequest request = new InstanceRequest("1g.18gb", 1, OptionalInt.of(start), Optional.empty());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> apply(List.of(request), PinRules.STANDARD))
                .withMessage("a start of " + start + " is out of range; it is 0 to 63");
    }

    @Test
    void everyListHasABound() {
        LastUse use = new LastUse(1, OptionalInt.of(0), Duration.ofMinutes(1));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> apply(Collections.nCopies(65, InstanceRequest.of("1g")), PinRules.STANDARD))
                .withMessage("the list has 65 entries of the kind GPU instance; it may have at most 64");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new MigRequest.Read(GPU, Collections.nCopies(129, use)))
                .withMessage("the list has 129 entries of the kind last use; it may have at most 128");
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 86_401})
    void aTimeOfMoreThanADayIsRefused(long seconds) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LastUse(1, OptionalInt.empty(), Duration.ofSeconds(seconds)))
                .withMessage("a last use " + seconds + " s ago is out of range; it is 0 to 86400 s");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> apply(List.of(), new PinRules(false, false, Duration.ofSeconds(seconds), Set.of())))
                .withMessage("an idle grace of " + seconds + " s is out of range; it is 0 to 86400 s");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-", "0123456789abcdef", "0123456789ABCDEF-0123456789abcdef", "0123456789abcdef-0123"})
    void aPlanIsNamedByTwoGroupsOfDigits(String id) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PlanId.parse(id))
                .withMessage("a plan's id is two groups of 16 lower-case hexadecimal digits with a hyphen between");
    }

    @Test
    void onlyAReadingIsNoChangeAndEachOneHasTheGpuLetGoOf() {
        MigRequest.Read read = new MigRequest.Read(GPU, List.of());
        MigRequest.Adopt adopt = new MigRequest.Adopt(GPU, 3);

        assertThat(read.isChange()).isFalse();
        assertThat(read.quiesces()).containsExactly(GPU);
        assertThat(adopt.isChange()).isTrue();
        assertThat(adopt.subjects()).containsExactly(GPU);
        assertThat(adopt.quiesces()).containsExactly(GPU);
    }
}
