// SPDX-License-Identifier: Apache-2.0
// A libnvidia-ml.so.1 of one GPU whose calls take what they took on an H200 with driver 580.159.04 (medians, measured in
// C), for measuring where there is no GPU. A call keeps the processor busy for its time and answers a fixed value.
#define NVML_NO_UNVERSIONED_FUNC_DEFS
#include "nvml.h"

#include <string.h>
#include <time.h>

static struct nvmlDevice_st *const gpu = (struct nvmlDevice_st *)0x1000;

static void spin(long nanos) {
    struct timespec start, time;
    clock_gettime(CLOCK_MONOTONIC, &start);
    do {
        clock_gettime(CLOCK_MONOTONIC, &time);
    } while ((time.tv_sec - start.tv_sec) * 1000000000L + time.tv_nsec - start.tv_nsec < nanos);
}

static nvmlReturn_t after(long nanos, nvmlDevice_t device) {
    spin(nanos);
    return device == gpu ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}

nvmlReturn_t nvmlInit_v2(void) {
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlShutdown(void) {
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlSystemGetDriverVersion(char *version, unsigned int length) {
    strncpy(version, "580.159.04", length);
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int *count) {
    *count = 1;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t *device) {
    *device = gpu;
    return index == 0 ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}

nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char *uuid, unsigned int length) {
    strncpy(uuid, "GPU-00000000-0000-0000-0000-000000000001", length);
    return after(0, device);
}

nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t device, nvmlUtilization_t *out) {
    *out = (nvmlUtilization_t){.gpu = 37, .memory = 5};
    return after(330, device);
}

nvmlReturn_t nvmlDeviceGetTemperatureV(nvmlDevice_t device, nvmlTemperature_t *out) {
    out->temperature = 42;
    return after(300, device);
}

nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned int *out) {
    *out = 78874;
    return after(330, device);
}

nvmlReturn_t nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t device, unsigned int *out) {
    *out = 700000;
    return after(330, device);
}

nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned int *out) {
    *out = 1980 + (unsigned int)type;
    return after(330, device);
}

nvmlReturn_t nvmlDeviceGetPerformanceState(nvmlDevice_t device, nvmlPstates_t *out) {
    *out = NVML_PSTATE_0;
    return after(300, device);
}

nvmlReturn_t nvmlDeviceGetCurrentClocksEventReasons(nvmlDevice_t device, unsigned long long *out) {
    *out = nvmlClocksEventReasonGpuIdle;
    return after(360, device);
}

nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t *out) {
    out->total = 150ULL << 30;
    out->free = 149ULL << 30;
    out->used = 1ULL << 29;
    out->reserved = 1ULL << 29;
    return after(5280, device);
}

nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v3(nvmlDevice_t device, unsigned int *count, nvmlProcessInfo_t *out) {
    out[0] = (nvmlProcessInfo_t){.pid = 4242, .usedGpuMemory = 1ULL << 30, .gpuInstanceId = -1U, .computeInstanceId = -1U};
    *count = 1;
    return after(6360, device);
}

nvmlReturn_t nvmlGpmSampleAlloc(nvmlGpmSample_t *out) {
    *out = (nvmlGpmSample_t)0x2000;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlGpmSampleFree(nvmlGpmSample_t sample) {
    return sample == (nvmlGpmSample_t)0x2000 ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}

nvmlReturn_t nvmlGpmSampleGet(nvmlDevice_t device, nvmlGpmSample_t sample) {
    return sample == (nvmlGpmSample_t)0x2000 ? after(33930, device) : NVML_ERROR_INVALID_ARGUMENT;
}

nvmlReturn_t nvmlDeviceGetFieldValues(nvmlDevice_t device, int count, nvmlFieldValue_t *values) {
    for (int i = 0; i < count; i++) {
        values[i].timestamp = 1;
        values[i].valueType = NVML_VALUE_TYPE_UNSIGNED_INT;
        values[i].nvmlReturn = NVML_SUCCESS;
        values[i].value.uiVal = values[i].fieldId;
    }
    return after(168040, device);
}

nvmlReturn_t nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t device, unsigned long long *out) {
    *out = 140728898420736ULL;
    return after(2956500, device);
}

// Functions of three to six arguments, for the first use of each number.

nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char *name, unsigned int length) {
    strncpy(name, "NVIDIA H200", length);
    return after(0, device);
}

nvmlReturn_t nvmlDeviceGetTotalEccErrors(nvmlDevice_t device, nvmlMemoryErrorType_t type, nvmlEccCounterType_t counter, unsigned long long *out) {
    *out = (unsigned long long)type + (unsigned long long)counter;
    return after(0, device);
}

nvmlReturn_t nvmlDeviceGetRemappedRows(nvmlDevice_t device, unsigned int *corrected, unsigned int *uncorrected, unsigned int *pending, unsigned int *failed) {
    *corrected = *uncorrected = *pending = *failed = 0;
    return after(0, device);
}

nvmlReturn_t nvmlDeviceGetSamples(nvmlDevice_t device, nvmlSamplingType_t type, unsigned long long since, nvmlValueType_t *kind, unsigned int *count, nvmlSample_t *samples) {
    (void)type;
    (void)since;
    (void)kind;
    (void)count;
    (void)samples;
    return device == gpu ? NVML_ERROR_NOT_SUPPORTED : NVML_ERROR_INVALID_ARGUMENT;
}
