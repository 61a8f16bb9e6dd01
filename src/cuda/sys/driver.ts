export const functions = {
  ERROR: {
    cuGetErrorName: 'CUresult cuGetErrorName(CUresult error, _Out_ const char **pStr)',
    cuGetErrorString: 'CUresult cuGetErrorString(CUresult error, _Out_ const char **pStr)',
  },
  INITIALIZE: {
    cuInit: 'CUresult cuInit(unsigned int Flags)',
  },
  VERSION: {
    cuDriverGetVersion: 'CUresult cuDriverGetVersion(_Out_ int *driverVersion)',
  },
  DEVICE: {
    cuDeviceGet: 'CUresult cuDeviceGet(_Out_ CUdevice *device, int ordinal)',
    cuDeviceGetCount: 'CUresult cuDeviceGetCount(_Out_ int *count)',
    cuDeviceGetName: 'CUresult cuDeviceGetName(_Out_ char *name, int len, CUdevice dev)',
    cuDeviceGetUuid: 'CUresult cuDeviceGetUuid_v2(_Out_ CUuuid *uuid, CUdevice dev)',
    cuDeviceTotalMem: 'CUresult cuDeviceTotalMem_v2(_Out_ size_t *bytes, CUdevice dev)',
    cuDeviceGetAttribute: 'CUresult cuDeviceGetAttribute(_Out_ int *pi, CUdevice_attribute attrib, CUdevice dev)',
  },
  PRIMARY_CTX: {
    cuDevicePrimaryCtxRetain: 'CUresult cuDevicePrimaryCtxRetain(_Out_ CUcontext *pctx, CUdevice dev)',
    cuDevicePrimaryCtxRelease: 'CUresult cuDevicePrimaryCtxRelease_v2(CUdevice dev)',
    cuDevicePrimaryCtxSetFlags: 'CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice dev, unsigned int flags)',
    cuDevicePrimaryCtxGetState:
      'CUresult cuDevicePrimaryCtxGetState(CUdevice dev, _Out_ unsigned int *flags, _Out_ int *active)',
    cuDevicePrimaryCtxReset: 'CUresult cuDevicePrimaryCtxReset_v2(CUdevice dev)',
  },
  CTX: {
    cuCtxCreate: 'CUresult cuCtxCreate_v2(_Out_ CUcontext *pctx, unsigned int flags, CUdevice dev)',
    cuCtxDestroy: 'CUresult cuCtxDestroy_v2(CUcontext ctx)',
    cuCtxPushCurrent: 'CUresult cuCtxPushCurrent_v2(CUcontext ctx)',
    cuCtxPopCurrent: 'CUresult cuCtxPopCurrent_v2(_Out_ CUcontext *pctx)',
    cuCtxSetCurrent: 'CUresult cuCtxSetCurrent(CUcontext ctx)',
    cuCtxGetCurrent: 'CUresult cuCtxGetCurrent(_Out_ CUcontext *pctx)',
    cuCtxGetDevice: 'CUresult cuCtxGetDevice(_Out_ CUdevice *device)',
    cuCtxGetId: 'CUresult cuCtxGetId(CUcontext ctx, _Out_ unsigned long long *ctxId)',
    cuCtxSynchronize: 'CUresult cuCtxSynchronize(void)',
    cuCtxSetLimit: 'CUresult cuCtxSetLimit(CUlimit limit, size_t value)',
    cuCtxGetLimit: 'CUresult cuCtxGetLimit(_Out_ size_t *pvalue, CUlimit limit)',
    cuCtxSetCacheConfig: 'CUresult cuCtxSetCacheConfig(CUfunc_cache config)',
    cuCtxGetCacheConfig: 'CUresult cuCtxGetCacheConfig(_Out_ CUfunc_cache *pconfig)',
    cuCtxGetApiVersion: 'CUresult cuCtxGetApiVersion(CUcontext ctx, _Out_ unsigned int *version)',
    cuCtxGetFlags: 'CUresult cuCtxGetFlags(_Out_ unsigned int *flags)',
    cuCtxGetStreamPriorityRange:
      'CUresult cuCtxGetStreamPriorityRange(_Out_ int *leastPriority, _Out_ int *greatestPriority)',
  },
  PEER_ACCESS: {
    cuDeviceCanAccessPeer: 'CUresult cuDeviceCanAccessPeer(_Out_ int *canAccessPeer, CUdevice dev, CUdevice peerDev)',
  },
  MODULE: {
    cuModuleLoadData: 'CUresult cuModuleLoadData(_Out_ CUmodule *module, const void *image)',
    cuModuleLoadDataEx:
      'CUresult cuModuleLoadDataEx(_Out_ CUmodule *module, const void *image, unsigned int numOptions, CUjit_option *options, void **optionValues)',
    cuModuleUnload: 'CUresult cuModuleUnload(CUmodule hmod)',
    cuModuleGetFunction: 'CUresult cuModuleGetFunction(_Out_ CUfunction *hfunc, CUmodule hmod, const char *name)',
    cuModuleGetGlobal:
      'CUresult cuModuleGetGlobal_v2(_Out_ CUdeviceptr *dptr, _Out_ size_t *bytes, CUmodule hmod, const char *name)',
    cuModuleGetFunctionCount: 'CUresult cuModuleGetFunctionCount(_Out_ unsigned int *count, CUmodule mod)',
    cuModuleEnumerateFunctions:
      'CUresult cuModuleEnumerateFunctions(_Out_ CUfunction *functions, unsigned int numFunctions, CUmodule mod)',
    cuModuleGetLoadingMode: 'CUresult cuModuleGetLoadingMode(_Out_ CUmoduleLoadingMode *mode)',
  },
  MEM: {
    cuDeviceGetByPCIBusId: 'CUresult cuDeviceGetByPCIBusId(_Out_ CUdevice *dev, const char *pciBusId)',
    cuDeviceGetPCIBusId: 'CUresult cuDeviceGetPCIBusId(_Out_ char *pciBusId, int len, CUdevice dev)',
    cuMemGetInfo: 'CUresult cuMemGetInfo_v2(_Out_ size_t *free, _Out_ size_t *total)',
    cuMemAlloc: 'CUresult cuMemAlloc_v2(_Out_ CUdeviceptr *dptr, size_t bytesize)',
    cuMemAllocPitch:
      'CUresult cuMemAllocPitch_v2(_Out_ CUdeviceptr *dptr, _Out_ size_t *pPitch, size_t WidthInBytes, size_t Height, unsigned int ElementSizeBytes)',
    cuMemFree: 'CUresult cuMemFree_v2(CUdeviceptr dptr)',
    cuMemGetAddressRange:
      'CUresult cuMemGetAddressRange_v2(_Out_ CUdeviceptr *pbase, _Out_ size_t *psize, CUdeviceptr dptr)',
    cuMemHostAlloc: 'CUresult cuMemHostAlloc(_Out_ void **pp, size_t bytesize, unsigned int Flags)',
    cuMemFreeHost: 'CUresult cuMemFreeHost(void *p)',
    cuMemHostGetDevicePointer:
      'CUresult cuMemHostGetDevicePointer_v2(_Out_ CUdeviceptr *pdptr, void *p, unsigned int Flags)',
    cuMemHostGetFlags: 'CUresult cuMemHostGetFlags(_Out_ unsigned int *pFlags, void *p)',
    cuMemcpyHtoD: 'CUresult cuMemcpyHtoD_v2(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount)',
    cuMemcpyHtoDAsync:
      'CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount, CUstream hStream)',
    cuMemcpyDtoH: 'CUresult cuMemcpyDtoH_v2(_Out_ void *dstHost, CUdeviceptr srcDevice, size_t ByteCount)',
    cuMemcpyDtoHAsync:
      'CUresult cuMemcpyDtoHAsync_v2(_Out_ void *dstHost, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream)',
    cuMemcpyDtoD: 'CUresult cuMemcpyDtoD_v2(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount)',
    cuMemcpyDtoDAsync:
      'CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream)',
    cuMemsetD8: 'CUresult cuMemsetD8_v2(CUdeviceptr dstDevice, unsigned char uc, size_t N)',
    cuMemsetD8Async: 'CUresult cuMemsetD8Async(CUdeviceptr dstDevice, unsigned char uc, size_t N, CUstream hStream)',
    cuMemsetD16: 'CUresult cuMemsetD16_v2(CUdeviceptr dstDevice, unsigned short us, size_t N)',
    cuMemsetD16Async: 'CUresult cuMemsetD16Async(CUdeviceptr dstDevice, unsigned short us, size_t N, CUstream hStream)',
    cuMemsetD32: 'CUresult cuMemsetD32_v2(CUdeviceptr dstDevice, unsigned int ui, size_t N)',
    cuMemsetD32Async: 'CUresult cuMemsetD32Async(CUdeviceptr dstDevice, unsigned int ui, size_t N, CUstream hStream)',
  },
  UNIFIED: {
    cuPointerGetAttribute:
      'CUresult cuPointerGetAttribute(_Out_ void *data, CUpointer_attribute attribute, CUdeviceptr ptr)',
  },
  STREAM: {
    cuStreamCreate: 'CUresult cuStreamCreate(_Out_ CUstream *phStream, unsigned int Flags)',
    cuStreamCreateWithPriority:
      'CUresult cuStreamCreateWithPriority(_Out_ CUstream *phStream, unsigned int flags, int priority)',
    cuStreamDestroy: 'CUresult cuStreamDestroy_v2(CUstream hStream)',
    cuStreamQuery: 'CUresult cuStreamQuery(CUstream hStream)',
    cuStreamSynchronize: 'CUresult cuStreamSynchronize(CUstream hStream)',
    cuStreamWaitEvent: 'CUresult cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int Flags)',
    cuStreamGetFlags: 'CUresult cuStreamGetFlags(CUstream hStream, _Out_ unsigned int *flags)',
    cuStreamGetPriority: 'CUresult cuStreamGetPriority(CUstream hStream, _Out_ int *priority)',
    cuStreamGetCtx: 'CUresult cuStreamGetCtx(CUstream hStream, _Out_ CUcontext *pctx)',
  },
  EVENT: {
    cuEventCreate: 'CUresult cuEventCreate(_Out_ CUevent *phEvent, unsigned int Flags)',
    cuEventRecord: 'CUresult cuEventRecord(CUevent hEvent, CUstream hStream)',
    cuEventQuery: 'CUresult cuEventQuery(CUevent hEvent)',
    cuEventSynchronize: 'CUresult cuEventSynchronize(CUevent hEvent)',
    cuEventDestroy: 'CUresult cuEventDestroy_v2(CUevent hEvent)',
    cuEventElapsedTime: 'CUresult cuEventElapsedTime(_Out_ float *pMilliseconds, CUevent hStart, CUevent hEnd)',
  },
  EXEC: {
    cuLaunchKernel:
      'CUresult cuLaunchKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ, unsigned int sharedMemBytes, CUstream hStream, void **kernelParams, void **extra)',
    cuLaunchKernelEx:
      'CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction f, void **kernelParams, void **extra)',
    cuFuncGetAttribute: 'CUresult cuFuncGetAttribute(_Out_ int *pi, CUfunction_attribute attrib, CUfunction hfunc)',
    cuFuncSetAttribute: 'CUresult cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value)',
    cuFuncSetCacheConfig: 'CUresult cuFuncSetCacheConfig(CUfunction hfunc, CUfunc_cache config)',
    cuFuncGetModule: 'CUresult cuFuncGetModule(_Out_ CUmodule *hmod, CUfunction hfunc)',
    cuFuncGetName: 'CUresult cuFuncGetName(_Out_ const char **name, CUfunction hfunc)',
    cuFuncGetParamInfo:
      'CUresult cuFuncGetParamInfo(CUfunction func, size_t paramIndex, _Out_ size_t *paramOffset, _Out_ size_t *paramSize)',
  },
  OCCUPANCY: {
    cuOccupancyMaxActiveBlocksPerMultiprocessor:
      'CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(_Out_ int *numBlocks, CUfunction func, int blockSize, size_t dynamicSMemSize)',
    cuOccupancyMaxPotentialBlockSize:
      'CUresult cuOccupancyMaxPotentialBlockSize(_Out_ int *minGridSize, _Out_ int *blockSize, CUfunction func, CUoccupancyB2DSize blockSizeToDynamicSMemSize, size_t dynamicSMemSize, int blockSizeLimit)',
  },
  PROFILER: {
    cuProfilerStart: 'CUresult cuProfilerStart(void)',
    cuProfilerStop: 'CUresult cuProfilerStop(void)',
  },
} as const;
