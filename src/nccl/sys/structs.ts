/** Sizes and offsets in bytes, the same on every 64-bit system. ncclConfig_t is that of NCCL 2.30. */
export const structs = {
  ncclConfig_t: {
    size: 96,
    fields: {
      size: 0,
      magic: 8,
      version: 12,
      blocking: 16,
      cgaClusterSize: 20,
      minCTAs: 24,
      maxCTAs: 28,
      netName: 32,
      splitShare: 40,
      trafficClass: 44,
      commName: 48,
      collnetEnable: 56,
      CTAPolicy: 60,
      shrinkShare: 64,
      nvlsCTAs: 68,
      nChannelsPerNetPeer: 72,
      nvlinkCentricSched: 76,
      graphUsageMode: 80,
      numRmaCtx: 84,
      maxP2pPeers: 88,
      graphStreamOrdering: 92,
    },
  },
  ncclSimInfo_t: { size: 24, fields: { size: 0, magic: 8, version: 12, estimatedTime: 16 } },
  ncclWaitSignalDesc_t: { size: 16, fields: { opCnt: 0, peer: 4, sigIdx: 8, ctx: 12 } },
} as const;

/** What the first words of NCCL's structs have to say. */
export const magics = {
  ncclConfig_t: 0xcafe_beef,
  ncclSimInfo_t: 0x7468_5283,
} as const;

/** How large ncclConfig_t is since which NCCL_VERSION_CODE, the newest first: fields are added at its end. */
export const configSizes: readonly (readonly [version: number, size: number])[] = [
  [23000, 96],
  [22900, 88],
  [22800, 80],
  [22700, 72],
  [21700, 48],
];
