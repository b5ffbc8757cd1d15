// SPDX-License-Identifier: Apache-2.0
// What calls of NVML cost in C: the baseline of CallTable. The library is loaded with dlopen, as the binding does, and
// what a call fills is made ready anew each time, as the binding does.
//
//   gcc -O2 -I FOLDER-OF-nvml.h -o nvml-loop nvml-loop.c -ldl
//   nvml-loop LIBRARY
//
// First it prints a line: "start LOAD INIT HANDLE FIRST", nanoseconds until the library was loaded, for nvmlInit_v2, for
// the handle of GPU 0 and for a first getter. Then it answers each line of its input, "CALL COUNT", with the nanoseconds
// that so many calls took together, or with "refused CODE"; it ends with its input.
#define _GNU_SOURCE
#define NVML_NO_UNVERSIONED_FUNC_DEFS
#include "nvml.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void *library;
static nvmlDevice_t gpu;
static nvmlGpmSample_t sample;

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void *function(const char *name) {
    return dlsym(library, name);
}

// Looked up once for all calls of a line.
#define FIND(type, name) \
    type name = (type)function(#name); \
    if (name == NULL) { \
        return NVML_ERROR_FUNCTION_NOT_FOUND; \
    }

typedef nvmlReturn_t (*device_u32)(nvmlDevice_t, unsigned int *);
typedef nvmlReturn_t (*device_u64)(nvmlDevice_t, unsigned long long *);
typedef nvmlReturn_t (*device_pointer)(nvmlDevice_t, void *);
typedef nvmlReturn_t (*device_selector)(nvmlDevice_t, unsigned int, unsigned int *);
typedef nvmlReturn_t (*device_list)(nvmlDevice_t, unsigned int *, nvmlProcessInfo_t *);
typedef nvmlReturn_t (*device_fields)(nvmlDevice_t, int, nvmlFieldValue_t *);
typedef nvmlReturn_t (*device_sample)(nvmlDevice_t, nvmlGpmSample_t);

// Runs a call so often, or until it is refused.
#define TIMES(count, call) \
    nvmlReturn_t code = NVML_SUCCESS; \
    for (long i = 0; i < (count) && code == NVML_SUCCESS; i++) { \
        call; \
    } \
    return code

static nvmlReturn_t utilization(long count) {
    FIND(device_pointer, nvmlDeviceGetUtilizationRates)
    nvmlUtilization_t out;
    TIMES(count, memset(&out, 0, sizeof out); code = nvmlDeviceGetUtilizationRates(gpu, &out));
}

static nvmlReturn_t temperature(long count) {
    FIND(device_pointer, nvmlDeviceGetTemperatureV)
    nvmlTemperature_v1_t out;
    TIMES(count, memset(&out, 0, sizeof out); out.version = nvmlTemperature_v1; code = nvmlDeviceGetTemperatureV(gpu, &out));
}

static nvmlReturn_t power(long count) {
    FIND(device_u32, nvmlDeviceGetPowerUsage)
    unsigned int out;
    TIMES(count, out = 0; code = nvmlDeviceGetPowerUsage(gpu, &out));
}

static nvmlReturn_t clock_sm(long count) {
    FIND(device_selector, nvmlDeviceGetClockInfo)
    unsigned int out;
    TIMES(count, out = 0; code = nvmlDeviceGetClockInfo(gpu, NVML_CLOCK_SM, &out));
}

static nvmlReturn_t pstate(long count) {
    FIND(device_u32, nvmlDeviceGetPerformanceState)
    unsigned int out;
    TIMES(count, out = 0; code = nvmlDeviceGetPerformanceState(gpu, &out));
}

static nvmlReturn_t reasons(long count) {
    FIND(device_u64, nvmlDeviceGetCurrentClocksEventReasons)
    unsigned long long out;
    TIMES(count, out = 0; code = nvmlDeviceGetCurrentClocksEventReasons(gpu, &out));
}

static nvmlReturn_t memory(long count) {
    FIND(device_pointer, nvmlDeviceGetMemoryInfo_v2)
    nvmlMemory_v2_t out;
    TIMES(count, memset(&out, 0, sizeof out); out.version = nvmlMemory_v2; code = nvmlDeviceGetMemoryInfo_v2(gpu, &out));
}

static nvmlReturn_t processes(long count) {
    FIND(device_list, nvmlDeviceGetComputeRunningProcesses_v3)
    nvmlProcessInfo_t out[32];
    unsigned int listed;
    TIMES(count, memset(out, 0, sizeof out); listed = 32; code = nvmlDeviceGetComputeRunningProcesses_v3(gpu, &listed, out));
}

static nvmlReturn_t gpm(long count) {
    FIND(device_sample, nvmlGpmSampleGet)
    if (sample == NULL) {
        nvmlReturn_t (*alloc)(nvmlGpmSample_t *) = (nvmlReturn_t(*)(nvmlGpmSample_t *))function("nvmlGpmSampleAlloc");
        if (alloc == NULL || alloc(&sample) != NVML_SUCCESS) {
            return NVML_ERROR_NOT_SUPPORTED;
        }
    }
    TIMES(count, code = nvmlGpmSampleGet(gpu, sample));
}

// The fields of CallTable: errors, power, limits, temperatures.
static const unsigned int field_ids[] = {3, 4, 5, 6, 142, 143, 144, 145, 74, 76, 185, 186, 187, 188, 189, 190, 230, 82, 94};
enum { FIELDS = sizeof field_ids / sizeof *field_ids };

static nvmlReturn_t fields(long count) {
    FIND(device_fields, nvmlDeviceGetFieldValues)
    nvmlFieldValue_t out[FIELDS];
    TIMES(
        count, memset(out, 0, sizeof out);
        for (int field = 0; field < FIELDS; field++) out[field].fieldId = field_ids[field];
        code = nvmlDeviceGetFieldValues(gpu, FIELDS, out));
}

static nvmlReturn_t energy(long count) {
    FIND(device_u64, nvmlDeviceGetTotalEnergyConsumption)
    unsigned long long out;
    TIMES(count, out = 0; code = nvmlDeviceGetTotalEnergyConsumption(gpu, &out));
}

static const struct {
    const char *name;
    nvmlReturn_t (*run)(long);
} calls[] = {{"utilization", utilization}, {"temperature", temperature}, {"power", power}, {"clock-sm", clock_sm},
    {"pstate", pstate}, {"reasons", reasons}, {"memory", memory}, {"processes", processes}, {"gpm", gpm},
    {"fields", fields}, {"energy", energy}};

static void fail(const char *what, long detail) {
    fprintf(stderr, "nvml-loop: %s (%ld)\n", what, detail);
    exit(1);
}

int main(int count, char **arguments) {
    if (count != 2) {
        fail("name the library", count - 1);
    }
    long long begun = now();
    library = dlopen(arguments[1], RTLD_LAZY);
    if (library == NULL) {
        fail(dlerror(), 0);
    }
    long long loaded = now();
    nvmlReturn_t (*init)(void) = (nvmlReturn_t(*)(void))function("nvmlInit_v2");
    nvmlReturn_t (*handle)(unsigned int, nvmlDevice_t *) =
        (nvmlReturn_t(*)(unsigned int, nvmlDevice_t *))function("nvmlDeviceGetHandleByIndex_v2");
    if (init == NULL || handle == NULL) {
        fail("the library is no NVML", 0);
    }
    nvmlReturn_t code = init();
    if (code != NVML_SUCCESS) {
        fail("nvmlInit_v2 answers", code);
    }
    long long initialised = now();
    code = handle(0, &gpu);
    if (code != NVML_SUCCESS) {
        fail("nvmlDeviceGetHandleByIndex_v2 answers", code);
    }
    long long attached = now();
    power(1);
    printf("start %lld %lld %lld %lld\n", loaded - begun, initialised - loaded, attached - initialised, now() - attached);
    fflush(stdout);
    char name[32];
    long wanted;
    while (scanf("%31s %ld", name, &wanted) == 2) {
        nvmlReturn_t (*run)(long) = NULL;
        for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
            if (strcmp(calls[i].name, name) == 0) {
                run = calls[i].run;
            }
        }
        if (run == NULL) {
            fail("no such call", 0);
        }
        long long start = now();
        code = run(wanted);
        long long took = now() - start;
        if (code == NVML_SUCCESS) {
            printf("%lld\n", took);
        } else {
            printf("refused %d\n", code);
        }
        fflush(stdout);
    }
    return 0;
}
