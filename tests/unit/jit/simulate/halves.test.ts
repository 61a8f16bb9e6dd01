import { expect, test } from '@jest/globals';
import { array } from '../../../../src/array/create.ts';
import { cuda, type F32 } from '../../../../src/cuda/jit/index.ts';
import { describeJitEverywhere } from '../../../helpers/jit-halves.ts';

const ALL = Uint16Array.from({ length: 65536 }, (_, bits) => bits);
const word = new Uint32Array(1);
const float = new Float32Array(word.buffer);

/** The value of a half from its definition: IEEE 754, 3.4; the upper half of a float. */
const VALUES = {
  f16: (bits: number): number => {
    const [sign, exponent, fraction] = [bits & 0x8000 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
    if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
    return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
  },
  bf16: (bits: number): number => {
    word[0] = bits << 16;
    return float[0] ?? 0;
  },
} as const;

/** Floats that lie at halves, between two of them, and just beside. */
function floatsAround(valueOf: (bits: number) => number): Float32Array<ArrayBuffer> {
  return Float32Array.from(
    Array.from(ALL).flatMap((bits) => {
      const [value, next] = [valueOf(bits), valueOf(Math.min(bits + 1, 65535))];
      float[0] = (value + next) / 2;
      const middle = word[0] ?? 0;
      const beside = [middle - 1, middle, middle + 1].map((one) => {
        word[0] = one;
        return float[0] ?? 0;
      });
      return [value, ...beside];
    }),
  );
}

/** The first place where two lists differ by more than the bits of NaN. */
function firstDifference(dtype: 'f16' | 'bf16', a: Uint16Array = new Uint16Array(1), b?: Uint16Array): number {
  const valueOf = VALUES[dtype];
  return a.findIndex(
    (bits, i) => bits !== b?.[i] && !(Number.isNaN(valueOf(bits)) && Number.isNaN(valueOf(b?.[i] ?? 0))),
  );
}

describeJitEverywhere('halves', ({ jit, engine }) => {
  test.each(['f16', 'bf16'] as const)('%s: all bits are read as their values, written as they were', (dtype) => {
    const kernel = jit((x: F32, values: F32, copies: F32) => {
      const i = cuda.grid(1);
      values[i] = x[i]!;
      copies[i] = x[i]!;
    });
    const results = (['at', 'simulate'] as const).map((way) => {
      using x = array(engine(), ALL, { dtype });
      using copies = array(engine(), new Uint16Array(65536), { dtype });
      const values = new Float32Array(65536);
      kernel[way](256, 256)(x as never, values, copies as never);
      return { values, copies: copies.get() };
    });
    const wanted = Float32Array.from(ALL, VALUES[dtype]);
    for (const { values, copies } of results) {
      expect(values.findIndex((value, i) => !Object.is(value, wanted[i]))).toBe(-1);
      // Of NaN the place in the type is kept, not each bit.
      const differs = (bits: number, i: number): boolean =>
        Number.isNaN(wanted[i]) ? !Number.isNaN(VALUES[dtype](bits)) : bits !== i;
      expect(copies.findIndex(differs)).toBe(-1);
    }
    expect(firstDifference(dtype, results[0]?.copies, results[1]?.copies)).toBe(-1);
  });

  test.each(['f16', 'bf16'] as const)('%s: floats are rounded alike, to the nearest, ties to even', (dtype) => {
    const floats = floatsAround(VALUES[dtype]);
    const kernel = jit((x: F32, out: F32) => {
      const i = cuda.grid(1);
      if (i < x.length) out[i] = x[i]!;
    });
    const [computed, simulated] = (['at', 'simulate'] as const).map((way) => {
      using out = array(engine(), new Uint16Array(floats.length), { dtype });
      kernel[way](floats.length / 256, 256)(floats, out as never);
      return out.get();
    });
    expect(firstDifference(dtype, simulated, computed)).toBe(-1);
    // The middle between two is the second of four: the even one of its neighbours.
    const isTie = (i: number): boolean => i % 4 === 2 && Number.isFinite(floats[i - 2]) && Number.isFinite(floats[i]);
    const odd = simulated?.findIndex((bits, i) => isTie(i) && VALUES[dtype](bits) !== floats[i] && (bits & 1) === 1);
    expect(odd).toBe(-1);
  });
});
