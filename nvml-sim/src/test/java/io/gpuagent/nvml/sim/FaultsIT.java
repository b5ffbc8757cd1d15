// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Calls that go wrong: which of them, how, and that the others do not. */
class FaultsIT {
    private static final String POWER = "nvmlDeviceGetPowerUsage";

    private final ManualNanos time = new ManualNanos();
    private final SimulatedDriver driver = SimulatedDriver.start(SimProfile.parse("h200x2"), time);
    private final RawNvml nvml = new RawNvml(driver);
    private Guarded out;

    @BeforeEach
    void initialise() {
        driver.freeze();
        nvml.call("nvmlInit_v2");
        out = nvml.bytes(4);
    }

    @AfterEach
    void nothingWasWrittenElsewhere() {
        nvml.close();
        assertThat(driver.calls().failures()).isEmpty();
    }

    private void play(String yaml) {
        driver.play(Scenario.parse("trouble.yaml", yaml, 2));
    }

    private int power(int gpu) {
        return nvml.call(POWER, nvml.device(gpu), out);
    }

    @ParameterizedTest
    @CsvSource({
        "'',                            15 15 15 15 15 15 15 15",
        "'times: 2',                    15 15 0 0 0 0 0 0",
        "'nth: 3',                      0 0 15 0 0 0 0 0",
        "'nth: 3, times: 2',            0 0 15 15 0 0 0 0",
        "'every: 3',                    0 0 15 0 0 15 0 0",
        "'every: 2, times: 2',          0 15 0 15 0 0 0 0",
        "'nth: 1, every: 4',            15 0 0 0 15 0 0 0",
        "'nth: 2, every: 3, times: 2',  0 15 0 0 15 0 0 0"
    })
    void aStepSaysWhichCallsAreMet(String turns, String codes) {
        String more = turns.isEmpty() ? "" : ", " + turns;
        play("- {at: 0s, gpu: 1, do: answer, function: " + POWER + ", code: 15" + more + "}");

        List<Integer> answered =
                IntStream.range(0, 8).map(call -> power(1)).boxed().toList();

        assertThat(answered.toString().replaceAll("[\\[,\\]]", "")).isEqualTo(codes);
        assertThat(power(0)).as("the other GPU").isZero();
    }

    @Test
    void turnsOfAllFunctionsCountEveryCall() {
        driver.gpu(0).faults().answer(Faults.ALL, 999, Turns.every(2));
        long device = nvml.device(0);

        assertThat(nvml.call(POWER, device, out)).isEqualTo(999);
        assertThat(nvml.call("nvmlDeviceGetIndex", device, out)).isZero();
        assertThat(nvml.call("nvmlDeviceGetIndex", device, out)).isEqualTo(999);
    }

