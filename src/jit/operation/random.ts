import { isSame, typeText, U64, type StructType } from '../kernel-type.ts';
import type { ElementUse, Expression } from '../tree.ts';
import { asIndex } from '../read/convert.ts';
import { isPure } from '../read/effect.ts';
import { elementOf } from '../read/element.ts';
import { readText } from '../read/function-text.ts';
import type { Source } from '../read/source.ts';
import { after, held } from '../read/hold.ts';
import { unknown } from '../read/operator.ts';
import { DEVICE, type DeviceText } from '../read/reading.ts';
import { hasUnknown, type Builtin, type BuiltinCall, type BuiltinTable } from './operation.ts';

/** What an array of states holds: `Xoroshiro128pState`. */
const STATE: StructType = {
  kind: 'struct',
  fields: [
    ['s0', U64],
    ['s1', U64],
  ],
};

/** A function that the package has written as a kernel's: it has a text for each type of index and kind of array. */
function deviceText(name: string, text: string, constants?: Readonly<Record<string, DeviceText>>): DeviceText {
  let source: Source | undefined;
  // The parser is loaded when the first function is read.
  return Object.defineProperty((): void => undefined, DEVICE, {
    get: () => (source ??= { text: readText(name, text), constants, isKernel: false }),
  }) as unknown as DeviceText;
}

/**
 * xoroshiro128+ with the constants that it was published with: D. Blackman, S. Vigna, 2016; the family is described in Scrambled
 * linear pseudorandom number generators, ACM Transactions on Mathematical Software 47, 2021. Numba has these constants, and so have
 * its numbers.
 *
 * All functions here are given the state besides its place: it is read where the kernel calls them, so that what is wrong with the
 * place is reported there.
 */
const NEXT = deviceText(
  'xoroshiro128p_next',
  `(states, index, { s0, s1 }) => {
    const sum = s0 ^ s1;
    states[index].s0 = (s0 << 55 | s0 >>> 9) ^ sum ^ sum << 14;
    states[index].s1 = sum << 36 | sum >>> 28;
    return s0 + s1;
  }`,
);

/**
 * The upper 53 bits, rounded to the 24 of a float. Those that would be rounded to 1 are the number before it, of which Numba makes
 * 1: an index made of the result would be one too many.
 */
const UNIFORM_F32 = deviceText(
  'xoroshiro128p_uniform_float32',
  `(states, index, state, { next }) => {
    const u = cuda.float32(next(states, index, state) >>> 11) * ${2 ** -53};
    return u < 1 ? u : cuda.float32(${1 - 2 ** -24});
  }`,
  { next: NEXT },
);

const UNIFORM_F64 = deviceText(
  'xoroshiro128p_uniform_float64',
  `(states, index, state, { next }) => cuda.float64(next(states, index, state) >>> 11) * ${2 ** -53}`,
  { next: NEXT },
);

/**
 * G. Box, M. Muller: A note on the generation of random normal deviates, 1958. The second number of a pair is not made. 0 has no
 * logarithm: half of the smallest number above it stands for it.
 */
function normal(name: string, uniform: DeviceText): DeviceText {
  return deviceText(
    name,
    `(states, index, state, { uniform }) => {
    const u1 = uniform(states, index, state);
    const u2 = uniform(states, index, states[index]);
    return Math.sqrt(-2 * Math.log(u1 > 0 ? u1 : ${2 ** -54})) * Math.cos(${2 * Math.PI} * u2);
  }`,
    { uniform },
  );
}

function ofStates(name: string, text: DeviceText): Builtin {
  const usage = `cuda.random.${name}(states, index)`;
  return {
    usage,
    arity: [2, 2],
    read: (call) => {
      const { reading, span } = call;
      if (hasUnknown(call)) return unknown(span);
      const { before, state } = stateOf(call);
      const called = reading.callDevice(text, [state.array, state.indices[0] as Expression, state], span);
      return after(before, called, span);
    },
  };
}

/** The state that a call names, and what is computed before it: its place is named twice, and computed once. */
function stateOf({ reading, args, path, span }: BuiltinCall): { before: readonly Expression[]; state: ElementUse } {
  const [states, place] = args as [Expression, Expression];
  const { type } = states;
  const isStates =
    type.kind === 'array' && type.rank === 1 && typeof type.element !== 'string' && isSame(type.element, STATE);
  if (!isStates)
    return reading.fail(
      states,
      `the first argument of ${path} must be an array of states, as createXoroshiro128pStates(n, { seed }) makes it, got ${typeText(type)}`,
    );
  const index = asIndex(place, reading.fail);
  const isPlain = index.kind === 'variable' || index.kind === 'constant';
  if (isPlain && isPure(index)) return { before: [], state: elementOf(states, [index], span) };
  const { before, use } = held(reading, index, 'place');
  return { before: [before], state: elementOf(states, [use], span) };
}

/** Random numbers of generators whose states are in an array: Numba's `numba.cuda.random`. */
export const randomBuiltins: BuiltinTable = Object.fromEntries(
  (
    [
      ['xoroshiro128pNext', NEXT],
      ['xoroshiro128pUniformFloat32', UNIFORM_F32],
      ['xoroshiro128pUniformFloat64', UNIFORM_F64],
      ['xoroshiro128pNormalFloat32', normal('xoroshiro128p_normal_float32', UNIFORM_F32)],
      ['xoroshiro128pNormalFloat64', normal('xoroshiro128p_normal_float64', UNIFORM_F64)],
    ] as const
  ).map(([name, text]) => [`random.${name}`, ofStates(name, text)]),
);
