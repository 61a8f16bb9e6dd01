export const functions = {
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
    nvrtcGetProgramLogSize: 'nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram prog, _Out_ size_t *logSizeRet)',
    nvrtcGetProgramLog: 'nvrtcResult nvrtcGetProgramLog(nvrtcProgram prog, _Out_ char *log)',
    nvrtcAddNameExpression: 'nvrtcResult nvrtcAddNameExpression(nvrtcProgram prog, const char *name_expression)',
    nvrtcGetLoweredName:
      'nvrtcResult nvrtcGetLoweredName(nvrtcProgram prog, const char *name_expression, _Out_ const char **lowered_name)',
  },
} as const;