    @Test
    void turnsThatMeetNoCallAreRefused() {
        assertThatThrownBy(() -> new Turns(0, 1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Turns.every(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Turns.next(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aDelayedCallReturnsWhenItsTimeIsOverAndNobodyElseWaits() throws Exception {
        Hang delay = driver.gpu(1).faults().delay(POWER, Duration.ofSeconds(46), Turns.nth(1));

        CompletableFuture<Integer> late = CompletableFuture.supplyAsync(() -> power(1));
        delay.awaitHeld(1);
        time.advanceSeconds(45);
        assertThat(power(0)).as("the other GPU").isZero();
        assertThat(power(1)).as("the second call").isZero();
        assertThat(late).isNotDone();
        time.advanceSeconds(1);

        assertThat(late.get(20, TimeUnit.SECONDS)).isZero();
    }

    @Test
    void anInterruptDoesNotShortenADelay() throws Exception {
        Hang delay = driver.faults().delay("nvmlDeviceGetCount_v2", Duration.ofSeconds(10), Turns.ALL);
        boolean[] isInterrupted = new boolean[1];
        Thread caller = new Thread(() -> {
            nvml.call("nvmlDeviceGetCount_v2", out);
            isInterrupted[0] = Thread.currentThread().isInterrupted();
        });
        caller.start();
        delay.awaitHeld(1);

        caller.interrupt();
        caller.join(50);
        assertThat(caller.isAlive()).isTrue();
        time.advanceSeconds(10);
        caller.join(20_000);

        assertThat(caller.isAlive()).isFalse();
        assertThat(isInterrupted[0]).as("the interrupt is kept for the caller").isTrue();
    }

    @Test
    void aDelayEndsWithHealing() throws Exception {
        Hang delay = driver.gpu(1).faults().delay(POWER, Duration.ofHours(1), Turns.ALL);
        CompletableFuture<Integer> late = CompletableFuture.supplyAsync(() -> power(1));
        delay.awaitHeld(1);

        driver.gpu(1).heal();

        assertThat(late.get(20, TimeUnit.SECONDS)).isZero();
    }

    @Test
    void theThirdCallHangsAlone() throws Exception {
        Hang hang = driver.gpu(1).faults().hang(POWER, Turns.nth(3));
        assertThat(power(1)).isZero();
        assertThat(power(1)).isZero();

        CompletableFuture<Integer> hung = CompletableFuture.supplyAsync(() -> power(1));
        hang.awaitHeld(1);
        assertThat(power(1)).as("the fourth").isZero();
        assertThat(hung).isNotDone();

        hang.release();
        assertThat(hung.get(20, TimeUnit.SECONDS)).isZero();
    }

    @Test
    void healingOneFunctionLeavesTheFaultsOfOthers() {
        play("""
                - {at: 0s, gpu: 1, do: answer, function: nvmlDeviceGetPowerUsage, code: 999}
                - {at: 0s, gpu: 1, do: answer, function: nvmlDeviceGetIndex, code: 999}
                - {at: 5s, gpu: 1, do: heal, function: nvmlDeviceGetPowerUsage}
                """);
        assertThat(power(1)).isEqualTo(999);

        time.advanceSeconds(5);

        assertThat(power(1)).isZero();
        assertThat(nvml.call("nvmlDeviceGetIndex", nvml.device(1), out)).isEqualTo(999);
    }

    @Test
    void countersStartFromZeroWhereTheyAreReset() {
        driver.gpu(1).unpin();
        driver.gpu(1).state().addCorrectedErrors(7);
        driver.gpu(1).setUtilization(100, 50);
        time.advanceSeconds(60);
        assertThat(energy()).isGreaterThan(2_524_881L);
        assertThat(errors(0)).isEqualTo(7);
        assertThat(field(74)).as("time at the power limit").isPositive();
        assertThat(field(176)).as("bad TLPs").isEqualTo(40);

        play("- {at: 60s, gpu: 1, do: reset-counters}");

        assertThat(energy()).isZero();
        assertThat(errors(0)).isZero();
        assertThat(errors(1)).as("for life").isEqualTo(7);
        assertThat(field(74)).isZero();
        assertThat(field(78)).as("captured with a value").isZero();
        assertThat(field(176)).isZero();
        time.advanceSeconds(1);
        assertThat(energy()).as("it counts on").isPositive();
    }

    private long energy() {
        Guarded energy = nvml.bytes(8);
        assertThat(nvml.call("nvmlDeviceGetTotalEnergyConsumption", nvml.device(1), energy))
                .isZero();
        return energy.getLong(0);
    }

    private long errors(int counter) {
        Guarded errors = nvml.bytes(8);
        assertThat(nvml.call("nvmlDeviceGetTotalEccErrors", nvml.device(1), 0, counter, errors))
                .isZero();
        return errors.getLong(0);
    }

    private long field(int id) {
        Guarded field = nvml.struct("nvmlFieldValue_t").with("fieldId", id).with("scopeId", 0);
        assertThat(nvml.call("nvmlDeviceGetFieldValues", nvml.device(1), 1, field))
                .isZero();
        assertThat(field.get("nvmlReturn")).isZero();
        return field.get("value.ullVal");
    }

    @Test
    void aFunctionIsMissingFromTheStart() {
        play("- {at: 0s, do: missing, function: nvmlDeviceGetMemoryInfo_v2}");

        assertThat(driver.address("nvmlDeviceGetMemoryInfo_v2")).isEmpty();
        assertThat(driver.address("nvmlDeviceGetMemoryInfo")).isPresent();
    }

    @Test
    void callsAreLoggedInTheOrderInWhichTheyReturn() {
        long device = nvml.device(1);
        driver.calls().keep(3);
        driver.gpu(1).answerOnce(POWER, 15);
        nvml.call("nvmlDeviceGetCount_v2", out);
        nvml.call("nvmlDeviceGetIndex", device, out);
        time.advanceSeconds(2);
        nvml.call(POWER, device, out);
        nvml.call(POWER, device, out);

        assertThat(driver.calls().log())
                .containsExactly(
                        new LoggedCall("nvmlDeviceGetIndex", 1, 0, 0),
                        new LoggedCall(POWER, 1, 15, 2_000_000_000L),
                        new LoggedCall(POWER, 1, 0, 2_000_000_000L));
        assertThat(driver.calls().ofAllWith("Destroy")).isZero();
        assertThat(driver.calls().ofAllWith("PowerUsage")).isEqualTo(2);
    }
}
