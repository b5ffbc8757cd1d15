// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import io.gpuagent.nvml.internal.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The C functions of nvml.h that this binding calls, by their C names. A function is looked up when it is first called;
 * where the driver exports only an older name of the same signature, that one is taken.
 */
public enum NvmlFunction {
    // Library and system.
    nvmlInit_v2(Shape.VOID, "nvmlInit"),
    nvmlShutdown(Shape.VOID),
    nvmlSystemGetDriverVersion(Shape.PI),
    nvmlSystemGetNVMLVersion(Shape.PI),
    nvmlSystemGetCudaDriverVersion_v2(Shape.P, "nvmlSystemGetCudaDriverVersion"),
    nvmlDeviceGetCount_v2(Shape.P, "nvmlDeviceGetCount"),
    nvmlDeviceGetHandleByIndex_v2(Shape.IP, "nvmlDeviceGetHandleByIndex"),

    // Identity.
    nvmlDeviceGetName(Shape.PPI),
    nvmlDeviceGetUUID(Shape.PPI),
    nvmlDeviceGetSerial(Shape.PPI),
    nvmlDeviceGetPciInfo_v3(Shape.PP),
    nvmlDeviceGetMinorNumber(Shape.PP),
    nvmlDeviceGetArchitecture(Shape.PP),
    nvmlDeviceGetCudaComputeCapability(Shape.PPP),
    nvmlDeviceGetVbiosVersion(Shape.PPI),
    nvmlDeviceGetBoardPartNumber(Shape.PPI),

    // Utilization.
    nvmlDeviceGetUtilizationRates(Shape.PP),
    nvmlDeviceGetEncoderUtilization(Shape.PPP),
    nvmlDeviceGetDecoderUtilization(Shape.PPP),
    nvmlDeviceGetJpgUtilization(Shape.PPP),
    nvmlDeviceGetOfaUtilization(Shape.PPP),

    // Memory.
    nvmlDeviceGetMemoryInfo_v2(Shape.PP),
    nvmlDeviceGetMemoryInfo(Shape.PP),

    // Temperature.
    nvmlDeviceGetTemperatureV(Shape.PP),
    nvmlDeviceGetTemperature(Shape.PIP),
    nvmlDeviceGetTemperatureThreshold(Shape.PIP),

    // Power and energy.
    nvmlDeviceGetPowerUsage(Shape.PP),
    nvmlDeviceGetPowerManagementLimit(Shape.PP),
    nvmlDeviceGetPowerManagementDefaultLimit(Shape.PP),
    nvmlDeviceGetPowerManagementLimitConstraints(Shape.PPP),
    nvmlDeviceGetEnforcedPowerLimit(Shape.PP),
    nvmlDeviceGetTotalEnergyConsumption(Shape.PP),

    // Clocks.
    nvmlDeviceGetClockInfo(Shape.PIP),
    nvmlDeviceGetMaxClockInfo(Shape.PIP),
    nvmlDeviceGetCurrentClocksEventReasons(Shape.PP, "nvmlDeviceGetCurrentClocksThrottleReasons"),
    nvmlDeviceGetSupportedClocksEventReasons(Shape.PP, "nvmlDeviceGetSupportedClocksThrottleReasons"),
    nvmlDeviceGetPerformanceState(Shape.PP),

    // ECC and memory repair.
    nvmlDeviceGetEccMode(Shape.PPP),
    nvmlDeviceGetTotalEccErrors(Shape.PIIP),
    nvmlDeviceGetRemappedRows(Shape.PPPPP),

    // PCI Express.
    nvmlDeviceGetCurrPcieLinkGeneration(Shape.PP),
    nvmlDeviceGetCurrPcieLinkWidth(Shape.PP),
    nvmlDeviceGetMaxPcieLinkGeneration(Shape.PP),
    nvmlDeviceGetMaxPcieLinkWidth(Shape.PP),

