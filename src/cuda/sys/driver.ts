import { driverTypes } from './ctypes.ts';

export const functions = {
  TYPES: driverTypes as typeof driverTypes,
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
    cuDeviceGetDefaultMemPool: 'CUresult cuDeviceGetDefaultMemPool(_Out_ CUmemoryPool *pool_out, CUdevice dev)',
    cuDeviceGetMemPool: 'CUresult cuDeviceGetMemPool(_Out_ CUmemoryPool *pool, CUdevice dev)',
    cuDeviceSetMemPool: 'CUresult cuDeviceSetMemPool(CUdevice dev, CUmemoryPool pool)',
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
    cuCtxPopCurrent: 'CUresult cuCtxPopCurrent_v2(_Out_opt_ CUcontext *pctx)',
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
    cuCtxResetPersistingL2Cache: 'CUresult cuCtxResetPersistingL2Cache(void)',
    cuCtxGetStreamPriorityRange:
      'CUresult cuCtxGetStreamPriorityRange(_Out_opt_ int *leastPriority, _Out_opt_ int *greatestPriority)',
  },
  PEER_ACCESS: {
    cuDeviceCanAccessPeer: 'CUresult cuDeviceCanAccessPeer(_Out_ int *canAccessPeer, CUdevice dev, CUdevice peerDev)',
    cuCtxEnablePeerAccess: 'CUresult cuCtxEnablePeerAccess(CUcontext peerContext, unsigned int Flags)',
    cuCtxDisablePeerAccess: 'CUresult cuCtxDisablePeerAccess(CUcontext peerContext)',
    cuDeviceGetP2PAttribute:
      'CUresult cuDeviceGetP2PAttribute(_Out_ int *value, CUdevice_P2PAttribute attrib, CUdevice srcDevice, CUdevice dstDevice)',
  },
  MODULE: {
    cuModuleLoadData: 'CUresult cuModuleLoadData(_Out_ CUmodule *module, _In_ const void *image)',
    cuModuleLoadDataEx:
      'CUresult cuModuleLoadDataEx(_Out_ CUmodule *module, _In_ const void *image, unsigned int numOptions, CUjit_option *options, void **optionValues)',
    cuModuleUnload: 'CUresult cuModuleUnload(CUmodule hmod)',
    cuModuleGetFunction: 'CUresult cuModuleGetFunction(_Out_ CUfunction *hfunc, CUmodule hmod, const char *name)',
    cuModuleGetGlobal:
      'CUresult cuModuleGetGlobal_v2(_Out_opt_ CUdeviceptr *dptr, _Out_opt_ size_t *bytes, CUmodule hmod, const char *name)',
    cuModuleGetFunctionCount: 'CUresult cuModuleGetFunctionCount(_Out_ unsigned int *count, CUmodule mod)',
    cuModuleEnumerateFunctions:
      'CUresult cuModuleEnumerateFunctions(_Out_ CUfunction *functions, unsigned int numFunctions, CUmodule mod)',
    cuModuleGetLoadingMode: 'CUresult cuModuleGetLoadingMode(_Out_ CUmoduleLoadingMode *mode)',
    cuLinkCreate:
      'CUresult cuLinkCreate_v2(unsigned int numOptions, CUjit_option *options, void **optionValues, _Out_ CUlinkState *stateOut)',
    cuLinkAddData:
      'CUresult cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name, unsigned int numOptions, CUjit_option *options, void **optionValues)',
    cuLinkAddFile:
      'CUresult cuLinkAddFile_v2(CUlinkState state, CUjitInputType type, const char *path, unsigned int numOptions, CUjit_option *options, void **optionValues)',
    cuLinkComplete: 'CUresult cuLinkComplete(CUlinkState state, _Out_ void **cubinOut, _Out_ size_t *sizeOut)',
    cuLinkDestroy: 'CUresult cuLinkDestroy(CUlinkState state)',
  },
  LIBRARY: {
    cuLibraryLoadData:
      'CUresult cuLibraryLoadData(_Out_ CUlibrary *library, _In_ const void *code, CUjit_option *jitOptions, void **jitOptionsValues, unsigned int numJitOptions, CUlibraryOption *libraryOptions, void **libraryOptionValues, unsigned int numLibraryOptions)',
    cuLibraryUnload: 'CUresult cuLibraryUnload(CUlibrary library)',
    cuLibraryGetKernel: 'CUresult cuLibraryGetKernel(_Out_ CUkernel *pKernel, CUlibrary library, const char *name)',
    cuLibraryGetKernelCount: 'CUresult cuLibraryGetKernelCount(_Out_ unsigned int *count, CUlibrary lib)',
    cuLibraryEnumerateKernels:
      'CUresult cuLibraryEnumerateKernels(_Out_ CUkernel *kernels, unsigned int numKernels, CUlibrary lib)',
    cuLibraryGetModule: 'CUresult cuLibraryGetModule(_Out_ CUmodule *pMod, CUlibrary library)',
    cuLibraryGetGlobal:
      'CUresult cuLibraryGetGlobal(_Out_opt_ CUdeviceptr *dptr, _Out_opt_ size_t *bytes, CUlibrary library, const char *name)',
    cuLibraryGetManaged:
      'CUresult cuLibraryGetManaged(_Out_opt_ CUdeviceptr *dptr, _Out_opt_ size_t *bytes, CUlibrary library, const char *name)',
    cuKernelGetFunction: 'CUresult cuKernelGetFunction(_Out_ CUfunction *pFunc, CUkernel kernel)',
    cuKernelGetAttribute:
      'CUresult cuKernelGetAttribute(_Out_ int *pi, CUfunction_attribute attrib, CUkernel kernel, CUdevice dev)',
    cuKernelSetAttribute:
      'CUresult cuKernelSetAttribute(CUfunction_attribute attrib, int val, CUkernel kernel, CUdevice dev)',
    cuKernelGetName: 'CUresult cuKernelGetName(_Out_ const char **name, CUkernel hfunc)',
    cuKernelGetParamInfo:
      'CUresult cuKernelGetParamInfo(CUkernel kernel, size_t paramIndex, _Out_ size_t *paramOffset, _Out_opt_ size_t *paramSize)',
  },
  TENSOR_MEMORY: {
    cuTensorMapEncodeTiled:
      'CUresult cuTensorMapEncodeTiled(_Out_ CUtensorMap *tensorMap, CUtensorMapDataType tensorDataType, cuuint32_t tensorRank, void *globalAddress, const cuuint64_t *globalDim, const cuuint64_t *globalStrides, const cuuint32_t *boxDim, const cuuint32_t *elementStrides, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2Promotion, CUtensorMapFloatOOBfill oobFill)',
    cuTensorMapEncodeIm2col:
      'CUresult cuTensorMapEncodeIm2col(_Out_ CUtensorMap *tensorMap, CUtensorMapDataType tensorDataType, cuuint32_t tensorRank, void *globalAddress, const cuuint64_t *globalDim, const cuuint64_t *globalStrides, const int *pixelBoxLowerCorner, const int *pixelBoxUpperCorner, cuuint32_t channelsPerPixel, cuuint32_t pixelsPerColumn, const cuuint32_t *elementStrides, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2Promotion, CUtensorMapFloatOOBfill oobFill)',
    cuTensorMapReplaceAddress: 'CUresult cuTensorMapReplaceAddress(CUtensorMap *tensorMap, void *globalAddress)',
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
      'CUresult cuMemGetAddressRange_v2(_Out_opt_ CUdeviceptr *pbase, _Out_opt_ size_t *psize, CUdeviceptr dptr)',
    cuMemHostAlloc: 'CUresult cuMemHostAlloc(_Out_ void **pp, size_t bytesize, unsigned int Flags)',
    cuMemFreeHost: 'CUresult cuMemFreeHost(void *p)',
    cuMemHostGetDevicePointer:
      'CUresult cuMemHostGetDevicePointer_v2(_Out_ CUdeviceptr *pdptr, void *p, unsigned int Flags)',
    cuMemHostGetFlags: 'CUresult cuMemHostGetFlags(_Out_ unsigned int *pFlags, void *p)',
    cuMemHostRegister: 'CUresult cuMemHostRegister_v2(_In_ void *p, size_t bytesize, unsigned int Flags)',
    cuMemHostUnregister: 'CUresult cuMemHostUnregister(_In_ void *p)',
    cuMemAllocManaged: 'CUresult cuMemAllocManaged(_Out_ CUdeviceptr *dptr, size_t bytesize, unsigned int flags)',
    cuIpcGetMemHandle: 'CUresult cuIpcGetMemHandle(_Out_ CUipcMemHandle *pHandle, CUdeviceptr dptr)',
    cuIpcOpenMemHandle:
      'CUresult cuIpcOpenMemHandle_v2(_Out_ CUdeviceptr *pdptr, CUipcMemHandle handle, unsigned int Flags)',
    cuIpcCloseMemHandle: 'CUresult cuIpcCloseMemHandle(CUdeviceptr dptr)',
    cuIpcGetEventHandle: 'CUresult cuIpcGetEventHandle(_Out_ CUipcEventHandle *pHandle, CUevent event)',
    cuIpcOpenEventHandle: 'CUresult cuIpcOpenEventHandle(_Out_ CUevent *phEvent, CUipcEventHandle handle)',
    cuMemcpyHtoD: 'CUresult cuMemcpyHtoD_v2(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount)',
    cuMemcpyHtoDAsync:
      'CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount, CUstream hStream)',
    cuMemcpyDtoH: 'CUresult cuMemcpyDtoH_v2(_Out_opt_ void *dstHost, CUdeviceptr srcDevice, size_t ByteCount)',
    cuMemcpyDtoHAsync:
      'CUresult cuMemcpyDtoHAsync_v2(_Out_opt_ void *dstHost, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream)',
    cuMemcpyDtoD: 'CUresult cuMemcpyDtoD_v2(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount)',
    cuMemcpyDtoDAsync:
      'CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream)',
    cuMemcpy: 'CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount)',
    cuMemcpyAsync: 'CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream)',
    cuMemcpyPeer:
      'CUresult cuMemcpyPeer(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice, CUcontext srcContext, size_t ByteCount)',
    cuMemcpyPeerAsync:
      'CUresult cuMemcpyPeerAsync(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice, CUcontext srcContext, size_t ByteCount, CUstream hStream)',
    cuMemcpyBatchAsync:
      'CUresult cuMemcpyBatchAsync_v2(CUdeviceptr *dsts, CUdeviceptr *srcs, size_t *sizes, size_t count, CUmemcpyAttributes *attrs, size_t *attrsIdxs, size_t numAttrs, CUstream hStream)',
    cuMemcpy3DBatchAsync:
      'CUresult cuMemcpy3DBatchAsync_v2(size_t numOps, CUDA_MEMCPY3D_BATCH_OP *opList, unsigned long long flags, CUstream hStream)',
    cuMemcpy2D: 'CUresult cuMemcpy2D_v2(_In_ const CUDA_MEMCPY2D *pCopy)',
    cuMemcpy2DUnaligned: 'CUresult cuMemcpy2DUnaligned_v2(_In_ const CUDA_MEMCPY2D *pCopy)',
    cuMemcpy2DAsync: 'CUresult cuMemcpy2DAsync_v2(_In_ const CUDA_MEMCPY2D *pCopy, CUstream hStream)',
    cuMemcpy3D: 'CUresult cuMemcpy3D_v2(_In_ const CUDA_MEMCPY3D *pCopy)',
    cuMemcpy3DAsync: 'CUresult cuMemcpy3DAsync_v2(_In_ const CUDA_MEMCPY3D *pCopy, CUstream hStream)',
    cuMemcpy3DPeer: 'CUresult cuMemcpy3DPeer(_In_ const CUDA_MEMCPY3D_PEER *pCopy)',
    cuMemcpy3DPeerAsync: 'CUresult cuMemcpy3DPeerAsync(_In_ const CUDA_MEMCPY3D_PEER *pCopy, CUstream hStream)',
    cuMemsetD8: 'CUresult cuMemsetD8_v2(CUdeviceptr dstDevice, unsigned char uc, size_t N)',
    cuMemsetD8Async: 'CUresult cuMemsetD8Async(CUdeviceptr dstDevice, unsigned char uc, size_t N, CUstream hStream)',
    cuMemsetD16: 'CUresult cuMemsetD16_v2(CUdeviceptr dstDevice, unsigned short us, size_t N)',
    cuMemsetD16Async: 'CUresult cuMemsetD16Async(CUdeviceptr dstDevice, unsigned short us, size_t N, CUstream hStream)',
    cuMemsetD32: 'CUresult cuMemsetD32_v2(CUdeviceptr dstDevice, unsigned int ui, size_t N)',
    cuMemsetD32Async: 'CUresult cuMemsetD32Async(CUdeviceptr dstDevice, unsigned int ui, size_t N, CUstream hStream)',
    cuMemsetD2D8:
      'CUresult cuMemsetD2D8_v2(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height)',
    cuMemsetD2D8Async:
      'CUresult cuMemsetD2D8Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height, CUstream hStream)',
    cuMemsetD2D16:
      'CUresult cuMemsetD2D16_v2(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width, size_t Height)',
    cuMemsetD2D16Async:
      'CUresult cuMemsetD2D16Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width, size_t Height, CUstream hStream)',
    cuMemsetD2D32:
      'CUresult cuMemsetD2D32_v2(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width, size_t Height)',
    cuMemsetD2D32Async:
      'CUresult cuMemsetD2D32Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width, size_t Height, CUstream hStream)',
    cuArray3DCreate:
      'CUresult cuArray3DCreate_v2(_Out_ CUarray *pHandle, const CUDA_ARRAY3D_DESCRIPTOR *pAllocateArray)',
    cuArray3DGetDescriptor:
      'CUresult cuArray3DGetDescriptor_v2(_Out_ CUDA_ARRAY3D_DESCRIPTOR *pArrayDescriptor, CUarray hArray)',
    cuArrayDestroy: 'CUresult cuArrayDestroy(CUarray hArray)',
    cuMipmappedArrayCreate:
      'CUresult cuMipmappedArrayCreate(_Out_ CUmipmappedArray *pHandle, const CUDA_ARRAY3D_DESCRIPTOR *pMipmappedArrayDesc, unsigned int numMipmapLevels)',
    cuMipmappedArrayGetLevel:
      'CUresult cuMipmappedArrayGetLevel(_Out_ CUarray *pLevelArray, CUmipmappedArray hMipmappedArray, unsigned int level)',
    cuMipmappedArrayDestroy: 'CUresult cuMipmappedArrayDestroy(CUmipmappedArray hMipmappedArray)',
  },
  TEXOBJECT: {
    cuTexObjectCreate:
      'CUresult cuTexObjectCreate(_Out_ CUtexObject *pTexObject, const CUDA_RESOURCE_DESC *pResDesc, const CUDA_TEXTURE_DESC *pTexDesc, const CUDA_RESOURCE_VIEW_DESC *pResViewDesc)',
    cuTexObjectDestroy: 'CUresult cuTexObjectDestroy(CUtexObject texObject)',
  },
  SURFOBJECT: {
    cuSurfObjectCreate:
      'CUresult cuSurfObjectCreate(_Out_ CUsurfObject *pSurfObject, const CUDA_RESOURCE_DESC *pResDesc)',
    cuSurfObjectDestroy: 'CUresult cuSurfObjectDestroy(CUsurfObject surfObject)',
  },
  MODULE_DEPRECATED: {
    cuModuleGetTexRef: 'CUresult cuModuleGetTexRef(_Out_ CUtexref *pTexRef, CUmodule hmod, const char *name)',
    cuModuleGetSurfRef: 'CUresult cuModuleGetSurfRef(_Out_ CUsurfref *pSurfRef, CUmodule hmod, const char *name)',
  },
  TEXREF_DEPRECATED: {
    cuTexRefSetArray: 'CUresult cuTexRefSetArray(CUtexref hTexRef, CUarray hArray, unsigned int Flags)',
    cuTexRefSetMipmappedArray:
      'CUresult cuTexRefSetMipmappedArray(CUtexref hTexRef, CUmipmappedArray hMipmappedArray, unsigned int Flags)',
    cuTexRefSetAddress:
      'CUresult cuTexRefSetAddress_v2(_Out_opt_ size_t *ByteOffset, CUtexref hTexRef, CUdeviceptr dptr, size_t bytes)',
    cuTexRefSetAddress2D:
      'CUresult cuTexRefSetAddress2D_v3(CUtexref hTexRef, _In_ const CUDA_ARRAY_DESCRIPTOR *desc, CUdeviceptr dptr, size_t Pitch)',
    cuTexRefSetFormat: 'CUresult cuTexRefSetFormat(CUtexref hTexRef, CUarray_format fmt, int NumPackedComponents)',
    cuTexRefSetAddressMode: 'CUresult cuTexRefSetAddressMode(CUtexref hTexRef, int dim, CUaddress_mode am)',
    cuTexRefSetFilterMode: 'CUresult cuTexRefSetFilterMode(CUtexref hTexRef, CUfilter_mode fm)',
    cuTexRefSetMipmapFilterMode: 'CUresult cuTexRefSetMipmapFilterMode(CUtexref hTexRef, CUfilter_mode fm)',
    cuTexRefSetMipmapLevelBias: 'CUresult cuTexRefSetMipmapLevelBias(CUtexref hTexRef, float bias)',
    cuTexRefSetMipmapLevelClamp:
      'CUresult cuTexRefSetMipmapLevelClamp(CUtexref hTexRef, float minMipmapLevelClamp, float maxMipmapLevelClamp)',
    cuTexRefSetMaxAnisotropy: 'CUresult cuTexRefSetMaxAnisotropy(CUtexref hTexRef, unsigned int maxAniso)',
    cuTexRefSetBorderColor: 'CUresult cuTexRefSetBorderColor(CUtexref hTexRef, _In_ float *pBorderColor)',
    cuTexRefSetFlags: 'CUresult cuTexRefSetFlags(CUtexref hTexRef, unsigned int Flags)',
    cuTexRefGetAddress: 'CUresult cuTexRefGetAddress_v2(_Out_ CUdeviceptr *pdptr, CUtexref hTexRef)',
    cuTexRefGetArray: 'CUresult cuTexRefGetArray(_Out_ CUarray *phArray, CUtexref hTexRef)',
    cuTexRefGetMipmappedArray:
      'CUresult cuTexRefGetMipmappedArray(_Out_ CUmipmappedArray *phMipmappedArray, CUtexref hTexRef)',
    cuTexRefGetAddressMode: 'CUresult cuTexRefGetAddressMode(_Out_ CUaddress_mode *pam, CUtexref hTexRef, int dim)',
    cuTexRefGetFilterMode: 'CUresult cuTexRefGetFilterMode(_Out_ CUfilter_mode *pfm, CUtexref hTexRef)',
    cuTexRefGetFormat:
      'CUresult cuTexRefGetFormat(_Out_opt_ CUarray_format *pFormat, _Out_opt_ int *pNumChannels, CUtexref hTexRef)',
    cuTexRefGetMipmapFilterMode: 'CUresult cuTexRefGetMipmapFilterMode(_Out_ CUfilter_mode *pfm, CUtexref hTexRef)',
    cuTexRefGetMipmapLevelBias: 'CUresult cuTexRefGetMipmapLevelBias(_Out_ float *pbias, CUtexref hTexRef)',
    cuTexRefGetMipmapLevelClamp:
      'CUresult cuTexRefGetMipmapLevelClamp(_Out_ float *pminMipmapLevelClamp, _Out_ float *pmaxMipmapLevelClamp, CUtexref hTexRef)',
    cuTexRefGetMaxAnisotropy: 'CUresult cuTexRefGetMaxAnisotropy(_Out_ int *pmaxAniso, CUtexref hTexRef)',
    cuTexRefGetBorderColor: 'CUresult cuTexRefGetBorderColor(_Out_ float *pBorderColor, CUtexref hTexRef)',
    cuTexRefGetFlags: 'CUresult cuTexRefGetFlags(_Out_ unsigned int *pFlags, CUtexref hTexRef)',
  },
  SURFREF_DEPRECATED: {
    cuSurfRefSetArray: 'CUresult cuSurfRefSetArray(CUsurfref hSurfRef, CUarray hArray, unsigned int Flags)',
    cuSurfRefGetArray: 'CUresult cuSurfRefGetArray(_Out_ CUarray *phArray, CUsurfref hSurfRef)',
  },
  MALLOC_ASYNC: {
    cuMemAllocAsync: 'CUresult cuMemAllocAsync(_Out_ CUdeviceptr *dptr, size_t bytesize, CUstream hStream)',
    cuMemAllocFromPoolAsync:
      'CUresult cuMemAllocFromPoolAsync(_Out_ CUdeviceptr *dptr, size_t bytesize, CUmemoryPool pool, CUstream hStream)',
    cuMemFreeAsync: 'CUresult cuMemFreeAsync(CUdeviceptr dptr, CUstream hStream)',
    cuMemPoolCreate: 'CUresult cuMemPoolCreate(_Out_ CUmemoryPool *pool, _In_ const CUmemPoolProps *poolProps)',
    cuMemPoolDestroy: 'CUresult cuMemPoolDestroy(CUmemoryPool pool)',
    cuMemPoolGetAttribute:
      'CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, _Out_ void *value)',
    cuMemPoolSetAttribute:
      'CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, _In_ void *value)',
    cuMemPoolTrimTo: 'CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t minBytesToKeep)',
    cuMemPoolSetAccess: 'CUresult cuMemPoolSetAccess(CUmemoryPool pool, _In_ const CUmemAccessDesc *map, size_t count)',
    cuMemPoolGetAccess:
      'CUresult cuMemPoolGetAccess(_Out_ CUmemAccess_flags *flags, CUmemoryPool memPool, _In_ CUmemLocation *location)',
    cuMemPoolExportToShareableHandle:
      'CUresult cuMemPoolExportToShareableHandle(_Out_ void *handle_out, CUmemoryPool pool, CUmemAllocationHandleType handleType, unsigned long long flags)',
    cuMemPoolImportFromShareableHandle:
      'CUresult cuMemPoolImportFromShareableHandle(_Out_ CUmemoryPool *pool_out, void *handle, CUmemAllocationHandleType handleType, unsigned long long flags)',
    cuMemPoolExportPointer:
      'CUresult cuMemPoolExportPointer(_Out_ CUmemPoolPtrExportData *shareData_out, CUdeviceptr ptr)',
    cuMemPoolImportPointer:
      'CUresult cuMemPoolImportPointer(_Out_ CUdeviceptr *ptr_out, CUmemoryPool pool, CUmemPoolPtrExportData *shareData)',
  },
  VA: {
    cuMemAddressReserve:
      'CUresult cuMemAddressReserve(_Out_ CUdeviceptr *ptr, size_t size, size_t alignment, CUdeviceptr addr, unsigned long long flags)',
    cuMemAddressFree: 'CUresult cuMemAddressFree(CUdeviceptr ptr, size_t size)',
    cuMemCreate:
      'CUresult cuMemCreate(_Out_ CUmemGenericAllocationHandle *handle, size_t size, const CUmemAllocationProp *prop, unsigned long long flags)',
    cuMemRelease: 'CUresult cuMemRelease(CUmemGenericAllocationHandle handle)',
    cuMemMap:
      'CUresult cuMemMap(CUdeviceptr ptr, size_t size, size_t offset, CUmemGenericAllocationHandle handle, unsigned long long flags)',
    cuMemUnmap: 'CUresult cuMemUnmap(CUdeviceptr ptr, size_t size)',
    cuMemSetAccess: 'CUresult cuMemSetAccess(CUdeviceptr ptr, size_t size, const CUmemAccessDesc *desc, size_t count)',
    cuMemGetAccess:
      'CUresult cuMemGetAccess(_Out_ unsigned long long *flags, const CUmemLocation *location, CUdeviceptr ptr)',
    cuMemGetAllocationGranularity:
      'CUresult cuMemGetAllocationGranularity(_Out_ size_t *granularity, const CUmemAllocationProp *prop, CUmemAllocationGranularity_flags option)',
    cuMemExportToShareableHandle:
      'CUresult cuMemExportToShareableHandle(_Out_ void *shareableHandle, CUmemGenericAllocationHandle handle, CUmemAllocationHandleType handleType, unsigned long long flags)',
    cuMemImportFromShareableHandle:
      'CUresult cuMemImportFromShareableHandle(_Out_ CUmemGenericAllocationHandle *handle, void *osHandle, CUmemAllocationHandleType shHandleType)',
    cuMemGetAllocationPropertiesFromHandle:
      'CUresult cuMemGetAllocationPropertiesFromHandle(_Out_ CUmemAllocationProp *prop, CUmemGenericAllocationHandle handle)',
  },
  UNIFIED: {
    cuPointerGetAttribute:
      'CUresult cuPointerGetAttribute(_Out_ void *data, CUpointer_attribute attribute, CUdeviceptr ptr)',
    cuPointerSetAttribute:
      'CUresult cuPointerSetAttribute(_In_ const void *value, CUpointer_attribute attribute, CUdeviceptr ptr)',
    cuMemPrefetchAsync:
      'CUresult cuMemPrefetchAsync_v2(CUdeviceptr devPtr, size_t count, CUmemLocation location, unsigned int flags, CUstream hStream)',
    cuMemAdvise:
      'CUresult cuMemAdvise_v2(CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUmemLocation location)',
    cuMemRangeGetAttribute:
      'CUresult cuMemRangeGetAttribute(_Out_ void *data, size_t dataSize, CUmem_range_attribute attribute, CUdeviceptr devPtr, size_t count)',
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
    cuStreamGetId: 'CUresult cuStreamGetId(CUstream hStream, _Out_ unsigned long long *streamId)',
    cuStreamGetAttribute:
      'CUresult cuStreamGetAttribute(CUstream hStream, CUstreamAttrID attr, _Out_ CUstreamAttrValue *value_out)',
    cuStreamSetAttribute:
      'CUresult cuStreamSetAttribute(CUstream hStream, CUstreamAttrID attr, _In_ const CUstreamAttrValue *value)',
    cuStreamCopyAttributes: 'CUresult cuStreamCopyAttributes(CUstream dst, CUstream src)',
    cuStreamBeginCapture: 'CUresult cuStreamBeginCapture_v2(CUstream hStream, CUstreamCaptureMode mode)',
    cuStreamEndCapture: 'CUresult cuStreamEndCapture(CUstream hStream, _Out_ CUgraph *phGraph)',
    cuStreamIsCapturing: 'CUresult cuStreamIsCapturing(CUstream hStream, _Out_ CUstreamCaptureStatus *captureStatus)',
    cuStreamGetCaptureInfo:
      'CUresult cuStreamGetCaptureInfo_v2(CUstream hStream, _Out_ CUstreamCaptureStatus *captureStatus_out, _Out_opt_ cuuint64_t *id_out, _Out_opt_ CUgraph *graph_out, const CUgraphNode **dependencies_out, _Out_opt_ size_t *numDependencies_out)',
    cuThreadExchangeStreamCaptureMode: 'CUresult cuThreadExchangeStreamCaptureMode(_Out_ CUstreamCaptureMode *mode)',
    cuStreamAttachMemAsync:
      'CUresult cuStreamAttachMemAsync(CUstream hStream, CUdeviceptr dptr, size_t length, unsigned int flags)',
  },
  EVENT: {
    cuEventCreate: 'CUresult cuEventCreate(_Out_ CUevent *phEvent, unsigned int Flags)',
    cuEventRecord: 'CUresult cuEventRecord(CUevent hEvent, CUstream hStream)',
    cuEventQuery: 'CUresult cuEventQuery(CUevent hEvent)',
    cuEventSynchronize: 'CUresult cuEventSynchronize(CUevent hEvent)',
    cuEventDestroy: 'CUresult cuEventDestroy_v2(CUevent hEvent)',
    cuEventElapsedTime: 'CUresult cuEventElapsedTime(_Out_ float *pMilliseconds, CUevent hStart, CUevent hEnd)',
  },
  MEMOP: {
    cuStreamWaitValue32:
      'CUresult cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags)',
    cuStreamWaitValue64:
      'CUresult cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags)',
    cuStreamWriteValue32:
      'CUresult cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags)',
    cuStreamWriteValue64:
      'CUresult cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags)',
    cuStreamBatchMemOp:
      'CUresult cuStreamBatchMemOp_v2(CUstream stream, unsigned int count, _In_ CUstreamBatchMemOpParams *paramArray, unsigned int flags)',
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
    cuFuncIsLoaded: 'CUresult cuFuncIsLoaded(_Out_ CUfunctionLoadingState *state, CUfunction function)',
    cuFuncLoad: 'CUresult cuFuncLoad(CUfunction function)',
    cuFuncGetName: 'CUresult cuFuncGetName(_Out_ const char **name, CUfunction hfunc)',
    cuFuncGetParamInfo:
      'CUresult cuFuncGetParamInfo(CUfunction func, size_t paramIndex, _Out_ size_t *paramOffset, _Out_opt_ size_t *paramSize)',
  },
  OCCUPANCY: {
    cuOccupancyMaxActiveBlocksPerMultiprocessor:
      'CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(_Out_ int *numBlocks, CUfunction func, int blockSize, size_t dynamicSMemSize)',
    cuOccupancyMaxPotentialBlockSize:
      'CUresult cuOccupancyMaxPotentialBlockSize(_Out_ int *minGridSize, _Out_ int *blockSize, CUfunction func, CUoccupancyB2DSize blockSizeToDynamicSMemSize, size_t dynamicSMemSize, int blockSizeLimit)',
    cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags:
      'CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(_Out_ int *numBlocks, CUfunction func, int blockSize, size_t dynamicSMemSize, unsigned int flags)',
    cuOccupancyMaxPotentialBlockSizeWithFlags:
      'CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(_Out_ int *minGridSize, _Out_ int *blockSize, CUfunction func, CUoccupancyB2DSize blockSizeToDynamicSMemSize, size_t dynamicSMemSize, int blockSizeLimit, unsigned int flags)',
    cuOccupancyAvailableDynamicSMemPerBlock:
      'CUresult cuOccupancyAvailableDynamicSMemPerBlock(_Out_ size_t *dynamicSmemSize, CUfunction func, int numBlocks, int blockSize)',
    cuOccupancyMaxPotentialClusterSize:
      'CUresult cuOccupancyMaxPotentialClusterSize(_Out_ int *clusterSize, CUfunction func, const CUlaunchConfig *config)',
    cuOccupancyMaxActiveClusters:
      'CUresult cuOccupancyMaxActiveClusters(_Out_ int *numClusters, CUfunction func, const CUlaunchConfig *config)',
  },
  GRAPH: {
    cuGraphCreate: 'CUresult cuGraphCreate(_Out_ CUgraph *phGraph, unsigned int flags)',
    cuGraphDestroy: 'CUresult cuGraphDestroy(CUgraph hGraph)',
    cuGraphClone: 'CUresult cuGraphClone(_Out_ CUgraph *phGraphClone, CUgraph originalGraph)',
    cuGraphAddKernelNode:
      'CUresult cuGraphAddKernelNode_v2(_Out_ CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, size_t numDependencies, _In_ const CUDA_KERNEL_NODE_PARAMS *nodeParams)',
    cuGraphKernelNodeSetParams:
      'CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode hNode, _In_ const CUDA_KERNEL_NODE_PARAMS *nodeParams)',
    cuGraphKernelNodeSetAttribute:
      'CUresult cuGraphKernelNodeSetAttribute(CUgraphNode hNode, CUkernelNodeAttrID attr, _In_ const CUkernelNodeAttrValue *value)',
    cuGraphAddMemcpyNode:
      'CUresult cuGraphAddMemcpyNode(_Out_ CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, size_t numDependencies, _In_ const CUDA_MEMCPY3D *copyParams, CUcontext ctx)',
    cuGraphMemcpyNodeSetParams:
      'CUresult cuGraphMemcpyNodeSetParams(CUgraphNode hNode, _In_ const CUDA_MEMCPY3D *nodeParams)',
    cuGraphAddMemsetNode:
      'CUresult cuGraphAddMemsetNode(_Out_ CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, size_t numDependencies, _In_ const CUDA_MEMSET_NODE_PARAMS *memsetParams, CUcontext ctx)',
    cuGraphMemsetNodeSetParams:
      'CUresult cuGraphMemsetNodeSetParams(CUgraphNode hNode, _In_ const CUDA_MEMSET_NODE_PARAMS *nodeParams)',
    cuGraphAddEmptyNode:
      'CUresult cuGraphAddEmptyNode(_Out_ CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, size_t numDependencies)',
    cuGraphAddEventRecordNode:
      'CUresult cuGraphAddEventRecordNode(_Out_ CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, size_t numDependencies, CUevent event)',
    cuGraphEventRecordNodeSetEvent: 'CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode hNode, CUevent event)',
    cuGraphAddEventWaitNode:
      'CUresult cuGraphAddEventWaitNode(_Out_ CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, size_t numDependencies, CUevent event)',
    cuGraphEventWaitNodeSetEvent: 'CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode hNode, CUevent event)',
    cuGraphAddChildGraphNode:
      'CUresult cuGraphAddChildGraphNode(_Out_ CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, size_t numDependencies, CUgraph childGraph)',
    cuGraphChildGraphNodeGetGraph: 'CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode hNode, _Out_ CUgraph *phGraph)',
    cuGraphAddMemAllocNode:
      'CUresult cuGraphAddMemAllocNode(_Out_ CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, size_t numDependencies, _In_ CUDA_MEM_ALLOC_NODE_PARAMS *nodeParams)',
    cuGraphAddMemFreeNode:
      'CUresult cuGraphAddMemFreeNode(_Out_ CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, size_t numDependencies, CUdeviceptr dptr)',
    cuGraphAddNode:
      'CUresult cuGraphAddNode(_Out_ CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, size_t numDependencies, CUgraphNodeParams *nodeParams)',
    cuGraphConditionalHandleCreate:
      'CUresult cuGraphConditionalHandleCreate(_Out_ CUgraphConditionalHandle *pHandle_out, CUgraph hGraph, CUcontext ctx, unsigned int defaultLaunchValue, unsigned int flags)',
    cuGraphNodeGetType: 'CUresult cuGraphNodeGetType(CUgraphNode hNode, _Out_ CUgraphNodeType *type)',
    cuGraphNodeFindInClone:
      'CUresult cuGraphNodeFindInClone(_Out_ CUgraphNode *phNode, CUgraphNode hOriginalNode, CUgraph hClonedGraph)',
    cuGraphGetNodes: 'CUresult cuGraphGetNodes(CUgraph hGraph, _Out_opt_ CUgraphNode *nodes, _Out_ size_t *numNodes)',
    cuGraphGetEdges:
      'CUresult cuGraphGetEdges(CUgraph hGraph, _Out_opt_ CUgraphNode *from, _Out_opt_ CUgraphNode *to, _Out_ size_t *numEdges)',
    cuGraphAddDependencies:
      'CUresult cuGraphAddDependencies(CUgraph hGraph, const CUgraphNode *from, const CUgraphNode *to, size_t numDependencies)',
    cuGraphRemoveDependencies:
      'CUresult cuGraphRemoveDependencies(CUgraph hGraph, const CUgraphNode *from, const CUgraphNode *to, size_t numDependencies)',
    cuGraphDestroyNode: 'CUresult cuGraphDestroyNode(CUgraphNode hNode)',
    cuGraphDebugDotPrint: 'CUresult cuGraphDebugDotPrint(CUgraph hGraph, const char *path, unsigned int flags)',
    cuGraphInstantiateWithParams:
      'CUresult cuGraphInstantiateWithParams(_Out_ CUgraphExec *phGraphExec, CUgraph hGraph, _In_ CUDA_GRAPH_INSTANTIATE_PARAMS *instantiateParams)',
    cuGraphExecDestroy: 'CUresult cuGraphExecDestroy(CUgraphExec hGraphExec)',
    cuGraphUpload: 'CUresult cuGraphUpload(CUgraphExec hGraphExec, CUstream hStream)',
    cuGraphLaunch: 'CUresult cuGraphLaunch(CUgraphExec hGraphExec, CUstream hStream)',
    cuGraphExecUpdate:
      'CUresult cuGraphExecUpdate_v2(CUgraphExec hGraphExec, CUgraph hGraph, _Out_ CUgraphExecUpdateResultInfo *resultInfo)',
    cuGraphExecKernelNodeSetParams:
      'CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec hGraphExec, CUgraphNode hNode, _In_ const CUDA_KERNEL_NODE_PARAMS *nodeParams)',
    cuGraphExecMemcpyNodeSetParams:
      'CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, _In_ const CUDA_MEMCPY3D *copyParams, CUcontext ctx)',
    cuGraphExecMemsetNodeSetParams:
      'CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, _In_ const CUDA_MEMSET_NODE_PARAMS *memsetParams, CUcontext ctx)',
    cuGraphExecChildGraphNodeSetParams:
      'CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, CUgraph childGraph)',
    cuGraphExecEventRecordNodeSetEvent:
      'CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode, CUevent event)',
    cuGraphExecEventWaitNodeSetEvent:
      'CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode, CUevent event)',
    cuGraphNodeSetEnabled:
      'CUresult cuGraphNodeSetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode, unsigned int isEnabled)',
    cuGraphNodeGetEnabled:
      'CUresult cuGraphNodeGetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode, _Out_ unsigned int *isEnabled)',
    cuDeviceGraphMemTrim: 'CUresult cuDeviceGraphMemTrim(CUdevice device)',
  },
  GREEN_CONTEXTS: {
    cuDeviceGetDevResource:
      'CUresult cuDeviceGetDevResource(CUdevice device, _Out_ CUdevResource *resource, CUdevResourceType type)',
    cuDevSmResourceSplitByCount:
      'CUresult cuDevSmResourceSplitByCount(_Out_ CUdevResource *result, _Out_ unsigned int *nbGroups, const CUdevResource *input, _Out_ CUdevResource *remaining, unsigned int useFlags, unsigned int minCount)',
    cuDevResourceGenerateDesc:
      'CUresult cuDevResourceGenerateDesc(_Out_ CUdevResourceDesc *phDesc, CUdevResource *resources, unsigned int nbResources)',
    cuGreenCtxCreate:
      'CUresult cuGreenCtxCreate(_Out_ CUgreenCtx *phCtx, CUdevResourceDesc desc, CUdevice dev, unsigned int flags)',
    cuGreenCtxDestroy: 'CUresult cuGreenCtxDestroy(CUgreenCtx hCtx)',
    cuCtxFromGreenCtx: 'CUresult cuCtxFromGreenCtx(_Out_ CUcontext *pContext, CUgreenCtx hCtx)',
    cuGreenCtxGetDevResource:
      'CUresult cuGreenCtxGetDevResource(CUgreenCtx hCtx, _Out_ CUdevResource *resource, CUdevResourceType type)',
    cuGreenCtxStreamCreate:
      'CUresult cuGreenCtxStreamCreate(_Out_ CUstream *phStream, CUgreenCtx greenCtx, unsigned int flags, int priority)',
  },
  PROFILER: {
    cuProfilerStart: 'CUresult cuProfilerStart(void)',
    cuProfilerStop: 'CUresult cuProfilerStop(void)',
  },
} as const;

