// A module is bytes here where the header says text: bitcode has NULs.
export const functions = {
  TYPES: {
    nvvmResult: 'i32',
    nvvmProgram: 'handle',
  },
  ERROR: {
    nvvmGetErrorString: 'const char *nvvmGetErrorString(nvvmResult result)',
  },
  QUERY: {
    nvvmVersion: 'nvvmResult nvvmVersion(_Out_ int *major, _Out_ int *minor)',
    nvvmIRVersion:
      'nvvmResult nvvmIRVersion(_Out_ int *majorIR, _Out_ int *minorIR, _Out_ int *majorDbg, _Out_ int *minorDbg)',
  },
  COMPILATION: {
    nvvmCreateProgram: 'nvvmResult nvvmCreateProgram(_Out_ nvvmProgram *prog)',
    nvvmDestroyProgram: 'nvvmResult nvvmDestroyProgram(_Out_ nvvmProgram *prog)',
    nvvmAddModuleToProgram:
      'nvvmResult nvvmAddModuleToProgram(nvvmProgram prog, const void *buffer, size_t size, const char *name)',
    nvvmLazyAddModuleToProgram:
      'nvvmResult nvvmLazyAddModuleToProgram(nvvmProgram prog, const void *buffer, size_t size, const char *name)',
    nvvmCompileProgram: 'nvvmResult nvvmCompileProgram(nvvmProgram prog, int numOptions, const char **options)',
    nvvmVerifyProgram: 'nvvmResult nvvmVerifyProgram(nvvmProgram prog, int numOptions, const char **options)',
    nvvmGetCompiledResultSize: 'nvvmResult nvvmGetCompiledResultSize(nvvmProgram prog, _Out_ size_t *bufferSizeRet)',
    nvvmGetCompiledResult: 'nvvmResult nvvmGetCompiledResult(nvvmProgram prog, _Out_ char *buffer)',
    nvvmGetProgramLogSize: 'nvvmResult nvvmGetProgramLogSize(nvvmProgram prog, _Out_ size_t *bufferSizeRet)',
    nvvmGetProgramLog: 'nvvmResult nvvmGetProgramLog(nvvmProgram prog, _Out_ char *buffer)',
  },
} as const;
