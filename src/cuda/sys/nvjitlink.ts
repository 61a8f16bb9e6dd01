export const functions = {
  LINKING: {
    nvJitLinkCreate:
      'nvJitLinkResult nvJitLinkCreate(_Out_ nvJitLinkHandle *handle, uint32_t numOptions, const char **options)',
    nvJitLinkDestroy: 'nvJitLinkResult nvJitLinkDestroy(_Out_ nvJitLinkHandle *handle)',
    nvJitLinkAddData:
      'nvJitLinkResult nvJitLinkAddData(nvJitLinkHandle handle, nvJitLinkInputType inputType, const void *data, size_t size, const char *name)',
    nvJitLinkComplete: 'nvJitLinkResult nvJitLinkComplete(nvJitLinkHandle handle)',
    nvJitLinkGetLinkedCubinSize:
      'nvJitLinkResult nvJitLinkGetLinkedCubinSize(nvJitLinkHandle handle, _Out_ size_t *size)',
    nvJitLinkGetLinkedCubin: 'nvJitLinkResult nvJitLinkGetLinkedCubin(nvJitLinkHandle handle, _Out_ void *cubin)',
    nvJitLinkGetLinkedPtxSize: 'nvJitLinkResult nvJitLinkGetLinkedPtxSize(nvJitLinkHandle handle, _Out_ size_t *size)',
    nvJitLinkGetLinkedPtx: 'nvJitLinkResult nvJitLinkGetLinkedPtx(nvJitLinkHandle handle, _Out_ char *ptx)',
    nvJitLinkGetErrorLogSize: 'nvJitLinkResult nvJitLinkGetErrorLogSize(nvJitLinkHandle handle, _Out_ size_t *size)',
    nvJitLinkGetErrorLog: 'nvJitLinkResult nvJitLinkGetErrorLog(nvJitLinkHandle handle, _Out_ char *log)',
    nvJitLinkGetInfoLogSize: 'nvJitLinkResult nvJitLinkGetInfoLogSize(nvJitLinkHandle handle, _Out_ size_t *size)',
    nvJitLinkGetInfoLog: 'nvJitLinkResult nvJitLinkGetInfoLog(nvJitLinkHandle handle, _Out_ char *log)',
  },
} as const;

/** The statuses, in the order of their numbers. */
export const nvJitLinkStatus = [
  'NVJITLINK_SUCCESS',
  'NVJITLINK_ERROR_UNRECOGNIZED_OPTION',
  'NVJITLINK_ERROR_MISSING_ARCH',
  'NVJITLINK_ERROR_INVALID_INPUT',
  'NVJITLINK_ERROR_PTX_COMPILE',
  'NVJITLINK_ERROR_NVVM_COMPILE',
  'NVJITLINK_ERROR_INTERNAL',
  'NVJITLINK_ERROR_THREADPOOL',
  'NVJITLINK_ERROR_UNRECOGNIZED_INPUT',
  'NVJITLINK_ERROR_FINALIZE',
  'NVJITLINK_ERROR_NULL_INPUT',
  'NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS',
  'NVJITLINK_ERROR_INCORRECT_INPUT_TYPE',
  'NVJITLINK_ERROR_ARCH_MISMATCH',
  'NVJITLINK_ERROR_OUTDATED_LIBRARY',
  'NVJITLINK_ERROR_MISSING_FATBIN',
  'NVJITLINK_ERROR_UNRECOGNIZED_ARCH',
  'NVJITLINK_ERROR_UNSUPPORTED_ARCH',
  'NVJITLINK_ERROR_LTO_NOT_ENABLED',
] as const;

export const NvJitLinkInput = {
  CUBIN: 1,
  PTX: 2,
  LTOIR: 3,
  FATBIN: 4,
  OBJECT: 5,
  LIBRARY: 6,
} as const;
