export const functions = {
  TYPES: {
    nvrtcResult: 'i32',
    nvrtcProgram: 'handle',
  },
  ERROR: {
    nvrtcGetErrorString: 'const char *nvrtcGetErrorString(nvrtcResult result)',
  },
  QUERY: {
    nvrtcVersion: 'nvrtcResult nvrtcVersion(_Out_ int *major, _Out_ int *minor)',
    nvrtcGetNumSupportedArchs: 'nvrtcResult nvrtcGetNumSupportedArchs(_Out_ int *numArchs)',
    nvrtcGetSupportedArchs: 'nvrtcResult nvrtcGetSupportedArchs(_Out_ int *supportedArchs)',
  },
  COMPILATION: {
    nvrtcCreateProgram:
      'nvrtcResult nvrtcCreateProgram(_Out_ nvrtcProgram *prog, const char *src, const char *name, int numHeaders, const char **headers, const char **includeNames)',
    nvrtcDestroyProgram: 'nvrtcResult nvrtcDestroyProgram(_Out_ nvrtcProgram *prog)',
    nvrtcCompileProgram: 'nvrtcResult nvrtcCompileProgram(nvrtcProgram prog, int numOptions, const char **options)',
    nvrtcGetPTXSize: 'nvrtcResult nvrtcGetPTXSize(nvrtcProgram prog, _Out_ size_t *ptxSizeRet)',
    nvrtcGetPTX: 'nvrtcResult nvrtcGetPTX(nvrtcProgram prog, _Out_ char *ptx)',
    nvrtcGetCUBINSize: 'nvrtcResult nvrtcGetCUBINSize(nvrtcProgram prog, _Out_ size_t *cubinSizeRet)',
    nvrtcGetCUBIN: 'nvrtcResult nvrtcGetCUBIN(nvrtcProgram prog, _Out_ char *cubin)',
    nvrtcGetLTOIRSize: 'nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram prog, _Out_ size_t *LTOIRSizeRet)',
    nvrtcGetLTOIR: 'nvrtcResult nvrtcGetLTOIR(nvrtcProgram prog, _Out_ char *LTOIR)',
    nvrtcGetOptiXIRSize: 'nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram prog, _Out_ size_t *optixirSizeRet)',
    nvrtcGetOptiXIR: 'nvrtcResult nvrtcGetOptiXIR(nvrtcProgram prog, _Out_ char *optixir)',
    nvrtcGetProgramLogSize: 'nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram prog, _Out_ size_t *logSizeRet)',
    nvrtcGetProgramLog: 'nvrtcResult nvrtcGetProgramLog(nvrtcProgram prog, _Out_ char *log)',
    nvrtcAddNameExpression: 'nvrtcResult nvrtcAddNameExpression(nvrtcProgram prog, const char *name_expression)',
    nvrtcGetLoweredName:
      'nvrtcResult nvrtcGetLoweredName(nvrtcProgram prog, const char *name_expression, _Out_ const char **lowered_name)',
  },
  PRECOMPILED_HEADER: {
    nvrtcGetPCHHeapSize: 'nvrtcResult nvrtcGetPCHHeapSize(_Out_ size_t *ret)',
    nvrtcSetPCHHeapSize: 'nvrtcResult nvrtcSetPCHHeapSize(size_t size)',
    nvrtcGetPCHCreateStatus: 'nvrtcResult nvrtcGetPCHCreateStatus(nvrtcProgram prog)',
    nvrtcGetPCHHeapSizeRequired: 'nvrtcResult nvrtcGetPCHHeapSizeRequired(nvrtcProgram prog, _Out_ size_t *size)',
  },
} as const;

/** The CUDA version whose NVRTC first has a function, where it is newer than 11.2. */
export const nvrtcSince: Readonly<Record<string, string>> = {
  nvrtcGetLTOIRSize: '12.0',
  nvrtcGetLTOIR: '12.0',
  nvrtcGetOptiXIRSize: '12.0',
  nvrtcGetOptiXIR: '12.0',
  nvrtcGetPCHHeapSize: '12.8',
  nvrtcSetPCHHeapSize: '12.8',
  nvrtcGetPCHCreateStatus: '12.8',
  nvrtcGetPCHHeapSizeRequired: '12.8',
};