    // Processes. The versions differ in the struct they fill, so each is a function of its own.
    nvmlDeviceGetComputeRunningProcesses_v3(Shape.PPP),
    nvmlDeviceGetComputeRunningProcesses_v2(Shape.PPP),
    nvmlDeviceGetComputeRunningProcesses(Shape.PPP),
    nvmlDeviceGetGraphicsRunningProcesses_v3(Shape.PPP),
    nvmlDeviceGetGraphicsRunningProcesses_v2(Shape.PPP),
    nvmlDeviceGetGraphicsRunningProcesses(Shape.PPP),
    nvmlDeviceGetMPSComputeRunningProcesses_v3(Shape.PPP),
    nvmlDeviceGetMPSComputeRunningProcesses_v2(Shape.PPP),
    nvmlDeviceGetMPSComputeRunningProcesses(Shape.PPP),

    // Devices: how to find them, what they are, where they sit.
    nvmlDeviceGetHandleByUUID(Shape.PP),
    nvmlDeviceGetHandleByUUIDV(Shape.PP),
    nvmlDeviceGetHandleBySerial(Shape.PP),
    nvmlDeviceGetHandleByPciBusId_v2(Shape.PP, "nvmlDeviceGetHandleByPciBusId"),
    nvmlDeviceGetIndex(Shape.PP),
    nvmlGetExcludedDeviceCount(Shape.P),
    nvmlGetExcludedDeviceInfoByIndex(Shape.IP),
    nvmlSystemGetDriverBranch(Shape.PI),
    nvmlSystemGetProcessName(Shape.IPI),
    nvmlDeviceGetBrand(Shape.PP),
    nvmlDeviceGetNumGpuCores(Shape.PP),
    nvmlDeviceGetMemoryBusWidth(Shape.PP),
    nvmlDeviceGetPdi(Shape.PP),
    nvmlDeviceGetPciInfoExt(Shape.PP),
    nvmlDeviceGetCapabilities(Shape.PP),
    nvmlDeviceGetHostname_v1(Shape.PP),
    nvmlDeviceGetBoardId(Shape.PP),
    nvmlDeviceGetMultiGpuBoard(Shape.PP),
    nvmlDeviceGetModuleId(Shape.PP),
    nvmlDeviceGetBridgeChipInfo(Shape.PP),
    nvmlDeviceGetPlatformInfo(Shape.PP),
    nvmlDeviceGetBusType(Shape.PP),
    nvmlDeviceGetIrqNum(Shape.PP),
    nvmlDeviceGetNumaNodeId(Shape.PP),
    nvmlDeviceGetCpuAffinity(Shape.PIP),
    nvmlDeviceGetCpuAffinityWithinScope(Shape.PIPI),
    nvmlDeviceGetMemoryAffinity(Shape.PIPI),
    nvmlDeviceGetGridLicensableFeatures_v4(Shape.PP),

    // Firmware.
    nvmlDeviceGetInforomImageVersion(Shape.PPI),
    nvmlDeviceGetInforomVersion(Shape.PIPI),
    nvmlDeviceGetInforomConfigurationChecksum(Shape.PP),
    nvmlDeviceValidateInforom(Shape.P),
    nvmlDeviceGetLastBBXFlushTime(Shape.PPP),
    nvmlDeviceGetGspFirmwareMode(Shape.PPP),
    nvmlDeviceGetGspFirmwareVersion(Shape.PP),

    // What it is set to.
    nvmlDeviceGetAddressingMode(Shape.PP),
    nvmlDeviceGetVirtualizationMode(Shape.PP),
    nvmlDeviceGetDisplayActive(Shape.PP),
    nvmlDeviceGetDisplayMode(Shape.PP),
    nvmlDeviceGetAPIRestriction(Shape.PIP),
    nvmlDeviceGetGpuOperationMode(Shape.PPP),

