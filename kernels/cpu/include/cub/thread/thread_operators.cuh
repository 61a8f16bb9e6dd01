// cub: operators as function objects.
#pragma once
#include "cub/util_type.cuh"

namespace cub {

#define __RK_OPERATOR(name, Result, ...)                                                                               \
  struct name {                                                                                                        \
    template <class T, class U> __RK_MEMBER constexpr Result operator()(const T &a, const U &b) const {                \
      return __VA_ARGS__;                                                                                              \
    }                                                                                                                  \
  };
__RK_OPERATOR(Equality, bool, a == b)
__RK_OPERATOR(Inequality, bool, a != b)
__RK_OPERATOR(Sum, auto, a + b)
__RK_OPERATOR(Difference, auto, a - b)
__RK_OPERATOR(Division, auto, a / b)
// Of equal ones the first.
__RK_OPERATOR(Max, auto, a < b ? b : a)
__RK_OPERATOR(Min, auto, b < a ? b : a)
#undef __RK_OPERATOR

template <class EqualityOp> struct InequalityWrapper {
  EqualityOp op;
  __RK_MEMBER InequalityWrapper(EqualityOp op) : op(op) {}
  template <class T, class U> __RK_MEMBER bool operator()(T &&a, U &&b) { return !op(a, b); }
};

/// The pair with the greatest (least) value, of equal ones that with the least key.
#define __RK_ARG(name, relation)                                                                                       \
  struct name {                                                                                                        \
    template <class T, class Offset>                                                                                   \
    __RK_MEMBER KeyValuePair<Offset, T> operator()(const KeyValuePair<Offset, T> &a,                                   \
                                                   const KeyValuePair<Offset, T> &b) const {                           \
      return b.value relation a.value || (a.value == b.value && b.key < a.key) ? b : a;                                \
    }                                                                                                                  \
  };
__RK_ARG(ArgMax, >)
__RK_ARG(ArgMin, <)
#undef __RK_ARG

template <class To> struct CastOp {
  template <class From> __RK_MEMBER To operator()(From &&from) const { return (To)from; }
};
template <class Op> struct SwizzleScanOp {
  Op op;
  __RK_MEMBER SwizzleScanOp(Op op) : op(op) {}
  template <class T> __RK_MEMBER T operator()(const T &a, const T &b) { return op(b, a); }
};
/// Pairs of a flag (as a count) and a value: a value behind a flag starts a segment.
template <class Op> struct ReduceBySegmentOp {
  Op op;
  __RK_MEMBER ReduceBySegmentOp() {}
  __RK_MEMBER ReduceBySegmentOp(Op op) : op(op) {}
  template <class Pair> __RK_MEMBER Pair operator()(const Pair &a, const Pair &b) {
    Pair result;
    result.key = a.key + b.key;
    result.value = b.key ? b.value : op(a.value, b.value);
    return result;
  }
};
template <class Op> struct ReduceByKeyOp {
  Op op;
  __RK_MEMBER ReduceByKeyOp() {}
  __RK_MEMBER ReduceByKeyOp(Op op) : op(op) {}
  template <class Pair> __RK_MEMBER Pair operator()(const Pair &a, const Pair &b) {
    Pair result = b;
    if (a.key == b.key) result.value = op(a.value, b.value);
    return result;
  }
};
template <class Op> struct BinaryFlip {
  Op op;
  __RK_MEMBER explicit BinaryFlip(Op op) : op(op) {}
  template <class T, class U> __RK_MEMBER decltype(auto) operator()(T &&a, U &&b) { return op(b, a); }
};
template <class Op> __RK_BOTH BinaryFlip<Op> MakeBinaryFlip(Op op) { return BinaryFlip<Op>(op); }

}
