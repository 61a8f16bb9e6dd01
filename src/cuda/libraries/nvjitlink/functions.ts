export const functions = {
  TYPES: {
    nvJitLinkHandle: 'handle',
    nvJitLinkResult: 'i32',
    nvJitLinkInputType: 'i32',
  },
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
