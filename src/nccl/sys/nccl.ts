import { types } from './ctypes.ts';

// The groups are the chapters of NCCL's API reference. `since` names the functions that NCCL 2.28.3 lacks.
export const functions = {
  TYPES: types as typeof types,
  COMMUNICATORS: {
    ncclGetVersion: 'ncclResult_t ncclGetVersion(_Out_ int *version)',
    ncclGetUniqueId: 'ncclResult_t ncclGetUniqueId(_Out_ ncclUniqueId *uniqueId)',
    ncclCommInitRank:
      'ncclResult_t ncclCommInitRank(_Out_ ncclComm_t *comm, int nranks, ncclUniqueId commId, int rank)',
    ncclCommInitAll: 'ncclResult_t ncclCommInitAll(_Out_ ncclComm_t *comm, int ndev, const int *devlist)',
    ncclCommInitRankConfig:
      'ncclResult_t ncclCommInitRankConfig(_Out_ ncclComm_t *comm, int nranks, ncclUniqueId commId, int rank, ncclConfig_t *config)',
    ncclCommInitRankScalable:
      'ncclResult_t ncclCommInitRankScalable(_Out_ ncclComm_t *newcomm, int nranks, int myrank, int nId, ncclUniqueId *commIds, ncclConfig_t *config)',
    ncclCommSplit:
      'ncclResult_t ncclCommSplit(ncclComm_t comm, int color, int key, _Out_ ncclComm_t *newcomm, ncclConfig_t *config)',
    ncclCommShrink:
      'ncclResult_t ncclCommShrink(ncclComm_t comm, int *excludeRanksList, int excludeRanksCount, _Out_ ncclComm_t *newcomm, ncclConfig_t *config, int shrinkFlags)',
    ncclCommGetUniqueId: 'ncclResult_t ncclCommGetUniqueId(ncclComm_t comm, _Out_ ncclUniqueId *uniqueId)',
    ncclCommGrow:
      'ncclResult_t ncclCommGrow(ncclComm_t comm, int nRanks, const ncclUniqueId *uniqueId, int rank, _Out_ ncclComm_t *newcomm, ncclConfig_t *config)',
    ncclCommFinalize: 'ncclResult_t ncclCommFinalize(ncclComm_t comm)',
    ncclCommRevoke: 'ncclResult_t ncclCommRevoke(ncclComm_t comm, int revokeFlags)',
    ncclCommDestroy: 'ncclResult_t ncclCommDestroy(ncclComm_t comm)',
    ncclCommAbort: 'ncclResult_t ncclCommAbort(ncclComm_t comm)',
    ncclCommGetAsyncError: 'ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, _Out_ ncclResult_t *asyncError)',
    ncclCommCount: 'ncclResult_t ncclCommCount(ncclComm_t comm, _Out_ int *count)',
    ncclCommCuDevice: 'ncclResult_t ncclCommCuDevice(ncclComm_t comm, _Out_ int *device)',
    ncclCommUserRank: 'ncclResult_t ncclCommUserRank(ncclComm_t comm, _Out_ int *rank)',
    ncclGetErrorString: 'const char *ncclGetErrorString(ncclResult_t result)',
    ncclGetLastError: 'const char *ncclGetLastError(ncclComm_t comm)',
    // NCCL 2.30 makes it a macro of its header that does nothing.
    ncclResetDebugInit: 'void ncclResetDebugInit(void)',
    ncclCommSuspend: 'ncclResult_t ncclCommSuspend(ncclComm_t comm, int flags)',
    ncclCommResume: 'ncclResult_t ncclCommResume(ncclComm_t comm)',
    ncclCommMemStats: 'ncclResult_t ncclCommMemStats(ncclComm_t comm, ncclCommMemStat_t stat, _Out_ uint64_t *value)',
  },
  REGISTRATION: {
    ncclMemAlloc: 'ncclResult_t ncclMemAlloc(_Out_ void **ptr, size_t size)',
    ncclMemFree: 'ncclResult_t ncclMemFree(void *ptr)',
    ncclCommRegister: 'ncclResult_t ncclCommRegister(ncclComm_t comm, void *buff, size_t size, _Out_ void **handle)',
    ncclCommDeregister: 'ncclResult_t ncclCommDeregister(ncclComm_t comm, void *handle)',
    ncclCommWindowRegister:
      'ncclResult_t ncclCommWindowRegister(ncclComm_t comm, void *buff, size_t size, _Out_ ncclWindow_t *win, int winFlags)',
    ncclCommWindowDeregister: 'ncclResult_t ncclCommWindowDeregister(ncclComm_t comm, ncclWindow_t win)',
    ncclWinGetUserPtr: 'ncclResult_t ncclWinGetUserPtr(ncclComm_t comm, ncclWindow_t win, _Out_ void **outUserPtr)',
  },
  OPERATORS: {
    ncclRedOpCreatePreMulSum:
      'ncclResult_t ncclRedOpCreatePreMulSum(_Out_ ncclRedOp_t *op, void *scalar, ncclDataType_t datatype, ncclScalarResidence_t residence, ncclComm_t comm)',
    ncclRedOpDestroy: 'ncclResult_t ncclRedOpDestroy(ncclRedOp_t op, ncclComm_t comm)',
  },
  COLLECTIVES: {
    ncclAllReduce:
      'ncclResult_t ncclAllReduce(const void *sendbuff, void *recvbuff, size_t count, ncclDataType_t datatype, ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream)',
    ncclBroadcast:
      'ncclResult_t ncclBroadcast(const void *sendbuff, void *recvbuff, size_t count, ncclDataType_t datatype, int root, ncclComm_t comm, cudaStream_t stream)',
    ncclBcast:
      'ncclResult_t ncclBcast(void *buff, size_t count, ncclDataType_t datatype, int root, ncclComm_t comm, cudaStream_t stream)',
    ncclReduce:
      'ncclResult_t ncclReduce(const void *sendbuff, void *recvbuff, size_t count, ncclDataType_t datatype, ncclRedOp_t op, int root, ncclComm_t comm, cudaStream_t stream)',
    ncclAllGather:
      'ncclResult_t ncclAllGather(const void *sendbuff, void *recvbuff, size_t sendcount, ncclDataType_t datatype, ncclComm_t comm, cudaStream_t stream)',
    ncclReduceScatter:
      'ncclResult_t ncclReduceScatter(const void *sendbuff, void *recvbuff, size_t recvcount, ncclDataType_t datatype, ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream)',
    ncclAlltoAll:
      'ncclResult_t ncclAlltoAll(const void *sendbuff, void *recvbuff, size_t count, ncclDataType_t datatype, ncclComm_t comm, cudaStream_t stream)',
    ncclGather:
      'ncclResult_t ncclGather(const void *sendbuff, void *recvbuff, size_t count, ncclDataType_t datatype, int root, ncclComm_t comm, cudaStream_t stream)',
    ncclScatter:
      'ncclResult_t ncclScatter(const void *sendbuff, void *recvbuff, size_t count, ncclDataType_t datatype, int root, ncclComm_t comm, cudaStream_t stream)',
  },
  'POINT-TO-POINT': {
    ncclSend:
      'ncclResult_t ncclSend(const void *sendbuff, size_t count, ncclDataType_t datatype, int peer, ncclComm_t comm, cudaStream_t stream)',
    ncclRecv:
      'ncclResult_t ncclRecv(void *recvbuff, size_t count, ncclDataType_t datatype, int peer, ncclComm_t comm, cudaStream_t stream)',
    ncclPutSignal:
      'ncclResult_t ncclPutSignal(const void *localbuff, size_t count, ncclDataType_t datatype, int peer, ncclWindow_t peerWin, size_t peerWinOffset, int sigIdx, int ctx, unsigned int flags, ncclComm_t comm, cudaStream_t stream)',
    ncclSignal:
      'ncclResult_t ncclSignal(int peer, int sigIdx, int ctx, unsigned int flags, ncclComm_t comm, cudaStream_t stream)',
    ncclWaitSignal:
      'ncclResult_t ncclWaitSignal(int nDesc, ncclWaitSignalDesc_t *signalDescs, ncclComm_t comm, cudaStream_t stream)',
  },
  GROUPS: {
    ncclGroupStart: 'ncclResult_t ncclGroupStart(void)',
    ncclGroupEnd: 'ncclResult_t ncclGroupEnd(void)',
    ncclGroupSimulateEnd: 'ncclResult_t ncclGroupSimulateEnd(ncclSimInfo_t *simInfo)',
  },
  PARAMETERS: {
    ncclParamBind: 'ncclResult_t ncclParamBind(_Out_ ncclParamHandle_t *out, const char *key)',
    ncclParamGetI8: 'ncclResult_t ncclParamGetI8(ncclParamHandle_t h, _Out_ int8_t *out)',
    ncclParamGetI16: 'ncclResult_t ncclParamGetI16(ncclParamHandle_t h, _Out_ int16_t *out)',
    ncclParamGetI32: 'ncclResult_t ncclParamGetI32(ncclParamHandle_t h, _Out_ int32_t *out)',
    ncclParamGetI64: 'ncclResult_t ncclParamGetI64(ncclParamHandle_t h, _Out_ int64_t *out)',
    ncclParamGetU8: 'ncclResult_t ncclParamGetU8(ncclParamHandle_t h, _Out_ uint8_t *out)',
    ncclParamGetU16: 'ncclResult_t ncclParamGetU16(ncclParamHandle_t h, _Out_ uint16_t *out)',
    ncclParamGetU32: 'ncclResult_t ncclParamGetU32(ncclParamHandle_t h, _Out_ uint32_t *out)',
    ncclParamGetU64: 'ncclResult_t ncclParamGetU64(ncclParamHandle_t h, _Out_ uint64_t *out)',
    ncclParamGetStr: 'ncclResult_t ncclParamGetStr(ncclParamHandle_t h, _Out_ const char **out)',
    ncclParamGet: 'ncclResult_t ncclParamGet(ncclParamHandle_t h, _Out_ void *out, int maxLen, _Out_ int *len)',
    ncclParamGetParameter:
      'ncclResult_t ncclParamGetParameter(const char *key, _Out_ const char **value, _Out_ int *valueLen)',
    ncclParamGetAllParameterKeys:
      'ncclResult_t ncclParamGetAllParameterKeys(_Out_ const char ***table, _Out_ int *tableLen)',
    ncclParamDumpAll: 'void ncclParamDumpAll(void)',
  },
} as const;

