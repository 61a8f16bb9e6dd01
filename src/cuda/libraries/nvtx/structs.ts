/** What describes a mark or a range. */
export const nvtxStructs = {
  nvtxEventAttributes_t: {
    size: 48,
    fields: {
      version: 0,
      size: 2,
      category: 4,
      colorType: 8,
      color: 12,
      payloadType: 16,
      payload: 24,
      messageType: 32,
      message: 40,
    },
  },
} as const;
