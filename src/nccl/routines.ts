/** The C functions by what users call. */
export const ROUTINES = {
  allReduce: 'ncclAllReduce',
  reduce: 'ncclReduce',
  broadcast: 'ncclBroadcast',
  allGather: 'ncclAllGather',
  reduceScatter: 'ncclReduceScatter',
  allToAll: 'ncclAlltoAll',
  gather: 'ncclGather',
  scatter: 'ncclScatter',
  send: 'ncclSend',
  recv: 'ncclRecv',
} as const;
