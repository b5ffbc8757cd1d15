// SPDX-License-Identifier: Apache-2.0
// A libnvidia-ml.so.1 of a driver with one GPU that answers a few getters with fixed values. All other functions are
// left out, so that a caller meets missing symbols. DRIVER is its version; WITH_JPEG adds a function that came later,
// WITH_MIG an instance of MIG with its handles, and a list that is longer than it seemed.
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

#ifdef WITH_MIG
static struct nvmlGpuInstance_st *const gpu_instance = (struct nvmlGpuInstance_st *)0x2000;
static struct nvmlComputeInstance_st *const compute_instance = (struct nvmlComputeInstance_st *)0x3000;
static struct nvmlDevice_st *const mig = (struct nvmlDevice_st *)0x4000;
enum { PROFILE = 19, PROCESSES = 1000 };

nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char *uuid, unsigned int length) {
    return text(uuid, length, device == mig ? "MIG-a1b2c3d4-0000-1111-2222-333344445555" : "GPU-12345678-90ab-cdef-1234-567890abcdef");
}

nvmlReturn_t nvmlDeviceGetGpuInstanceProfileInfo(nvmlDevice_t device, unsigned int profile, nvmlGpuInstanceProfileInfo_t *info) {
    if (device != gpu || profile != 0) {
        return NVML_ERROR_NOT_SUPPORTED;
    }
    *info = (nvmlGpuInstanceProfileInfo_t){.id = PROFILE, .sliceCount = 1, .instanceCount = 7, .memorySizeMB = 1ULL << 33};
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetGpuInstances(nvmlDevice_t device, unsigned int profileId, nvmlGpuInstance_t *instances, unsigned int *count) {
    if (device != gpu || profileId != PROFILE) {
        return NVML_ERROR_INVALID_ARGUMENT;
    }
    instances[0] = gpu_instance;
    *count = 1;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlGpuInstanceGetInfo(nvmlGpuInstance_t instance, nvmlGpuInstanceInfo_t *info) {
    if (instance != gpu_instance) {
        return NVML_ERROR_INVALID_ARGUMENT;
    }
    *info = (nvmlGpuInstanceInfo_t){.device = gpu, .id = 7, .profileId = PROFILE, .placement = {.start = 4, .size = 1}};
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlGpuInstanceGetComputeInstanceById(nvmlGpuInstance_t instance, unsigned int id, nvmlComputeInstance_t *compute) {
    if (instance != gpu_instance || id != 0) {
        return NVML_ERROR_NOT_FOUND;
    }
    *compute = compute_instance;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlComputeInstanceGetInfo_v2(nvmlComputeInstance_t instance, nvmlComputeInstanceInfo_t *info) {
    if (instance != compute_instance) {
        return NVML_ERROR_INVALID_ARGUMENT;
    }
    *info = (nvmlComputeInstanceInfo_t){.device = gpu, .gpuInstance = gpu_instance, .placement = {.size = 1}};
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetMigDeviceHandleByIndex(nvmlDevice_t device, unsigned int index, nvmlDevice_t *found) {
    if (device != gpu || index != 0) {
        return NVML_ERROR_NOT_FOUND;
    }
    *found = mig;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetDeviceHandleFromMigDeviceHandle(nvmlDevice_t device, nvmlDevice_t *parent) {
    if (device != mig) {
        return NVML_ERROR_INVALID_ARGUMENT;
    }
    *parent = gpu;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v3(nvmlDevice_t device, unsigned int *count, nvmlProcessInfo_t *infos) {
    unsigned int room = *count;
    (void)device;
    *count = PROCESSES;
    if (room < PROCESSES) {
        return NVML_ERROR_INSUFFICIENT_SIZE;
    }
    for (unsigned int i = 0; i < PROCESSES; i++) {
        infos[i] = (nvmlProcessInfo_t){.pid = 100 + i, .usedGpuMemory = 1 << 20, .gpuInstanceId = 7, .computeInstanceId = 0};
    }
    return NVML_SUCCESS;
}
#endif
