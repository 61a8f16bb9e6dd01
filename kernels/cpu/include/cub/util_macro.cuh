// cub: macros for numbers and namespaces.
#pragma once

#define CUB_NAMESPACE_BEGIN namespace cub {
#define CUB_NAMESPACE_END }
#define CUB_NS_QUALIFIER ::cub
#define CUB_RUNTIME_FUNCTION __host__ __device__
#define CUB_STDERR
#define CUB_ALIGN(bytes) __align__(bytes)
#define CUB_PREVENT_MACRO_SUBSTITUTION
#define CUB_MAX(a, b) (((b) > (a)) ? (b) : (a))
#define CUB_MIN(a, b) (((b) < (a)) ? (b) : (a))
#define CUB_QUOTIENT_FLOOR(x, y) ((x) / (y))
#define CUB_QUOTIENT_CEILING(x, y) (((x) + (y) - 1) / (y))
#define CUB_ROUND_UP_NEAREST(x, y) (CUB_QUOTIENT_CEILING(x, y) * (y))
#define CUB_ROUND_DOWN_NEAREST(x, y) (((x) / (y)) * (y))
#define CUB_STATIC_ASSERT(condition, message) static_assert(condition, #message)

namespace cub {
template <class T, class U> __RK_BOTH constexpr T DivideAndRoundUp(T n, U d) { return (T)(n / d + (n % d != 0)); }
}
