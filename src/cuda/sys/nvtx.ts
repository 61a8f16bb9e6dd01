export const functions = {
  MARKERS_AND_RANGES: {
    nvtxDomainMarkEx: 'void nvtxDomainMarkEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *eventAttrib)',
    nvtxDomainRangeStartEx:
      'nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *eventAttrib)',
    nvtxDomainRangeEnd: 'void nvtxDomainRangeEnd(nvtxDomainHandle_t domain, nvtxRangeId_t id)',
    nvtxDomainRangePushEx:
      'int nvtxDomainRangePushEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *eventAttrib)',
    nvtxDomainRangePop: 'int nvtxDomainRangePop(nvtxDomainHandle_t domain)',
  },
  DOMAINS: {
    nvtxDomainCreateA: 'nvtxDomainHandle_t nvtxDomainCreateA(const char *name)',
    nvtxDomainDestroy: 'void nvtxDomainDestroy(nvtxDomainHandle_t domain)',
    nvtxDomainNameCategoryA:
      'void nvtxDomainNameCategoryA(nvtxDomainHandle_t domain, uint32_t category, const char *name)',
  },
  RESOURCE_NAMING: {
    nvtxNameCuStreamA: 'void nvtxNameCuStreamA(CUstream stream, const char *name)',
    nvtxNameCuEventA: 'void nvtxNameCuEventA(CUevent event, const char *name)',
  },
} as const;

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

export const NvtxValue = {
  VERSION: 3,
  COLOR_ARGB: 1,
  PAYLOAD_TYPE_DOUBLE: 3,
  MESSAGE_TYPE_ASCII: 1,
} as const;
