// SPDX-License-Identifier: Apache-2.0
// A libnvidia-ml.so.1 of a driver with one GPU that answers a few getters with fixed values. All other functions are
// left out, so that a caller meets missing symbols. DRIVER is its version; WITH_JPEG adds a function that came later.
#define NVML_NO_UNVERSIONED_FUNC_DEFS
#include "nvml.h"

#include <string.h>

static struct nvmlDevice_st *const gpu = (struct nvmlDevice_st *)0x1000;
static int users;

static nvmlReturn_t text(char *out, unsigned int length, const char *value) {
    if (out == NULL) {
        return NVML_ERROR_INVALID_ARGUMENT;
    }
    if (length <= strlen(value)) {
        return NVML_ERROR_INSUFFICIENT_SIZE;
    }
    strcpy(out, value);
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlInit_v2(void) {
    users++;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlShutdown(void) {
    if (users == 0) {
        return NVML_ERROR_UNINITIALIZED;
    }
    users--;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlSystemGetDriverVersion(char *version, unsigned int length) {
    return text(version, length, DRIVER);
}

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int *count) {
    *count = 1;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t *device) {
    if (index != 0) {
        return NVML_ERROR_INVALID_ARGUMENT;
    }
    *device = gpu;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char *name, unsigned int length) {
    return device == gpu ? text(name, length, "NVIDIA Small") : NVML_ERROR_INVALID_ARGUMENT;
}

// The older of two functions: the newer one of R510 is not there.
nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory) {
    if (device != gpu) {
        return NVML_ERROR_INVALID_ARGUMENT;
    }
    *memory = (nvmlMemory_t){.total = 1ULL << 34, .free = 3ULL << 32, .used = 1ULL << 32};
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned int *power) {
    (void)power;
    return device == gpu ? NVML_ERROR_NOT_SUPPORTED : NVML_ERROR_INVALID_ARGUMENT;
}

nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t device, nvmlTemperatureSensors_t sensor, unsigned int *temperature) {
    if (device != gpu || sensor != NVML_TEMPERATURE_GPU) {
        return NVML_ERROR_INVALID_ARGUMENT;
    }
    *temperature = 42;
    return NVML_SUCCESS;
}

#ifdef WITH_JPEG
nvmlReturn_t nvmlDeviceGetJpgUtilization(nvmlDevice_t device, unsigned int *utilization, unsigned int *period) {
    *utilization = 7;
    *period = 100000;
    return device == gpu ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}
#endif
