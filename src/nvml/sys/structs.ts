/** Sizes and offsets in bytes, the same on every 64-bit system. */
export const structs = {
  nvmlPciInfo_t: {
    size: 68,
    fields: { busIdLegacy: 0, domain: 16, bus: 20, device: 24, pciDeviceId: 28, pciSubSystemId: 32, busId: 36 },
  },
  nvmlUtilization_t: { size: 8, fields: { gpu: 0, memory: 4 } },
  nvmlMemory_t: { size: 24, fields: { total: 0, free: 8, used: 16 } },
  nvmlMemory_v2_t: { size: 40, fields: { version: 0, total: 8, reserved: 16, free: 24, used: 32 } },
  nvmlBAR1Memory_t: { size: 24, fields: { bar1Total: 0, bar1Free: 8, bar1Used: 16 } },
  nvmlProcessInfo_t: { size: 24, fields: { pid: 0, usedGpuMemory: 8, gpuInstanceId: 16, computeInstanceId: 20 } },
  nvmlProcessUtilizationSample_t: {
    size: 32,
    fields: { pid: 0, timeStamp: 8, smUtil: 16, memUtil: 20, encUtil: 24, decUtil: 28 },
  },
  nvmlSample_t: { size: 16, fields: { timeStamp: 0, sampleValue: 8 } },
  nvmlFieldValue_t: {
    size: 40,
    fields: { fieldId: 0, scopeId: 4, timestamp: 8, latencyUsec: 16, valueType: 24, nvmlReturn: 28, value: 32 },
  },
  nvmlViolationTime_t: { size: 16, fields: { referenceTime: 0, violationTime: 8 } },
  nvmlAccountingStats_t: {
    size: 56,
    fields: {
      gpuUtilization: 0,
      memoryUtilization: 4,
      maxMemoryUsage: 8,
      time: 16,
      startTime: 24,
      isRunning: 32,
    },
  },
  nvmlEventData_t: {
    size: 32,
    fields: { device: 0, eventType: 8, eventData: 16, gpuInstanceId: 24, computeInstanceId: 28 },
  },
} as const;

/** What the `version` of a struct has to say: its size, and in the top byte which version it is. */
export const structVersions = {
  nvmlMemory_v2: 0x0200_0028,
} as const;
