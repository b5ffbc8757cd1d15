// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim.capture;

/** Makes a call a few times: the first may cost far more than those that follow. */
final class RepeatedCall {
    private static final int INSUFFICIENT_SIZE = 7;
    private static final int USUAL_ROOM = 256;
    private static final int LARGEST_ROOM = 65_536;
    private static final int MOST_REPETITIONS = 8;
    /** A call that is dear is repeated once. */
    private static final long ENOUGH_NANOS = 2_000_000;

    private final Question question;
    private final NativeFunctions functions;

    RepeatedCall(Question question, NativeFunctions functions) {
        this.question = question;
        this.functions = functions;
    }

    /**
     * What the first call came to, and how long all took.
     *
     * @param frame the memory that the first call has filled
     * @param code its {@code nvmlReturn_t}
     * @param firstMicros how long it took
     * @param micros how long the shortest repetition took
     */
    record Timed(CallFrame frame, int code, double firstMicros, double micros) {}

    Timed make() {
        int room = USUAL_ROOM;
        CallFrame frame = new CallFrame(question, room);
        NativeFunctions.Returned first = functions.call(question.function(), frame.arguments());
        NativeFunctions.Returned told = first;
        // A list may be longer than we thought; its first call is the one that is told how long it took.
        while (told.code() == INSUFFICIENT_SIZE && frame.listed() > room && room < LARGEST_ROOM) {
            room = Math.min(2 * frame.listed(), LARGEST_ROOM);
            frame = new CallFrame(question, room);
            told = functions.call(question.function(), frame.arguments());
        }
        long least = Long.MAX_VALUE;
        long spent = 0;
        for (int i = 0; i < MOST_REPETITIONS && spent < ENOUGH_NANOS; i++) {
            CallFrame again = new CallFrame(question, room);
            long nanos = functions.call(question.function(), again.arguments()).nanos();
            least = Math.min(least, nanos);
            spent += nanos;
        }
        return new Timed(frame, told.code(), first.nanos() / 1_000.0, least / 1_000.0);
    }
}
