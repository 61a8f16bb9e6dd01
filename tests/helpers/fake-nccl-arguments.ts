/** The names of the arguments of transfers, as NCCL's manual has them. */
export const COLLECTIVE_ARGUMENTS = {
  ncclAllReduce: ['sendbuff', 'recvbuff', 'count', 'datatype', 'op', 'comm', 'stream'],
  ncclBroadcast: ['sendbuff', 'recvbuff', 'count', 'datatype', 'root', 'comm', 'stream'],
  ncclReduce: ['sendbuff', 'recvbuff', 'count', 'datatype', 'op', 'root', 'comm', 'stream'],
  ncclAllGather: ['sendbuff', 'recvbuff', 'sendcount', 'datatype', 'comm', 'stream'],
  ncclReduceScatter: ['sendbuff', 'recvbuff', 'recvcount', 'datatype', 'op', 'comm', 'stream'],
  ncclAlltoAll: ['sendbuff', 'recvbuff', 'count', 'datatype', 'comm', 'stream'],
  ncclGather: ['sendbuff', 'recvbuff', 'count', 'datatype', 'root', 'comm', 'stream'],
  ncclScatter: ['sendbuff', 'recvbuff', 'count', 'datatype', 'root', 'comm', 'stream'],
  ncclSend: ['sendbuff', 'count', 'datatype', 'peer', 'comm', 'stream'],
  ncclRecv: ['recvbuff', 'count', 'datatype', 'peer', 'comm', 'stream'],
} as const;
