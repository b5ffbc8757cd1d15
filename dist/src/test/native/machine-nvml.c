// SPDX-License-Identifier: Apache-2.0
// A libnvidia-ml.so.1 of a machine with one GPU, whose compute mode is in a file, so that all processes of the machine
// see the same one, and only root may change it. All other functions are left out.
#define NVML_NO_UNVERSIONED_FUNC_DEFS
#include "nvml.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct nvmlDevice_st *const gpu = (struct nvmlDevice_st *)0x1000;

static nvmlReturn_t text(char *out, unsigned int length, const char *value) {
    if (length <= strlen(value)) {
        return NVML_ERROR_INSUFFICIENT_SIZE;
    }
    strcpy(out, value);
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlInit_v2(void) {
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlShutdown(void) {
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlSystemGetDriverVersion(char *version, unsigned int length) {
    return text(version, length, "580.159.04");
}

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int *count) {
    *count = 1;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t *device) {
    *device = gpu;
    return index == 0 ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}

nvmlReturn_t nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice_t *device) {
    *device = gpu;
    return strcmp(uuid, UUID) == 0 ? NVML_SUCCESS : NVML_ERROR_NOT_FOUND;
}

nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned int *index) {
    *index = 0;
    return device == gpu ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}

nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char *uuid, unsigned int length) {
    return device == gpu ? text(uuid, length, UUID) : NVML_ERROR_INVALID_ARGUMENT;
}

nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char *name, unsigned int length) {
    return device == gpu ? text(name, length, "NVIDIA H200") : NVML_ERROR_INVALID_ARGUMENT;
}

nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory) {
    *memory = (nvmlMemory_t){.total = 139ULL << 30, .free = 138ULL << 30, .used = 1ULL << 30};
    return device == gpu ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}

nvmlReturn_t nvmlDeviceGetComputeMode(nvmlDevice_t device, nvmlComputeMode_t *mode) {
    FILE *file = fopen(MODE_FILE, "r");
    int digit = file == NULL ? '0' : fgetc(file);
    if (file != NULL) {
        fclose(file);
    }
    *mode = (nvmlComputeMode_t)(digit - '0');
    return device == gpu ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}

nvmlReturn_t nvmlDeviceSetComputeMode(nvmlDevice_t device, nvmlComputeMode_t mode) {
    FILE *file;
    if (device != gpu || mode >= NVML_COMPUTEMODE_COUNT) {
        return NVML_ERROR_INVALID_ARGUMENT;
    }
    if (geteuid() != 0) {
        return NVML_ERROR_NO_PERMISSION;
    }
    file = fopen(MODE_FILE, "w");
    if (file == NULL) {
        return NVML_ERROR_UNKNOWN;
    }
    fputc('0' + (int)mode, file);
    return fclose(file) == 0 ? NVML_SUCCESS : NVML_ERROR_UNKNOWN;
}