    // Activity.
    nvmlDeviceGetBAR1MemoryInfo(Shape.PP),
    nvmlDeviceGetSamples(Shape.PILPPP),
    nvmlDeviceGetDynamicPstatesInfo(Shape.PP),
    nvmlDeviceGetRunningProcessDetailList(Shape.PP),
    nvmlDeviceGetProcessesUtilizationInfo(Shape.PP),
    nvmlDeviceGetProcessUtilization(Shape.PPPL),
    nvmlDeviceGetEncoderCapacity(Shape.PIP),
    nvmlDeviceGetEncoderStats(Shape.PPPP),
    nvmlDeviceGetEncoderSessions(Shape.PPP),
    nvmlDeviceGetFBCStats(Shape.PP),
    nvmlDeviceGetFBCSessions(Shape.PPP),
    nvmlDeviceGetAccountingMode(Shape.PP),
    nvmlDeviceGetAccountingStats(Shape.PIP),
    nvmlDeviceGetAccountingPids(Shape.PPP),
    nvmlDeviceGetAccountingBufferSize(Shape.PP),

    // Heat and fans.
    nvmlDeviceGetMarginTemperature(Shape.PP),
    nvmlDeviceGetThermalSettings(Shape.PIP),
    nvmlDeviceGetCoolerInfo(Shape.PP),
    nvmlDeviceGetNumFans(Shape.PP),
    nvmlDeviceGetFanSpeed_v2(Shape.PIP),
    nvmlDeviceGetFanSpeed(Shape.PP),
    nvmlDeviceGetFanSpeedRPM(Shape.PP),
    nvmlDeviceGetTargetFanSpeed(Shape.PIP),
    nvmlDeviceGetFanControlPolicy_v2(Shape.PIP),
    nvmlDeviceGetMinMaxFanSpeed(Shape.PPP),

    // Power management.
    nvmlDeviceGetPowerSource(Shape.PP),
    nvmlDeviceGetPowerManagementMode(Shape.PP),
    nvmlDeviceGetPowerMizerMode_v1(Shape.PP),
    nvmlDeviceWorkloadPowerProfileGetProfilesInfo(Shape.PP),
    nvmlDeviceWorkloadPowerProfileGetCurrentProfiles(Shape.PP),

    // More of clocks and performance states.
    nvmlDeviceGetClock(Shape.PIIP),
    nvmlDeviceGetApplicationsClock(Shape.PIP),
    nvmlDeviceGetDefaultApplicationsClock(Shape.PIP),
    nvmlDeviceGetMaxCustomerBoostClock(Shape.PIP),
    nvmlDeviceGetSupportedMemoryClocks(Shape.PPP),
    nvmlDeviceGetSupportedGraphicsClocks(Shape.PIPP),
    nvmlDeviceGetAdaptiveClockInfoStatus(Shape.PP),
    nvmlDeviceGetAutoBoostedClocksEnabled(Shape.PPP),
    nvmlDeviceGetClkMonStatus(Shape.PP),
    nvmlDeviceGetViolationStatus(Shape.PIP),
    nvmlDeviceGetClockOffsets(Shape.PP),
    nvmlDeviceGetGpcClkVfOffset(Shape.PP),
    nvmlDeviceGetGpcClkMinMaxVfOffset(Shape.PPP),
    nvmlDeviceGetMemClkVfOffset(Shape.PP),
    nvmlDeviceGetMemClkMinMaxVfOffset(Shape.PPP),
    nvmlDeviceGetSupportedPerformanceStates(Shape.PPI),
    nvmlDeviceGetMinMaxClockOfPState(Shape.PIIPP),
    nvmlDeviceGetPerformanceModes(Shape.PP),
    nvmlDeviceGetCurrentClockFreqs(Shape.PP),

    // Field values.
    nvmlDeviceGetFieldValues(Shape.PIP),

