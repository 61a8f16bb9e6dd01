import type { ScalarName } from '../kernel-type.ts';
import type { Storage } from './kernel-view.ts';

type Combine = (old: never, value: never) => number | bigint;

/** A result in the type of the element: integers wrap around, as the devices' do. */
function fitted(type: ScalarName, value: number | bigint): number | bigint {
  switch (type) {
    case 'i32':
      return Number(value) | 0;
    case 'u32':
      return Number(value) >>> 0;
    case 'i64':
      return BigInt.asIntN(64, BigInt(value));
    case 'u64':
      return BigInt.asUintN(64, BigInt(value));
    case 'f32':
      return Math.fround(Number(value));
    default:
      return value;
  }
}

/** The same texts as the loops of the devices: see `emit/c-helper.ts`. */
const COMBINES: Readonly<Record<string, Combine>> = {
  add: (old: number, value: number) => old + value,
  sub: (old: number, value: number) => old - value,
  max: (old: number, value: number) => (old > value || Number.isNaN(old) ? old : value),
  min: (old: number, value: number) => (old < value || Number.isNaN(old) ? old : value),
  nanmax: (old: number, value: number) => (old >= value ? old : value),
  nanmin: (old: number, value: number) => (old <= value ? old : value),
  and_: (old: number, value: number) => old & value,
  or_: (old: number, value: number) => old | value,
  xor: (old: number, value: number) => old ^ value,
  exch: (_: number, value: number) => value,
  inc: (old: number, value: number) => (old >= value ? 0 : old + 1),
  dec: (old: number, value: number) => (old === 0 || old > value ? value : old - 1),
};

type Atomic = (type: ScalarName, data: Storage, index: number, ...values: (number | bigint)[]) => number | bigint;

function atomicOf(combine: Combine): Atomic {
  return (type, data, index, value) => {
    const old = data[index] as number | bigint;
    data[index] = fitted(type, combine(old as never, value as never));
    return old;
  };
}

/** Operations on an element. Threads run one after another here, so that no other comes between. */
export const atomic: Readonly<Record<string, Atomic>> = {
  ...Object.fromEntries(Object.entries(COMBINES).map(([name, combine]) => [name, atomicOf(combine)])),
  // Floats are compared by their bits.
  cas: (_, data, index, expected, value) => {
    const old = data[index] as number | bigint;
    if (Object.is(old, expected)) data[index] = value;
    return old;
  },
};
