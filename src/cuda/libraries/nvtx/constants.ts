/** Values of the fields of nvtxEventAttributes_t. */
export const NvtxValue = {
  VERSION: 3,
  COLOR_ARGB: 1,
  PAYLOAD_TYPE_DOUBLE: 3,
  MESSAGE_TYPE_ASCII: 1,
} as const;