    // Reliability.
    nvmlDeviceGetDefaultEccMode(Shape.PP),
    nvmlDeviceGetMemoryErrorCounter(Shape.PIIIP),
    nvmlDeviceGetSramEccErrorStatus(Shape.PP),
    nvmlDeviceGetSramUniqueUncorrectedEccErrorCounts(Shape.PP),
    nvmlDeviceGetRowRemapperHistogram(Shape.PP),
    nvmlDeviceGetRepairStatus(Shape.PP),
    nvmlDeviceGetRetiredPages_v2(Shape.PIPPP),
    nvmlDeviceGetRetiredPages(Shape.PIPP),
    nvmlDeviceGetRetiredPagesPendingStatus(Shape.PP),

    // PCI Express, the rest.
    nvmlDeviceGetGpuMaxPcieLinkGeneration(Shape.PP),
    nvmlDeviceGetPcieLinkMaxSpeed(Shape.PP),
    nvmlDeviceGetPcieSpeed(Shape.PP),
    nvmlDeviceGetPcieReplayCounter(Shape.PP),
    nvmlDeviceGetPcieThroughput(Shape.PIP),

    // NVLink, fabric and C2C.
    nvmlDeviceGetNvLinkState(Shape.PIP),
    nvmlDeviceGetNvLinkVersion(Shape.PIP),
    nvmlDeviceGetNvLinkCapability(Shape.PIIP),
    nvmlDeviceGetNvLinkErrorCounter(Shape.PIIP),
    nvmlDeviceResetNvLinkErrorCounters(Effect.CHANGES, Shape.PI),
    nvmlDeviceGetNvLinkRemotePciInfo_v2(Shape.PIP, "nvmlDeviceGetNvLinkRemotePciInfo"),
    nvmlDeviceGetNvLinkRemoteDeviceType(Shape.PIP),
    nvmlDeviceGetNvLinkInfo(Shape.PP),
    nvmlDeviceGetNvlinkSupportedBwModes(Shape.PP),
    nvmlDeviceGetNvlinkBwMode(Shape.PP),
    nvmlDeviceSetNvlinkBwMode(Effect.CHANGES, Shape.PP),
    nvmlSystemGetNvlinkBwMode(Shape.P),
    nvmlDeviceGetGpuFabricInfoV(Shape.PP),
    nvmlDeviceGetGpuFabricInfo(Shape.PP),
    nvmlDeviceGetC2cModeInfoV(Shape.PP),

    // Topology and drain.
    nvmlDeviceGetTopologyCommonAncestor(Shape.PPP),
    nvmlDeviceGetTopologyNearestGpus(Shape.PIPP),
    nvmlDeviceGetP2PStatus(Shape.PPIP),
    nvmlDeviceOnSameBoard(Shape.PPP),
    nvmlSystemGetTopologyGpuSet(Shape.IPP),
    nvmlDeviceQueryDrainState(Shape.PP),

    // Confidential computing and memory encryption.
    nvmlDeviceGetConfComputeMemSizeInfo(Shape.PP),
    nvmlDeviceGetConfComputeProtectedMemoryUsage(Shape.PP),
    nvmlDeviceGetConfComputeGpuCertificate(Shape.PP),
    nvmlDeviceGetConfComputeGpuAttestationReport(Shape.PP),
    nvmlDeviceGetDramEncryptionMode(Shape.PPP),
    nvmlSystemGetConfComputeCapabilities(Shape.P),
    nvmlSystemGetConfComputeState(Shape.P),
    nvmlSystemGetConfComputeSettings(Shape.P),
    nvmlSystemGetConfComputeGpusReadyState(Shape.P),
    nvmlSystemGetConfComputeKeyRotationThresholdInfo(Shape.P),

    // Events: a set belongs to this process, and nothing on the machine changes with it.
    nvmlDeviceGetSupportedEventTypes(Shape.PP),
    nvmlDeviceRegisterEvents(Shape.PLP),
    nvmlEventSetCreate(Shape.P),
    nvmlEventSetWait_v2(Shape.PPI, "nvmlEventSetWait"),
    nvmlEventSetFree(Shape.P),
    nvmlSystemEventSetCreate(Shape.P),
    nvmlSystemRegisterEvents(Shape.P),
    nvmlSystemEventSetWait(Shape.P),
    nvmlSystemEventSetFree(Shape.P),

