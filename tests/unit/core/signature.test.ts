import { describe, expect, test } from '@jest/globals';
import type { Dialect } from '../../../src/core/signature.ts';
import { formatSignature, parseDeclarations, parseType, splitParameters } from '../../../src/core/signature.ts';

function signatures(source: string, dialect: Dialect = 'cuda'): string[] {
  return parseDeclarations(source, dialect).map(({ name, parameters }) => formatSignature(name, parameters));
}

describe('parseType()', () => {
  test.each([
    ['float*', 'float *'],
    ['float const * const', 'const float *'],
    ['const volatile int *', 'const volatile int *'],
    ['float *const *__restrict__ a', 'float *const *'],
    ['unsigned', 'unsigned int'],
    ['long unsigned int', 'unsigned long'],
    ['signed char', 'signed char'],
    ['int long long', 'long long'],
    ['unsigned __int128', 'unsigned __int128'],
    ['float a[]', 'float *'],
    ['float a[4][0x3]', 'float (*)[3]'],
    ['float (*a)[N]', 'float (*)[N]'],
    ['void (*f)(int, float[3])', 'void (*)(int, float *)'],
    ['void f(int)', 'void (*)(int)'],
    ['int (*(*f)(float))(int)', 'int (*(*)(float))(int)'],
    ['int S::*x', 'int S::*'],
    ['void (S::*)(int)', 'void (S::*)(int)'],
    ['float (&a)[4]', 'float (&)[4]'],
    ['size_t', 'unsigned long'],
    ['std::uint8_t', 'unsigned char'],
    ['cuda::std::int64_t', 'long'],
    ['half', '__half'],
    ['const half2 *', 'const __half2 *'],
    ['struct S *', 'S *'],
    ['::ns::S', 'ns::S'],
    ['S<float const*,4u , S<int>>', 'S<const float *, 4, S<int>>'],
    ['typename A<T>::template B<int>', 'A<T>::B<int>'],
    ['cudaTextureObject_t', 'unsigned long long'],
  ])('spells %s as %s', (text, spelled) => {
    expect(parseType(text, 'cuda').text).toBe(spelled);
    expect(parseType(spelled, 'cuda').text).toBe(spelled);
  });

  test.each([
    ['char', 'int', 1, 1, true],
    ['unsigned long', 'int', 8, 8, false],
    ['bool', 'bool', 1, 1, false],
    ['float', 'float', 4, 4, true],
    ['__nv_bfloat16', 'float', 2, 2, true],
    ['long double', 'float', undefined, undefined, true],
    ['void *', 'pointer', 8, 8, false],
    ['dim3', 'named', 12, 4, false],
    ['S', 'named', undefined, undefined, false],
    ['float &', 'named', undefined, undefined, false],
  ] as const)('knows the CUDA layout of %s', (text, kind, size, align, signed) => {
    expect(parseType(text, 'cuda')).toMatchObject({ kind, size, align, signed, lanes: 1 });
  });

  test.each([
    ['char3', 'char', 3, 1, 3, true],
    ['uchar4', 'unsigned char', 4, 4, 4, false],
    ['float1', 'float', 4, 4, 1, true],
    ['float3', 'float', 12, 4, 3, true],
    ['float4', 'float', 16, 16, 4, true],
    ['ulonglong2', 'unsigned long long', 16, 16, 2, false],
    ['double4', 'double', 32, 16, 4, true],
    ['double4_32a', 'double', 32, 32, 4, true],
    ['__half2', '__half', 4, 4, 2, true],
  ] as const)('knows the CUDA vector %s', (text, element, size, align, lanes, signed) => {
    expect(parseType(text, 'cuda')).toMatchObject({ kind: 'vector', element, size, align, lanes, signed });
  });

  test.each([
    ['unsigned int', 'uint', 'int', 4],
    ['ulong', 'ulong', 'int', 8],
    ['half', 'half', 'float', 2],
    ['float3', 'float3', 'vector', 16],
    ['uchar16', 'uchar16', 'vector', 16],
    ['size_t', 'size_t', 'int', undefined],
    ['read_only image2d_t', 'image2d_t', 'named', undefined],
    ['sampler_t', 'sampler_t', 'named', undefined],
    ['struct S s', 'struct S', 'named', undefined],
  ] as const)('reads the OpenCL type %s', (text, spelled, kind, size) => {
    expect(parseType(text, 'opencl')).toMatchObject({ text: spelled, kind, size });
  });

  test.each([
    ['__global const float * restrict a', 'const float *', 'global'],
    ['float local *a', 'float *', 'local'],
    ['constant float4 a[8]', 'float4 *', 'constant'],
    ['__global float (*a)[4]', 'float (*)[4]', 'global'],
  ])('keeps the address space of %s apart', (text, spelled, space) => {
    expect(parseType(text, 'opencl')).toMatchObject({ text: spelled, kind: 'pointer', space });
  });

  test('has no address space where the source names none', () => {
    expect(parseType('float *', 'opencl')).not.toHaveProperty('space');
  });

  test.each([
    '',
    '*',
    'int int',
    'unsigned float',
    'decltype(x)',
    'float *a b',
    'S<',
    'alignas(16) float x',
    '<'.repeat(5000),
  ])('calls what it cannot read named: %s', (text) => {
    expect(parseType(text, 'cuda')).toMatchObject({ kind: 'named', size: undefined });
  });
});

