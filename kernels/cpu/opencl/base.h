// What all of the library is written with.
#ifndef RAWKERNEL_BASE_H
#define RAWKERNEL_BASE_H
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// A function that always becomes part of its caller.
#define FN __attribute__((overloadable, always_inline, nothrow))
// One in which work-items wait for each other.
#define WAITING __attribute__((overloadable, always_inline, convergent))
// One that is too long to be copied everywhere.
#define FAR __attribute__((overloadable, noinline, nothrow))
// One that is no function of OpenCL C's.
#define OWN static __attribute__((overloadable, always_inline, nothrow, unused))

#define FOR_FLOATS(of) of(float) of(double) of(half)
#define FOR_SIGNED(of) of(char) of(short) of(int) of(long)
#define FOR_UNSIGNED(of) of(uchar) of(ushort) of(uint) of(ulong)
#define FOR_INTEGERS(of) FOR_SIGNED(of) FOR_UNSIGNED(of)

// The integer types that go with a type: unsigned, and for a floating-point type signed of the same size.
#define UNSIGNED_char uchar
#define UNSIGNED_short ushort
#define UNSIGNED_int uint
#define UNSIGNED_long ulong
#define UNSIGNED_uchar uchar
#define UNSIGNED_ushort ushort
#define UNSIGNED_uint uint
#define UNSIGNED_ulong ulong
#define UNSIGNED_half ushort
#define UNSIGNED_float uint
#define UNSIGNED_double ulong
#define SIGNED_half short
#define SIGNED_float int
#define SIGNED_double long

// Its limits.
#define LEAST_char CHAR_MIN
#define LEAST_short SHRT_MIN
#define LEAST_int INT_MIN
#define LEAST_long LONG_MIN
#define LEAST_uchar 0
#define LEAST_ushort 0
#define LEAST_uint 0
#define LEAST_ulong 0
#define MOST_char CHAR_MAX
#define MOST_short SHRT_MAX
#define MOST_int INT_MAX
#define MOST_long LONG_MAX
#define MOST_uchar UCHAR_MAX
#define MOST_ushort USHRT_MAX
#define MOST_uint UINT_MAX
#define MOST_ulong ULONG_MAX

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define BITS_OF(T, x) JOIN(as_, JOIN(UNSIGNED_, T))(x)
#define SIGNED_BITS_OF(T, x) JOIN(as_, JOIN(SIGNED_, T))(x)
#define OF_BITS(T, x) JOIN(as_, T)(x)
#endif