    // GPM: a sample belongs to this process, too.
    nvmlGpmQueryDeviceSupport(Shape.PP),
    nvmlGpmSampleAlloc(Shape.P),
    nvmlGpmSampleFree(Shape.P),
    nvmlGpmSampleGet(Shape.PP),
    nvmlGpmMigSampleGet(Shape.PIP),
    nvmlGpmMetricsGet(Shape.P),
    nvmlGpmQueryIfStreamingEnabled(Shape.PP),
    nvmlGpmSetStreamingEnabled(Effect.CHANGES, Shape.PI),

    // Field values, clearing.
    nvmlDeviceClearFieldValues(Effect.CHANGES, Shape.PIP),

    // Modes.
    nvmlDeviceGetMigMode(Shape.PPP),
    nvmlDeviceGetPersistenceMode(Shape.PP),
    nvmlDeviceGetComputeMode(Shape.PP),

    // MIG.
    nvmlDeviceSetMigMode(Effect.CHANGES, Shape.PIP),
    nvmlDeviceIsMigDeviceHandle(Shape.PP),
    nvmlDeviceGetMaxMigDeviceCount(Shape.PP),
    nvmlDeviceGetMigDeviceHandleByIndex(Shape.PIP),
    nvmlDeviceGetDeviceHandleFromMigDeviceHandle(Shape.PP),
    nvmlDeviceGetGpuInstanceId(Shape.PP),
    nvmlDeviceGetComputeInstanceId(Shape.PP),
    nvmlDeviceGetAttributes_v2(Shape.PP),
    nvmlDeviceGetGpuInstanceProfileInfoV(Shape.PIP),
    nvmlDeviceGetGpuInstanceProfileInfoByIdV(Shape.PIP),
    nvmlDeviceGetGpuInstanceProfileInfo(Shape.PIP),
    nvmlDeviceGetGpuInstancePossiblePlacements_v2(Shape.PIPP, "nvmlDeviceGetGpuInstancePossiblePlacements"),
    nvmlDeviceGetGpuInstanceRemainingCapacity(Shape.PIP),
    nvmlDeviceGetGpuInstances(Shape.PIPP),
    nvmlDeviceGetGpuInstanceById(Shape.PIP),
    nvmlDeviceCreateGpuInstance(Effect.CHANGES, Shape.PIP),
    nvmlDeviceCreateGpuInstanceWithPlacement(Effect.CHANGES, Shape.PIPP),
    nvmlGpuInstanceGetInfo(Shape.PP),
    nvmlGpuInstanceDestroy(Effect.CHANGES, Shape.P),
    nvmlGpuInstanceGetComputeInstanceProfileInfoV(Shape.PIIP),
    nvmlGpuInstanceGetComputeInstanceProfileInfo(Shape.PIIP),
    nvmlGpuInstanceGetComputeInstancePossiblePlacements(Shape.PIPP),
    nvmlGpuInstanceGetComputeInstanceRemainingCapacity(Shape.PIP),
    nvmlGpuInstanceGetComputeInstances(Shape.PIPP),
    nvmlGpuInstanceGetComputeInstanceById(Shape.PIP),
    nvmlGpuInstanceCreateComputeInstance(Effect.CHANGES, Shape.PIP),
    nvmlGpuInstanceCreateComputeInstanceWithPlacement(Effect.CHANGES, Shape.PIPP),
    nvmlComputeInstanceGetInfo_v2(Shape.PP),
    nvmlComputeInstanceDestroy(Effect.CHANGES, Shape.P),

