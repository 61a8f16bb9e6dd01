export const structs = {
  CUlaunchConfig: {
    size: 56,
    fields: {
      gridDimX: 0,
      gridDimY: 4,
      gridDimZ: 8,
      blockDimX: 12,
      blockDimY: 16,
      blockDimZ: 20,
      sharedMemBytes: 24,
      hStream: 32,
      attrs: 40,
      numAttrs: 48,
    },
  },
  CUlaunchAttribute: { size: 72, fields: { id: 0, value: 8 } },
  CUuuid: { size: 16, fields: { bytes: 0 } },
} as const;
