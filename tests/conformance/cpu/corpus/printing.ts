/** A kernel that prints, in a process of its own. */
export interface PrintingCase {
  readonly name: string;
  readonly source: string;
  /** The kernel's only parameter is an `int`. */
  readonly kernel: string;
  readonly argument: number;
  readonly block: number;
  readonly grid: number;
  /** What each thread prints, in its order; threads come in any order. */
  readonly threads: readonly (readonly string[])[];
  /** Where the kernel is to fail: the code of the error, and what stderr says. */
  readonly failure?: { readonly code: string; readonly stderr: RegExp };
}

/** printf and assert. */
export const printingCases: readonly PrintingCase[] = [
  {
    name: 'printf-formats',
    source: `
      __device__ const char *word(int i) { return i == 0 ? "zero" : "many"; }
      __global__ void print(int n)
      {
        printf("plain\\n");
        printf("%d %i %5d|%-5d|%05d %+d\\n", n, -n, n, n, n, n);
        printf("%u %x %X %#x %o\\n", 4000000000u, 48879, 48879, 255, 8);
        printf("%lld %llu %llx %ld\\n", -(1LL << 40), 1ULL << 63, 0x123456789abcdefULL, (long)-5);
        printf("%f %.2f %10.3f|%-9.1f| %e %g %g\\n", 1.5f, 3.14159, -2.5, 7.25f, 12345.678, 0.0001, 1e20);
        printf("%c%c %s %10s|%-6s| 100%%\\n", 'o', 'k', word(0), word(n), "end");
        short s = -7;
        unsigned char b = 200;
        printf("%d %d %d %s\\n", s, b, true, n > 1 ? "yes" : "no");
        printf("%f %f %f\\n", 1.0 / 0.0, -1.0 / 0.0, 0.1f);
        printf("%.3s %*d\\n", "abcdef", 6, 42);
      }`,
    kernel: 'print',
    argument: 42,
    block: 1,
    grid: 1,
    threads: [
      [
        'plain',
        '42 -42    42|42   |00042 +42',
        '4000000000 beef BEEF 0xff 10',
        '-1099511627776 9223372036854775808 123456789abcdef -5',
        '1.500000 3.14     -2.500|7.2      | 1.234568e+04 0.0001 1e+20',
        'ok zero       many|end   | 100%',
        '-7 200 1 yes',
        'inf -inf 0.100000',
        'abc     42',
      ],
    ],
  },
  {
    name: 'printf-of-many-threads',
    source: `
      __global__ void print(int n)
      {
        int t = blockIdx.x * blockDim.x + threadIdx.x;
        for (int k = 0; k < n; k++) printf("thread %d line %d\\n", t, k);
        __syncthreads();
        if (t % 2) printf("thread %d is odd: %g\\n", t, t * 0.5);
      }`,
    kernel: 'print',
    argument: 3,
    block: 8,
    grid: 3,
    threads: Array.from({ length: 24 }, (_, t) => [
      ...[0, 1, 2].map((k) => `thread ${t} line ${k}`),
      ...(t % 2 === 1 ? [`thread ${t} is odd: ${t / 2}`] : []),
    ]),
  },
  {
    name: 'assert-that-holds',
    source: `
      __global__ void check(int n)
      {
        assert(threadIdx.x < n);
        if (threadIdx.x == 0) printf("held\\n");
      }`,
    kernel: 'check',
    argument: 32,
    block: 32,
    grid: 2,
    threads: [['held'], ['held']],
  },
  {
    name: 'assert-that-fails',
    source: `
      __device__ void within(int i, int n)
      {
        assert(i < n);
      }
      __global__ void check(int n)
      {
        within(threadIdx.x, n);
      }`,
    kernel: 'check',
    argument: 6,
    block: 7,
    grid: 1,
    threads: [],
    failure: {
      code: 'CUDA_ERROR_ASSERT',
      stderr: /kernel\.cu:4: void within\(int, int\): block: \[0,0,0\], thread: \[6,0,0\] Assertion `i < n` failed\./,
    },
  },
  {
    name: 'trap',
    source: '__global__ void stop(int n) { if (threadIdx.x == n) __trap(); }',
    kernel: 'stop',
    argument: 3,
    block: 4,
    grid: 1,
    threads: [],
    failure: { code: 'CUDA_ERROR_LAUNCH_FAILED', stderr: /(?:)/ },
  },
];