    // Control.
    nvmlDeviceSetComputeMode(Effect.CHANGES, Shape.PI),
    nvmlDeviceSetPersistenceMode(Effect.CHANGES, Shape.PI),
    nvmlDeviceSetAccountingMode(Effect.CHANGES, Shape.PI),
    nvmlDeviceClearAccountingPids(Effect.CHANGES, Shape.P),
    nvmlDeviceSetEccMode(Effect.CHANGES, Shape.PI),
    nvmlDeviceClearEccErrorCounts(Effect.CHANGES, Shape.PI),
    nvmlDeviceSetDramEncryptionMode(Effect.CHANGES, Shape.PP),
    nvmlDeviceSetConfComputeUnprotectedMemSize(Effect.CHANGES, Shape.PL),
    nvmlSystemSetConfComputeGpusReadyState(Effect.CHANGES, Shape.I),
    nvmlSystemSetConfComputeKeyRotationThresholdInfo(Effect.CHANGES, Shape.P),
    nvmlDeviceSetNvLinkDeviceLowPowerThreshold(Effect.CHANGES, Shape.PP),
    nvmlSystemSetNvlinkBwMode(Effect.CHANGES, Shape.I),
    nvmlDeviceSetGpuLockedClocks(Effect.CHANGES, Shape.PII),
    nvmlDeviceResetGpuLockedClocks(Effect.CHANGES, Shape.P),
    nvmlDeviceSetMemoryLockedClocks(Effect.CHANGES, Shape.PII),
    nvmlDeviceResetMemoryLockedClocks(Effect.CHANGES, Shape.P),
    nvmlDeviceSetApplicationsClocks(Effect.CHANGES, Shape.PII),
    nvmlDeviceResetApplicationsClocks(Effect.CHANGES, Shape.P),
    nvmlDeviceSetClockOffsets(Effect.CHANGES, Shape.PP),
    nvmlDeviceSetAutoBoostedClocksEnabled(Effect.CHANGES, Shape.PI),
    nvmlDeviceSetDefaultAutoBoostedClocksEnabled(Effect.CHANGES, Shape.PII),
    nvmlDeviceSetAPIRestriction(Effect.CHANGES, Shape.PII),
    nvmlDeviceSetPowerManagementLimit_v2(Effect.CHANGES, Shape.PP),
    nvmlDeviceSetPowerManagementLimit(Effect.CHANGES, Shape.PI),
    nvmlDeviceWorkloadPowerProfileSetRequestedProfiles(Effect.CHANGES, Shape.PP),
    nvmlDeviceWorkloadPowerProfileClearRequestedProfiles(Effect.CHANGES, Shape.PP),
    nvmlDevicePowerSmoothingSetState(Effect.CHANGES, Shape.PP),
    nvmlDevicePowerSmoothingActivatePresetProfile(Effect.CHANGES, Shape.PP),
    nvmlDevicePowerSmoothingUpdatePresetProfileParam(Effect.CHANGES, Shape.PP),
    nvmlDeviceSetFanSpeed_v2(Effect.CHANGES, Shape.PII),
    nvmlDeviceSetDefaultFanSpeed_v2(Effect.CHANGES, Shape.PI),
    nvmlDeviceSetFanControlPolicy(Effect.CHANGES, Shape.PII),
    nvmlDeviceSetTemperatureThreshold(Effect.CHANGES, Shape.PIP),
    nvmlDeviceModifyDrainState(Effect.CHANGES, Shape.PI),
    nvmlDeviceRemoveGpu_v2(Effect.CHANGES, Shape.PII),
    nvmlDeviceDiscoverGpus(Effect.CHANGES, Shape.P),

