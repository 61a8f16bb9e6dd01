/** The kinds of input. */
export const NvJitLinkInput = {
  CUBIN: 1,
  PTX: 2,
  LTOIR: 3,
  FATBIN: 4,
  OBJECT: 5,
  LIBRARY: 6,
} as const;
