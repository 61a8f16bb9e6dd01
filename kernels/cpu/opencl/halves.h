// Halves in memory.
FN float vload_half(size_t i, const __generic half *p) { return (float)p[i]; }
FN float vloada_half(size_t i, const __generic half *p) { return (float)p[i]; }
#define STORE_HALF(S)                                                                                                  \
  STORE_AS(S, , ) STORE_AS(S, _rte, ) STORE_AS(S, _rtz, _rtz) STORE_AS(S, _rtp, _rtp) STORE_AS(S, _rtn, _rtn)
#define STORE_AS(S, mode, conversion)                                                                                  \
  FN void vstore_half##mode(S x, size_t i, __generic half *p) { p[i] = convert_half##conversion(x); }                  \
  FN void vstorea_half##mode(S x, size_t i, __generic half *p) { p[i] = convert_half##conversion(x); }
STORE_HALF(float)
STORE_HALF(double)
