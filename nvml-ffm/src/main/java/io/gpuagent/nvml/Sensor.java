// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

/**
 * A temperature sensor ({@code nvmlGpuThermalSettings_t}), in degrees Celsius.
 *
 * @param controller what measures
 * @param target what is measured
 * @param min the least it can show
 * @param max the most it can show
 * @param current now
 */
public record Sensor(Coded<Controller> controller, Coded<Target> target, int min, int max, int current) {
    static Sensor of(Struct sensor) {
        return new Sensor(
                sensor.coded("controller", Controller.class),
                sensor.coded("target", Target.class),
                sensor.s32("defaultMinTemp"),
                sensor.s32("defaultMaxTemp"),
                sensor.s32("currentTemp"));
    }

    /** {@code nvmlThermalTarget_t}. */
    public enum Target implements CEnum {
        /** Nothing. */
        NONE(0),
        /** The GPU. */
        GPU(1),
        /** Its memory. */
        MEMORY(2),
        /** Its power supply. */
        POWER_SUPPLY(4),
        /** The board's surroundings. */
        BOARD(8),
        /** The board of a visual computing device. */
        VCD_BOARD(9),
        /** The inlet of a visual computing device. */
        VCD_INLET(10),
        /** The outlet of a visual computing device. */
        VCD_OUTLET(11),
        /** All of them. */
        ALL(15),
        /** None that the driver knows. */
        UNKNOWN(-1);

        private final int code;

        Target(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }

    /** {@code nvmlThermalController_t}: the chip that measures. */
    public enum Controller implements CEnum {
        /** None. */
        NONE(0),
        /** The GPU itself. */
        GPU_INTERNAL(1),
        /** ADM1032. */
        ADM1032(2),
        /** ADT7461. */
        ADT7461(3),
        /** MAX6649. */
        MAX6649(4),
        /** MAX1617. */
        MAX1617(5),
        /** LM99. */
        LM99(6),
        /** LM89. */
        LM89(7),
        /** LM64. */
        LM64(8),
        /** G781. */
        G781(9),
        /** ADT7473. */
        ADT7473(10),
        /** SBMAX6649. */
        SBMAX6649(11),
        /** The video BIOS. */
        VBIOSEVT(12),
        /** The operating system. */
        OS(13),
        /** NVSYSCON_CANOAS. */
        NVSYSCON_CANOAS(14),
        /** NVSYSCON_E551. */
        NVSYSCON_E551(15),
        /** MAX6649R. */
        MAX6649R(16),
        /** ADT7473S. */
        ADT7473S(17),
        /** None that the driver knows. */
        UNKNOWN(-1);

        private final int code;

        Controller(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }
}
