export const functions = {
  TYPES: {
    nvtxDomainHandle_t: 'handle',
    nvtxRangeId_t: 'u64',
    CUstream: 'handle',
    CUevent: 'handle',
  },
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
