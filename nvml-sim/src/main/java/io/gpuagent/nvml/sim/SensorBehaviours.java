// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.Map;
import java.util.function.ToIntFunction;

/** What moves with the load of a GPU. */
final class SensorBehaviours {
    private SensorBehaviours() {}

    static void addTo(Map<String, Behaviour> behaviours) {
        behaviours.put("nvmlDeviceGetUtilizationRates", SensorBehaviours::utilization);
        behaviours.put("nvmlDeviceGetDynamicPstatesInfo", SensorBehaviours::dynamicPstates);
        for (String engine : new String[] {"Encoder", "Decoder", "Jpg", "Ofa"}) {
            behaviours.put("nvmlDeviceGet" + engine + "Utilization", SensorBehaviours::engineUtilization);
        }
        behaviours.put("nvmlDeviceGetMemoryInfo", SensorBehaviours::memory);
        behaviours.put("nvmlDeviceGetMemoryInfo_v2", SensorBehaviours::memoryV2);
        behaviours.put("nvmlDeviceGetTemperature", SensorBehaviours::temperature);
        behaviours.put("nvmlDeviceGetTemperatureV", SensorBehaviours::temperatureV);
        behaviours.put("nvmlDeviceGetMarginTemperature", SensorBehaviours::margin);
        behaviours.put("nvmlDeviceGetThermalSettings", SensorBehaviours::thermalSettings);
        behaviours.put("nvmlDeviceGetPowerUsage", integer(Sensors::powerMilliwatts));
        behaviours.put(
                "nvmlDeviceGetTotalEnergyConsumption",
                call -> call.putLong(1, call.gpu().energyMillijoules()));
        behaviours.put("nvmlDeviceGetClockInfo", SensorBehaviours::clock);
        behaviours.put("nvmlDeviceGetClock", SensorBehaviours::clockById);
        for (String symbol :
                new String[] {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"}) {
            behaviours.put(symbol, call -> call.putLong(1, call.gpu().sensors().reasons()));
        }
        behaviours.put("nvmlDeviceGetSupportedPerformanceStates", SensorBehaviours::performanceStates);
    }

    private static Behaviour integer(ToIntFunction<Sensors> reading) {
        return call -> call.putInt(1, reading.applyAsInt(call.gpu().sensors()));
    }

    /** A GPU in MIG mode has no utilization of its own. */
    private static void refuseInMigMode(Call call) {
        if (call.gpu().state().migCurrent() == 1) {
            throw new Refusal(Code.NOT_SUPPORTED);
        }
    }

    private static void utilization(Call call) {
        refuseInMigMode(call);
        Sensors now = call.gpu().sensors();
        call.struct(1).set("gpu", now.gpuPercent()).set("memory", now.memoryPercent());
    }

    private static void engineUtilization(Call call) {
        refuseInMigMode(call);
        CannedAnswers.giveOrRefuse(call);
    }

    private static void dynamicPstates(Call call) {
        refuseInMigMode(call);
        CannedAnswers.giveOrRefuse(call);
        Sensors now = call.gpu().sensors();
        call.struct(1)
                .set("utilization[0].percentage", now.gpuPercent())
                .set("utilization[1].percentage", now.memoryPercent());
    }

    /** What all instances use together is for those to see who may see the instances. */
    private static void requireMonitorInMigMode(Call call) {
        if (call.gpu().state().migCurrent() == 1) {
            call.require(Privilege.MIG_MONITOR);
        }
    }

    private static void memory(Call call) {
        requireMonitorInMigMode(call);
        Hardware card = call.gpu().card().hardware();
        long used = call.gpu().sensors().memoryUsed();
        call.struct(1)
                .set("total", card.memoryTotal())
                .set("free", card.memoryUsable() - used)
                .set("used", card.memoryReserved() + used);
    }

    private static void memoryV2(Call call) {
        requireMonitorInMigMode(call);
        Hardware card = call.gpu().card().hardware();
        long used = call.gpu().sensors().memoryUsed();
        call.struct(1)
                .set("total", card.memoryTotal())
                .set("reserved", card.memoryReserved())
                .set("free", card.memoryUsable() - used)
                .set("used", used);
    }

    private static void temperature(Call call) {
        requireGpuSensor(call.integer(1));
        call.putInt(2, call.gpu().sensors().temperature());
    }

    private static void temperatureV(Call call) {
        StructView temperature = call.struct(1);
        requireGpuSensor(temperature.getInt("sensorType"));
        temperature.set("temperature", call.gpu().sensors().temperature());
    }

    /** NVML_TEMPERATURE_GPU is the only sensor that nvml.h names. */
    private static void requireGpuSensor(int sensor) {
        if (sensor != 0) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
    }

    private static void margin(Call call) {
        CannedAnswers.giveOrRefuse(call);
        int margin = call.gpu().card().hardware().temperatureMax()
                - call.gpu().sensors().temperature();
        call.struct(1).set("marginTemperature", margin);
    }

    /** The die's sensor is the first of the list, alone (0) or with all others (15, NVML_THERMAL_TARGET_ALL). */
    private static void thermalSettings(Call call) {
        CannedAnswers.giveOrRefuse(call);
        if (call.integer(1) == 0 || call.integer(1) == 15) {
            call.struct(2).set("sensor[0].currentTemp", call.gpu().sensors().temperature());
        }
    }

    private static void clock(Call call) {
        call.putInt(2, megahertz(call));
    }

    /** What is not the clock of now (NVML_CLOCK_ID_CURRENT) does not move. */
    private static void clockById(Call call) {
        CannedAnswers.giveOrRefuse(call);
        if (call.integer(2) == 0) {
            call.putInt(3, megahertz(call));
        }
    }

    /** By nvmlClockType_t. What the H200 answers for a domain that does not exist is NOT_SUPPORTED. */
    private static int megahertz(Call call) {
        Sensors now = call.gpu().sensors();
        return switch (call.integer(1)) {
            case 0, 1 -> now.graphicsMegahertz();
            case 2 -> now.memoryMegahertz();
            case 3 -> now.videoMegahertz();
            default -> throw new Refusal(Code.NOT_SUPPORTED);
        };
    }

    /** The one list whose length is given in bytes; what is left over is filled with NVML_PSTATE_UNKNOWN. */
    private static void performanceStates(Call call) {
        CannedAnswer canned = call.machine().canned(call.function().name());
        if (!(canned.content() instanceof CannedAnswer.Items states)) {
            CannedAnswers.giveOrRefuse(call);
            return;
        }
        int room = call.integer(2) / Integer.BYTES;
        if (room < states.items().size()) {
            throw new Refusal(Code.INSUFFICIENT_SIZE);
        }
        for (int i = 0; i < room; i++) {
            call.putElement(1, i, i < states.items().size() ? states.items().get(i) : 32L);
        }
    }
}
