import { types } from './ctypes.ts';

// The keys are the names that users know; the strings hold the real symbols. Memory and the reasons of clocks have both
// versions, because one answers on drivers that lack the other.
export const functions = {
  TYPES: types as typeof types,
  INITIALIZATION: {
    nvmlInitWithFlags: 'nvmlReturn_t nvmlInitWithFlags(unsigned int flags)',
    nvmlShutdown: 'nvmlReturn_t nvmlShutdown(void)',
  },
  SYSTEM: {
    nvmlSystemGetDriverVersion: 'nvmlReturn_t nvmlSystemGetDriverVersion(_Out_ char *version, unsigned int length)',
    nvmlSystemGetNVMLVersion: 'nvmlReturn_t nvmlSystemGetNVMLVersion(_Out_ char *version, unsigned int length)',
    nvmlSystemGetCudaDriverVersion: 'nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(_Out_ int *cudaDriverVersion)',
    nvmlSystemGetProcessName:
      'nvmlReturn_t nvmlSystemGetProcessName(unsigned int pid, _Out_ char *name, unsigned int length)',
  },
  DEVICE: {
    nvmlDeviceGetCount: 'nvmlReturn_t nvmlDeviceGetCount_v2(_Out_ unsigned int *deviceCount)',
    nvmlDeviceGetHandleByIndex:
      'nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index, _Out_ nvmlDevice_t *device)',
    nvmlDeviceGetHandleBySerial:
      'nvmlReturn_t nvmlDeviceGetHandleBySerial(const char *serial, _Out_ nvmlDevice_t *device)',
    nvmlDeviceGetHandleByUUID: 'nvmlReturn_t nvmlDeviceGetHandleByUUID(const char *uuid, _Out_ nvmlDevice_t *device)',
    nvmlDeviceGetHandleByPciBusId:
      'nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char *pciBusId, _Out_ nvmlDevice_t *device)',
    nvmlDeviceGetName: 'nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, _Out_ char *name, unsigned int length)',
    nvmlDeviceGetBrand: 'nvmlReturn_t nvmlDeviceGetBrand(nvmlDevice_t device, _Out_ nvmlBrandType_t *type)',
    nvmlDeviceGetIndex: 'nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, _Out_ unsigned int *index)',
    nvmlDeviceGetSerial:
      'nvmlReturn_t nvmlDeviceGetSerial(nvmlDevice_t device, _Out_ char *serial, unsigned int length)',
    nvmlDeviceGetUUID: 'nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, _Out_ char *uuid, unsigned int length)',
    nvmlDeviceGetMinorNumber:
      'nvmlReturn_t nvmlDeviceGetMinorNumber(nvmlDevice_t device, _Out_ unsigned int *minorNumber)',
    nvmlDeviceGetBoardPartNumber:
      'nvmlReturn_t nvmlDeviceGetBoardPartNumber(nvmlDevice_t device, _Out_ char *partNumber, unsigned int length)',
    nvmlDeviceGetVbiosVersion:
      'nvmlReturn_t nvmlDeviceGetVbiosVersion(nvmlDevice_t device, _Out_ char *version, unsigned int length)',
    nvmlDeviceGetArchitecture:
      'nvmlReturn_t nvmlDeviceGetArchitecture(nvmlDevice_t device, _Out_ nvmlDeviceArchitecture_t *arch)',
    nvmlDeviceGetCudaComputeCapability:
      'nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, _Out_ int *major, _Out_ int *minor)',
    nvmlDeviceGetNumGpuCores:
      'nvmlReturn_t nvmlDeviceGetNumGpuCores(nvmlDevice_t device, _Out_ unsigned int *numCores)',
    nvmlDeviceGetMemoryBusWidth:
      'nvmlReturn_t nvmlDeviceGetMemoryBusWidth(nvmlDevice_t device, _Out_ unsigned int *busWidth)',
    nvmlDeviceGetPciInfo: 'nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, _Out_ nvmlPciInfo_t *pci)',
    nvmlDeviceGetMemoryInfo: 'nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, _Out_ nvmlMemory_t *memory)',
    nvmlDeviceGetMemoryInfo_v2:
      'nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, _Out_ nvmlMemory_v2_t *memory)',
    nvmlDeviceGetBAR1MemoryInfo:
      'nvmlReturn_t nvmlDeviceGetBAR1MemoryInfo(nvmlDevice_t device, _Out_ nvmlBAR1Memory_t *bar1Memory)',
    nvmlDeviceGetUtilizationRates:
      'nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t device, _Out_ nvmlUtilization_t *utilization)',
    nvmlDeviceGetEncoderUtilization:
      'nvmlReturn_t nvmlDeviceGetEncoderUtilization(nvmlDevice_t device, _Out_ unsigned int *utilization, _Out_ unsigned int *samplingPeriodUs)',
    nvmlDeviceGetDecoderUtilization:
      'nvmlReturn_t nvmlDeviceGetDecoderUtilization(nvmlDevice_t device, _Out_ unsigned int *utilization, _Out_ unsigned int *samplingPeriodUs)',
    nvmlDeviceGetEncoderStats:
      'nvmlReturn_t nvmlDeviceGetEncoderStats(nvmlDevice_t device, _Out_ unsigned int *sessionCount, _Out_ unsigned int *averageFps, _Out_ unsigned int *averageLatency)',
    nvmlDeviceGetProcessUtilization:
      'nvmlReturn_t nvmlDeviceGetProcessUtilization(nvmlDevice_t device, _Out_ nvmlProcessUtilizationSample_t *utilization, _Out_ unsigned int *processSamplesCount, unsigned long long lastSeenTimeStamp)',
    nvmlDeviceGetTemperature:
      'nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t device, nvmlTemperatureSensors_t sensorType, _Out_ unsigned int *temp)',
    nvmlDeviceGetTemperatureThreshold:
      'nvmlReturn_t nvmlDeviceGetTemperatureThreshold(nvmlDevice_t device, nvmlTemperatureThresholds_t thresholdType, _Out_ unsigned int *temp)',
    nvmlDeviceGetFanSpeed:
      'nvmlReturn_t nvmlDeviceGetFanSpeed_v2(nvmlDevice_t device, unsigned int fan, _Out_ unsigned int *speed)',
    nvmlDeviceGetNumFans: 'nvmlReturn_t nvmlDeviceGetNumFans(nvmlDevice_t device, _Out_ unsigned int *numFans)',
    nvmlDeviceGetPerformanceState:
      'nvmlReturn_t nvmlDeviceGetPerformanceState(nvmlDevice_t device, _Out_ nvmlPstates_t *pState)',
    nvmlDeviceGetPowerUsage: 'nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t device, _Out_ unsigned int *power)',
    nvmlDeviceGetPowerManagementLimit:
      'nvmlReturn_t nvmlDeviceGetPowerManagementLimit(nvmlDevice_t device, _Out_ unsigned int *limit)',
    nvmlDeviceGetPowerManagementLimitConstraints:
      'nvmlReturn_t nvmlDeviceGetPowerManagementLimitConstraints(nvmlDevice_t device, _Out_ unsigned int *minLimit, _Out_ unsigned int *maxLimit)',
    nvmlDeviceGetPowerManagementDefaultLimit:
      'nvmlReturn_t nvmlDeviceGetPowerManagementDefaultLimit(nvmlDevice_t device, _Out_ unsigned int *defaultLimit)',
    nvmlDeviceGetEnforcedPowerLimit:
      'nvmlReturn_t nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t device, _Out_ unsigned int *limit)',
    nvmlDeviceGetTotalEnergyConsumption:
      'nvmlReturn_t nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t device, _Out_ unsigned long long *energy)',
    nvmlDeviceGetClockInfo:
      'nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type, _Out_ unsigned int *clock)',
    nvmlDeviceGetMaxClockInfo:
      'nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t type, _Out_ unsigned int *clock)',
    nvmlDeviceGetClock:
      'nvmlReturn_t nvmlDeviceGetClock(nvmlDevice_t device, nvmlClockType_t clockType, nvmlClockId_t clockId, _Out_ unsigned int *clockMHz)',
    nvmlDeviceGetApplicationsClock:
      'nvmlReturn_t nvmlDeviceGetApplicationsClock(nvmlDevice_t device, nvmlClockType_t clockType, _Out_ unsigned int *clockMHz)',
    nvmlDeviceGetSupportedMemoryClocks:
      'nvmlReturn_t nvmlDeviceGetSupportedMemoryClocks(nvmlDevice_t device, _Out_ unsigned int *count, _Out_ unsigned int *clocksMHz)',
    nvmlDeviceGetSupportedGraphicsClocks:
      'nvmlReturn_t nvmlDeviceGetSupportedGraphicsClocks(nvmlDevice_t device, unsigned int memoryClockMHz, _Out_ unsigned int *count, _Out_ unsigned int *clocksMHz)',
    nvmlDeviceGetCurrentClocksThrottleReasons:
      'nvmlReturn_t nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_t device, _Out_ unsigned long long *clocksThrottleReasons)',
    nvmlDeviceGetSupportedClocksThrottleReasons:
      'nvmlReturn_t nvmlDeviceGetSupportedClocksThrottleReasons(nvmlDevice_t device, _Out_ unsigned long long *supportedClocksThrottleReasons)',
    nvmlDeviceGetCurrentClocksEventReasons:
      'nvmlReturn_t nvmlDeviceGetCurrentClocksEventReasons(nvmlDevice_t device, _Out_ unsigned long long *clocksEventReasons)',
    nvmlDeviceGetSupportedClocksEventReasons:
      'nvmlReturn_t nvmlDeviceGetSupportedClocksEventReasons(nvmlDevice_t device, _Out_ unsigned long long *supportedClocksEventReasons)',
    nvmlDeviceGetMaxPcieLinkGeneration:
      'nvmlReturn_t nvmlDeviceGetMaxPcieLinkGeneration(nvmlDevice_t device, _Out_ unsigned int *maxLinkGen)',
    nvmlDeviceGetMaxPcieLinkWidth:
      'nvmlReturn_t nvmlDeviceGetMaxPcieLinkWidth(nvmlDevice_t device, _Out_ unsigned int *maxLinkWidth)',
    nvmlDeviceGetCurrPcieLinkGeneration:
      'nvmlReturn_t nvmlDeviceGetCurrPcieLinkGeneration(nvmlDevice_t device, _Out_ unsigned int *currLinkGen)',
    nvmlDeviceGetCurrPcieLinkWidth:
      'nvmlReturn_t nvmlDeviceGetCurrPcieLinkWidth(nvmlDevice_t device, _Out_ unsigned int *currLinkWidth)',
    nvmlDeviceGetPcieThroughput:
      'nvmlReturn_t nvmlDeviceGetPcieThroughput(nvmlDevice_t device, nvmlPcieUtilCounter_t counter, _Out_ unsigned int *value)',
    nvmlDeviceGetPcieReplayCounter:
      'nvmlReturn_t nvmlDeviceGetPcieReplayCounter(nvmlDevice_t device, _Out_ unsigned int *value)',
    nvmlDeviceGetEccMode:
      'nvmlReturn_t nvmlDeviceGetEccMode(nvmlDevice_t device, _Out_ nvmlEnableState_t *current, _Out_ nvmlEnableState_t *pending)',
    nvmlDeviceGetTotalEccErrors:
      'nvmlReturn_t nvmlDeviceGetTotalEccErrors(nvmlDevice_t device, nvmlMemoryErrorType_t errorType, nvmlEccCounterType_t counterType, _Out_ unsigned long long *eccCounts)',
    nvmlDeviceGetMemoryErrorCounter:
      'nvmlReturn_t nvmlDeviceGetMemoryErrorCounter(nvmlDevice_t device, nvmlMemoryErrorType_t errorType, nvmlEccCounterType_t counterType, nvmlMemoryLocation_t locationType, _Out_ unsigned long long *count)',
    nvmlDeviceGetRetiredPages:
      'nvmlReturn_t nvmlDeviceGetRetiredPages(nvmlDevice_t device, nvmlPageRetirementCause_t cause, _Out_ unsigned int *pageCount, _Out_ unsigned long long *addresses)',
    nvmlDeviceGetRetiredPagesPendingStatus:
      'nvmlReturn_t nvmlDeviceGetRetiredPagesPendingStatus(nvmlDevice_t device, _Out_ nvmlEnableState_t *isPending)',
    nvmlDeviceGetRemappedRows:
      'nvmlReturn_t nvmlDeviceGetRemappedRows(nvmlDevice_t device, _Out_ unsigned int *corrRows, _Out_ unsigned int *uncRows, _Out_ unsigned int *isPending, _Out_ unsigned int *failureOccurred)',
    nvmlDeviceGetComputeRunningProcesses:
      'nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v3(nvmlDevice_t device, _Out_ unsigned int *infoCount, _Out_ nvmlProcessInfo_t *infos)',
    nvmlDeviceGetGraphicsRunningProcesses:
      'nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses_v3(nvmlDevice_t device, _Out_ unsigned int *infoCount, _Out_ nvmlProcessInfo_t *infos)',
    nvmlDeviceGetMPSComputeRunningProcesses:
      'nvmlReturn_t nvmlDeviceGetMPSComputeRunningProcesses_v3(nvmlDevice_t device, _Out_ unsigned int *infoCount, _Out_ nvmlProcessInfo_t *infos)',
    nvmlDeviceGetPersistenceMode:
      'nvmlReturn_t nvmlDeviceGetPersistenceMode(nvmlDevice_t device, _Out_ nvmlEnableState_t *mode)',
    nvmlDeviceGetComputeMode:
      'nvmlReturn_t nvmlDeviceGetComputeMode(nvmlDevice_t device, _Out_ nvmlComputeMode_t *mode)',
    nvmlDeviceGetDisplayMode:
      'nvmlReturn_t nvmlDeviceGetDisplayMode(nvmlDevice_t device, _Out_ nvmlEnableState_t *display)',
    nvmlDeviceGetDisplayActive:
      'nvmlReturn_t nvmlDeviceGetDisplayActive(nvmlDevice_t device, _Out_ nvmlEnableState_t *isActive)',
    nvmlDeviceGetTopologyCommonAncestor:
      'nvmlReturn_t nvmlDeviceGetTopologyCommonAncestor(nvmlDevice_t device1, nvmlDevice_t device2, _Out_ nvmlGpuTopologyLevel_t *pathInfo)',
    nvmlDeviceGetP2PStatus:
      'nvmlReturn_t nvmlDeviceGetP2PStatus(nvmlDevice_t device1, nvmlDevice_t device2, nvmlGpuP2PCapsIndex_t p2pIndex, _Out_ nvmlGpuP2PStatus_t *p2pStatus)',
    // Linux has this function and 64 bits in an unsigned long; Windows has neither.
    nvmlDeviceGetCpuAffinity:
      'nvmlReturn_t nvmlDeviceGetCpuAffinity(nvmlDevice_t device, unsigned int cpuSetSize, _Out_ unsigned long *cpuSet)',
    nvmlDeviceOnSameBoard:
      'nvmlReturn_t nvmlDeviceOnSameBoard(nvmlDevice_t device1, nvmlDevice_t device2, _Out_ int *onSameBoard)',
    nvmlDeviceGetSamples:
      'nvmlReturn_t nvmlDeviceGetSamples(nvmlDevice_t device, nvmlSamplingType_t type, unsigned long long lastSeenTimeStamp, _Out_ nvmlValueType_t *sampleValType, _Out_ unsigned int *sampleCount, _Out_ nvmlSample_t *samples)',
    nvmlDeviceGetFieldValues:
      'nvmlReturn_t nvmlDeviceGetFieldValues(nvmlDevice_t device, int valuesCount, _Out_ nvmlFieldValue_t *values)',
    nvmlDeviceGetMigMode:
      'nvmlReturn_t nvmlDeviceGetMigMode(nvmlDevice_t device, _Out_ unsigned int *currentMode, _Out_ unsigned int *pendingMode)',
    nvmlDeviceGetMaxMigDeviceCount:
      'nvmlReturn_t nvmlDeviceGetMaxMigDeviceCount(nvmlDevice_t device, _Out_ unsigned int *count)',
    nvmlDeviceGetMigDeviceHandleByIndex:
      'nvmlReturn_t nvmlDeviceGetMigDeviceHandleByIndex(nvmlDevice_t device, unsigned int index, _Out_ nvmlDevice_t *migDevice)',
    nvmlDeviceGetDeviceHandleFromMigDeviceHandle:
      'nvmlReturn_t nvmlDeviceGetDeviceHandleFromMigDeviceHandle(nvmlDevice_t migDevice, _Out_ nvmlDevice_t *device)',
    nvmlDeviceIsMigDeviceHandle:
      'nvmlReturn_t nvmlDeviceIsMigDeviceHandle(nvmlDevice_t device, _Out_ unsigned int *isMigDevice)',
    nvmlDeviceGetGpuInstanceId: 'nvmlReturn_t nvmlDeviceGetGpuInstanceId(nvmlDevice_t device, _Out_ unsigned int *id)',
    nvmlDeviceGetComputeInstanceId:
      'nvmlReturn_t nvmlDeviceGetComputeInstanceId(nvmlDevice_t device, _Out_ unsigned int *id)',
    nvmlDeviceGetViolationStatus:
      'nvmlReturn_t nvmlDeviceGetViolationStatus(nvmlDevice_t device, nvmlPerfPolicyType_t perfPolicyType, _Out_ nvmlViolationTime_t *violTime)',
    nvmlDeviceGetAccountingMode:
      'nvmlReturn_t nvmlDeviceGetAccountingMode(nvmlDevice_t device, _Out_ nvmlEnableState_t *mode)',
    nvmlDeviceGetAccountingPids:
      'nvmlReturn_t nvmlDeviceGetAccountingPids(nvmlDevice_t device, _Out_ unsigned int *count, _Out_ unsigned int *pids)',
    nvmlDeviceGetAccountingStats:
      'nvmlReturn_t nvmlDeviceGetAccountingStats(nvmlDevice_t device, unsigned int pid, _Out_ nvmlAccountingStats_t *stats)',
  },
  NVLINK: {
    nvmlDeviceGetNvLinkState:
      'nvmlReturn_t nvmlDeviceGetNvLinkState(nvmlDevice_t device, unsigned int link, _Out_ nvmlEnableState_t *isActive)',
    nvmlDeviceGetNvLinkVersion:
      'nvmlReturn_t nvmlDeviceGetNvLinkVersion(nvmlDevice_t device, unsigned int link, _Out_ unsigned int *version)',
    nvmlDeviceGetNvLinkCapability:
      'nvmlReturn_t nvmlDeviceGetNvLinkCapability(nvmlDevice_t device, unsigned int link, nvmlNvLinkCapability_t capability, _Out_ unsigned int *capResult)',
    nvmlDeviceGetNvLinkRemotePciInfo:
      'nvmlReturn_t nvmlDeviceGetNvLinkRemotePciInfo_v2(nvmlDevice_t device, unsigned int link, _Out_ nvmlPciInfo_t *pci)',
    nvmlDeviceGetNvLinkRemoteDeviceType:
      'nvmlReturn_t nvmlDeviceGetNvLinkRemoteDeviceType(nvmlDevice_t device, unsigned int link, _Out_ nvmlIntNvLinkDeviceType_t *pNvLinkDeviceType)',
    nvmlDeviceGetNvLinkErrorCounter:
      'nvmlReturn_t nvmlDeviceGetNvLinkErrorCounter(nvmlDevice_t device, unsigned int link, nvmlNvLinkErrorCounter_t counter, _Out_ unsigned long long *counterValue)',
  },
  EVENTS: {
    nvmlEventSetCreate: 'nvmlReturn_t nvmlEventSetCreate(_Out_ nvmlEventSet_t *set)',
    nvmlDeviceRegisterEvents:
      'nvmlReturn_t nvmlDeviceRegisterEvents(nvmlDevice_t device, unsigned long long eventTypes, nvmlEventSet_t set)',
    nvmlDeviceGetSupportedEventTypes:
      'nvmlReturn_t nvmlDeviceGetSupportedEventTypes(nvmlDevice_t device, _Out_ unsigned long long *eventTypes)',
    nvmlEventSetWait:
      'nvmlReturn_t nvmlEventSetWait_v2(nvmlEventSet_t set, _Out_ nvmlEventData_t *data, unsigned int timeoutms)',
    nvmlEventSetFree: 'nvmlReturn_t nvmlEventSetFree(nvmlEventSet_t set)',
  },
  COMMANDS: {
    nvmlDeviceSetPersistenceMode:
      'nvmlReturn_t nvmlDeviceSetPersistenceMode(nvmlDevice_t device, nvmlEnableState_t mode)',
    nvmlDeviceSetComputeMode: 'nvmlReturn_t nvmlDeviceSetComputeMode(nvmlDevice_t device, nvmlComputeMode_t mode)',
    nvmlDeviceSetPowerManagementLimit:
      'nvmlReturn_t nvmlDeviceSetPowerManagementLimit(nvmlDevice_t device, unsigned int limit)',
    nvmlDeviceSetGpuLockedClocks:
      'nvmlReturn_t nvmlDeviceSetGpuLockedClocks(nvmlDevice_t device, unsigned int minGpuClockMHz, unsigned int maxGpuClockMHz)',
    nvmlDeviceResetGpuLockedClocks: 'nvmlReturn_t nvmlDeviceResetGpuLockedClocks(nvmlDevice_t device)',
    nvmlDeviceSetMemoryLockedClocks:
      'nvmlReturn_t nvmlDeviceSetMemoryLockedClocks(nvmlDevice_t device, unsigned int minMemClockMHz, unsigned int maxMemClockMHz)',
    nvmlDeviceResetMemoryLockedClocks: 'nvmlReturn_t nvmlDeviceResetMemoryLockedClocks(nvmlDevice_t device)',
    nvmlDeviceSetApplicationsClocks:
      'nvmlReturn_t nvmlDeviceSetApplicationsClocks(nvmlDevice_t device, unsigned int memClockMHz, unsigned int graphicsClockMHz)',
    nvmlDeviceResetApplicationsClocks: 'nvmlReturn_t nvmlDeviceResetApplicationsClocks(nvmlDevice_t device)',
    nvmlDeviceSetAccountingMode:
      'nvmlReturn_t nvmlDeviceSetAccountingMode(nvmlDevice_t device, nvmlEnableState_t mode)',
    nvmlDeviceClearEccErrorCounts:
      'nvmlReturn_t nvmlDeviceClearEccErrorCounts(nvmlDevice_t device, nvmlEccCounterType_t counterType)',
  },
} as const;