describe('splitParameters()', () => {
  test('splits at the commas outside every bracket', () => {
    const text = 'float*, S<int, 4> s, void (*f)(int, int), int a[N(1, 2)], unsigned';
    expect(splitParameters(text)).toHaveLength(5);
  });

  test.each(['', '  ', 'void', '/* none */'])('finds no parameter in "%s"', (text) => {
    expect(splitParameters(text)).toEqual([]);
  });
});

describe('formatSignature()', () => {
  test('puts names where C puts them', () => {
    expect(signatures('struct S {}; __global__ void f(float *a, int n, float (*m)[4], void (*g)(int), S);')).toEqual([
      'f(float *a, int n, float (*m)[4], void (*g)(int), S)',
    ]);
  });
});

describe('parseDeclarations()', () => {
  test.each([
    ['definition', '__global__ void f(float *a, const int n) {}', 'f(float *a, int n)'],
    ['prototype', '__global__ void f(float *);', 'f(float *)'],
    ['no parameters', '__global__ void f(void) {}', 'f()'],
    ['launch bounds', '__global__ void __launch_bounds__(256, 2) f(int a) {}', 'f(int a)'],
    ['bounds before void', '__global__ __launch_bounds__(N * (1 + 2)) void f(int a) {}', 'f(int a)'],
    ['void first', 'void __global__ f(int a) {}', 'f(int a)'],
    ['static inline', 'static inline __global__ void f(int a) {}', 'f(int a)'],
    ['trailing return type', '__global__ auto f(int a) -> void {}', 'f(int a)'],
    ['attributes', '[[maybe_unused]] __global__ void f(int a) __attribute__((used));', 'f(int a)'],
    ['unknown macro before', 'API(1) EXPORT __global__ void f(int a) {}', 'f(int a)'],
    [
      'default arguments',
      '__global__ void f(int a = g(1, 2), S<int, 3> b = {1, 2}, int c = 3) {}',
      'f(int a, S<int, 3> b, int c)',
    ],
    ['comments', '__global__ /* , */ void // (int x)\nf(int a /* , b */) {}', 'f(int a)'],
    ['continued line', '__glo\\\nbal__ void f(in\\\nt a) {}', 'f(int a)'],
    ['object-like macro', '#define T float\n#define K __global__ void\nK f(T *a) {}', 'f(float *a)'],
    [
      'typedef',
      'typedef unsigned int u32; using fp = float *;\n__global__ void f(u32 n, fp const a) {}',
      'f(unsigned int n, float *a)',
    ],
    ['array typedef', 'typedef float row[4]; __global__ void f(row *a, row b) {}', 'f(float (*a)[4], float *b)'],
  ])('reads a kernel with %s', (_, source, signature) => {
    expect(signatures(source)).toEqual([signature]);
  });

  test.each([
    ['in a comment', '/* __global__ void f(int a) {} */ // __global__ void g(int a) {}'],
    ['in a string', 'const char *s = "__global__ void f(int a) {}\\" __global__ void g();";'],
    ['in a raw string', 'auto s = R"x(__global__ void f(int a) {} )" )x";'],
    ['in a macro', '#define DEF(n) \\\n __global__ void n(int a) {}\nDEF(f)'],
    ['in dead code', '#if 0\n__global__ void f(int a) {}\n#endif'],
    ['whose name a macro makes', '#define N(x) x##_1\n__global__ void N(f)(int a) {}'],
    ['after an unknown macro', '__global__ void BOUNDS(256) f(int a) {}'],
    ['with macro parameters', '__global__ void f(PARAMS) {}'],
    ['with conditional parameters', '__global__ void f(int a\n#ifdef X\n, int b\n#endif\n) {}'],
    [
      'with a doubtful macro',
      '#ifdef X\n#define P int a, int b\n#else\n#define P int a\n#endif\n__global__ void f(P) {}',
    ],
    ['that never ends', '__global__ void f(int a'],
    ['that returns something', '__global__ int f(int a) {}'],
  ])('leaves out a kernel %s', (_, source) => {
    expect(signatures(source)).toEqual([]);
  });

  test('says what is a template, what has C linkage, and where it is', () => {
    const source = `extern "C" __global__ void a() {}
extern "C" {
  namespace n { __global__ void b() {} }
  #ifdef __cplusplus
  }
  #endif
template <typename T, int N = (3 > 2)>
__global__ void
c(T *x) {}
template <> __global__ void c<float, 3>(float *x) {}
__global__ void d(auto x) {}`;
    const found = parseDeclarations(source, 'cuda').map((d) => [d.name, d.externC, d.template, d.line]);
    expect(found).toEqual([
      ['a', true, false, 1],
      ['n::b', true, false, 3],
      ['c', false, true, 9],
      ['c', false, true, 10],
      ['d', false, true, 11],
    ]);
  });

  test('qualifies names by their namespaces', () => {
    const source = `namespace a::b { inline namespace v1 { struct S { int i; }; __global__ void f() {} } }
namespace { __global__ void g() {} } __global__ void h() {} __global__ void a::i() {}`;
    expect(signatures(source)).toEqual(['a::b::v1::f()', '(anonymous namespace)::g()', 'h()', 'a::i()']);
  });

  test('keeps scopes straight where branches open different braces', () => {
    const source = `namespace n {
#ifdef X
void f(int a) {
#else
void f(float a) {
#endif
}
}
__global__ void g(int a) {}`;
    expect(signatures(source)).toEqual(['g(int a)']);
  });

  test.each([
    ['two typedefs', '#ifdef D\ntypedef double real;\n#else\ntypedef float real;\n#endif\n'],
    ['two macros', '#ifdef D\n#define real double\n#else\n#define real float\n#endif\n'],
    ['a typedef in a class', 'struct S { typedef float real; };'],
    ['a template parameter', 'template <class real> '],
  ])('does not choose between the meanings of %s', (_, before) => {
    const [declaration] = parseDeclarations(`${before}__global__ void f(real a, real *b) {}`, 'cuda');
    expect(declaration?.parameters.map(({ type }) => [type.text, type.kind])).toEqual([
      ['real', 'named'],
      ['real *', 'pointer'],
    ]);
  });

  test('believes the source about a name that CUDA also has', () => {
    const [declaration] = parseDeclarations('struct half { int i[3]; }; __global__ void f(half a) {}', 'cuda');
    expect(declaration?.parameters[0]?.type).toMatchObject({ text: 'half', kind: 'named', size: undefined });
  });

  test('gives overloads apart and equal C declarations once', () => {
    expect(signatures('__global__ void f(int a); __global__ void f(float a);')).toEqual(['f(int a)', 'f(float a)']);
    expect(signatures('extern "C" __global__ void f(int); extern "C" __global__ void f(int a) {}')).toEqual([
      'f(int a)',
    ]);
  });

  test('leaves out a C symbol whose declarations differ', () => {
    const source = 'extern "C" {\n#ifdef X\n__global__ void f(int a)\n#else\n__global__ void f(float a)\n#endif\n{}\n}';
    expect(signatures(source)).toEqual([]);
  });

  test('reads OpenCL kernels', () => {
    const source = `#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define GLOBAL __global
typedef float real;
__kernel void add(GLOBAL const real *restrict a, global float4* b, __local int *c, const unsigned int n) {}
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void blur(read_only image2d_t in, sampler_t s, __constant float *t) {}
__attribute__((overloadable)) float helper(float x);`;
    expect(signatures(source, 'opencl')).toEqual([
      'add(__global const float *a, __global float4 *b, __local int *c, uint n)',
      'blur(image2d_t in, sampler_t s, __constant float *t)',
    ]);
    expect(parseDeclarations(source, 'opencl').map(({ externC, line }) => [externC, line])).toEqual([
      [true, 4],
      [true, 5],
    ]);
  });

  test('survives any text in linear time', () => {
    const units = [
      '{',
      '(',
      '<',
      '"',
      '/*',
      'R"',
      '#if\n',
      '\\\n',
      'template<',
      'typedef ',
      'namespace a{',
      '#define A A A\n',
    ];
    units.push(
      '__global__ ',
      '__global__ void f(',
      '__global__ void f(S<S<',
      '__global__ void f(int(*(*',
      '#define A B\n#define B A A\nA ',
    );
    for (const unit of units) {
      const source = `${unit.repeat(Math.ceil(20_000 / unit.length))} __global__ void g(`;
      expect(parseDeclarations(source, 'cuda')).toEqual([]);
      expect(parseDeclarations(source, 'opencl')).toEqual([]);
    }
  });
});