    // vGPU, as its host sees it.
    nvmlGetVgpuVersion(Shape.PP),
    nvmlGetVgpuDriverCapabilities(Shape.IP),
    nvmlDeviceGetHostVgpuMode(Shape.PP),
    nvmlDeviceGetVgpuHeterogeneousMode(Shape.PP),
    nvmlDeviceGetVgpuCapabilities(Shape.PIP),
    nvmlDeviceGetSupportedVgpus(Shape.PPP),
    nvmlDeviceGetCreatableVgpus(Shape.PPP),
    nvmlDeviceGetActiveVgpus(Shape.PPP),
    nvmlDeviceGetVgpuInstancesUtilizationInfo(Shape.PP),
    nvmlDeviceGetVgpuProcessesUtilizationInfo(Shape.PP),
    nvmlDeviceGetVgpuSchedulerCapabilities(Shape.PP),
    nvmlDeviceGetVgpuSchedulerState(Shape.PP),
    nvmlDeviceGetVgpuSchedulerLog(Shape.PP),
    nvmlVgpuTypeGetName(Shape.IPP),
    nvmlVgpuTypeGetClass(Shape.IPP),
    nvmlVgpuTypeGetDeviceID(Shape.IPP),
    nvmlVgpuTypeGetFramebufferSize(Shape.IP),
    nvmlVgpuTypeGetFbReservation(Shape.IP),
    nvmlVgpuTypeGetMaxInstances(Shape.PIP),
    nvmlVgpuTypeGetMaxInstancesPerVm(Shape.IP),
    nvmlVgpuTypeGetNumDisplayHeads(Shape.IP),
    nvmlVgpuTypeGetResolution(Shape.IIPP),
    nvmlVgpuTypeGetLicense(Shape.IPI),
    nvmlVgpuTypeGetFrameRateLimit(Shape.IP),
    nvmlVgpuTypeGetGpuInstanceProfileId(Shape.IP),
    nvmlVgpuTypeGetCapabilities(Shape.IIP),
    nvmlVgpuInstanceGetUUID(Shape.IPI),
    nvmlVgpuInstanceGetMdevUUID(Shape.IPI),
    nvmlVgpuInstanceGetVmID(Shape.IPIP),
    nvmlVgpuInstanceGetVmDriverVersion(Shape.IPI),
    nvmlVgpuInstanceGetGpuPciId(Shape.IPP),
    nvmlVgpuInstanceGetType(Shape.IP),
    nvmlVgpuInstanceGetGpuInstanceId(Shape.IP),
    nvmlVgpuInstanceGetFbUsage(Shape.IP),
    nvmlVgpuInstanceGetLicenseInfo_v2(Shape.IP),
    nvmlVgpuInstanceGetFrameRateLimit(Shape.IP),
    nvmlVgpuInstanceGetEccMode(Shape.IP),
    nvmlVgpuInstanceGetEncoderCapacity(Shape.IP),
    nvmlVgpuInstanceGetEncoderStats(Shape.IPPP),
    nvmlVgpuInstanceGetEncoderSessions(Shape.IPP),
    nvmlVgpuInstanceGetFBCStats(Shape.IP),
    nvmlVgpuInstanceGetAccountingMode(Shape.IP),
    nvmlVgpuInstanceGetAccountingPids(Shape.IPP),
    nvmlVgpuInstanceGetAccountingStats(Shape.IIP);

    private final Effect effect;
    private final Shape shape;

    @SuppressWarnings("ImmutableEnumChecker") // Unmodifiable, and so are strings.
    private final List<String> candidates;

    NvmlFunction(Shape shape, String... olderNames) {
        this(Effect.READS, shape, olderNames);
    }

    NvmlFunction(Effect effect, Shape shape, String... olderNames) {
        this.effect = effect;
        this.shape = shape;
        // Without a stream: there are some four hundred of these, made when the first call is.
        List<String> names = new ArrayList<>(1 + olderNames.length);
        names.add(name());
        Collections.addAll(names, olderNames);
        this.candidates = List.copyOf(names);
    }

    /**
     * What it does.
     *
     * @return whether it only reads
     */
    public Effect effect() {
        return effect;
    }

    /**
     * The names it may have in the library.
     *
     * @return newest first
     */
    public List<String> candidates() {
        return candidates;
    }

    /**
     * Its parameters, a letter each: P a pointer or handle, I a 32-bit integer or enum, L a 64-bit integer.
     *
     * @return for example {@code PIP}
     */
    public String parameters() {
        return shape.parameters();
    }
}