/** The first CUDA version that has a function, where that is newer than 11. */
export const since: Readonly<Record<string, string>> = {
  cuCtxGetId: '12.0',
  cuModuleGetFunctionCount: '12.4',
  cuModuleEnumerateFunctions: '12.4',
  cuLibraryLoadData: '12.0',
  cuLibraryUnload: '12.0',
  cuLibraryGetKernel: '12.0',
  cuLibraryGetKernelCount: '12.4',
  cuLibraryEnumerateKernels: '12.4',
  cuLibraryGetModule: '12.0',
  cuLibraryGetGlobal: '12.0',
  cuLibraryGetManaged: '12.0',
  cuKernelGetFunction: '12.0',
  cuKernelGetAttribute: '12.0',
  cuKernelSetAttribute: '12.0',
  cuKernelGetName: '12.3',
  cuKernelGetParamInfo: '12.4',
  cuTensorMapEncodeTiled: '12.0',
  cuTensorMapEncodeIm2col: '12.0',
  cuTensorMapReplaceAddress: '12.0',
  cuMemcpyBatchAsync: '13.0',
  cuMemcpy3DBatchAsync: '13.0',
  cuMemPrefetchAsync: '12.2',
  cuMemAdvise: '12.2',
  cuStreamGetId: '12.0',
  cuFuncIsLoaded: '12.4',
  cuFuncLoad: '12.4',
  cuFuncGetName: '12.3',
  cuFuncGetParamInfo: '12.4',
  cuGraphAddKernelNode: '12.0',
  cuGraphKernelNodeSetParams: '12.0',
  cuGraphAddNode: '12.2',
  cuGraphConditionalHandleCreate: '12.3',
  cuGraphInstantiateWithParams: '12.0',
  cuGraphExecUpdate: '12.0',
  cuGraphExecKernelNodeSetParams: '12.0',
  cuDeviceGetDevResource: '12.4',
  cuDevSmResourceSplitByCount: '12.4',
  cuDevResourceGenerateDesc: '12.4',
  cuGreenCtxCreate: '12.4',
  cuGreenCtxDestroy: '12.4',
  cuCtxFromGreenCtx: '12.4',
  cuGreenCtxGetDevResource: '12.4',
  cuGreenCtxStreamCreate: '12.5',
};
