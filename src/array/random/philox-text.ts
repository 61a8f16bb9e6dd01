import { PHILOX_MULTIPLIERS, PHILOX_ROUNDS, PHILOX_STEPS } from './philox.ts';

const [MULTIPLIER_0, MULTIPLIER_1] = PHILOX_MULTIPLIERS.map(word);
const rounds = Array.from({ length: PHILOX_ROUNDS }, (_, round) => {
  const [step0, step1] = PHILOX_STEPS.map((step) => word(Math.imul(step, round) >>> 0));
  return `  ROUND(${step0}, ${step1})`;
});

/**
 * The function `philox` of kernels: the four words of a counter and a key, by ten rounds. What keys grow by is written out, so that
 * compilers compute the keys of all rounds once, and put the blocks of several counters into vectors.
 */
export const philoxText: string = `\
#ifdef __OPENCL_C_VERSION__
#define INLINE __attribute__((always_inline))
#else
#define INLINE
#endif

typedef struct {
  u32 v[4];
} words;

#define ROUND(step0, step1) \\
  { \\
    const u64 p0 = (u64)${MULTIPLIER_0} * c0, p1 = (u64)${MULTIPLIER_1} * c2; \\
    c0 = (u32)(p1 >> 32) ^ c1 ^ (k0 + step0); \\
    c1 = (u32)p1; \\
    c2 = (u32)(p0 >> 32) ^ c3 ^ (k1 + step1); \\
    c3 = (u32)p0; \\
  }

INLINE FN words philox(u32 c0, u32 c1, u32 c2, u32 c3, u32 k0, u32 k1) {
${rounds.join('\n')}
  const words result = {{c0, c1, c2, c3}};
  return result;
}
`;

/** A word as C has it. */
export function word(value: number): string {
  return `0x${value.toString(16)}u`;
}