/** The NCCL that brought a function; functions without a row are in 2.18 and newer. */
export const since: Readonly<Record<string, string>> = {
  ncclMemAlloc: '2.19.3',
  ncclMemFree: '2.19.3',
  ncclCommRegister: '2.19.3',
  ncclCommDeregister: '2.19.3',
  ncclGroupSimulateEnd: '2.22.3',
  ncclCommInitRankScalable: '2.23.4',
  ncclResetDebugInit: '2.24.3',
  ncclCommShrink: '2.27.3',
  ncclCommWindowRegister: '2.27.3',
  ncclCommWindowDeregister: '2.27.3',
  ncclAlltoAll: '2.28.3',
  ncclGather: '2.28.3',
  ncclScatter: '2.28.3',
  ncclCommRevoke: '2.28.7',
  ncclCommGetUniqueId: '2.29.2',
  ncclCommGrow: '2.29.2',
  ncclWinGetUserPtr: '2.29.2',
  ncclPutSignal: '2.29.2',
  ncclSignal: '2.29.2',
  ncclWaitSignal: '2.29.2',
  ncclCommSuspend: '2.29.7',
  ncclCommResume: '2.29.7',
  ncclCommMemStats: '2.29.7',
  ncclParamBind: '2.30.4',
  ncclParamGetI8: '2.30.4',
  ncclParamGetI16: '2.30.4',
  ncclParamGetI32: '2.30.4',
  ncclParamGetI64: '2.30.4',
  ncclParamGetU8: '2.30.4',
  ncclParamGetU16: '2.30.4',
  ncclParamGetU32: '2.30.4',
  ncclParamGetU64: '2.30.4',
  ncclParamGetStr: '2.30.4',
  ncclParamGet: '2.30.4',
  ncclParamGetParameter: '2.30.4',
  ncclParamGetAllParameterKeys: '2.30.4',
  ncclParamDumpAll: '2.30.4',
};
