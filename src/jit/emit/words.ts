import { C_NAMES } from '../../core/struct-text.ts';
import type { ElementType, Space } from '../kernel-type.ts';

/** What the two languages write differently. */
export interface Words {
  readonly name: 'cuda' | 'opencl';
  readonly types: Readonly<Record<ElementType, string>>;
  /** Before a pointer's type. */
  readonly spaces: Readonly<Record<Space, string>>;
  readonly kernel: string;
  readonly device: string;
  /** Before an array of constants, outside of functions. */
  readonly constant: string;
  readonly shared: string;
  /** The ends of integer literals. */
  readonly suffixes: Readonly<Partial<Record<ElementType, string>>>;
  /** False, and true. */
  readonly truths: readonly [string, string];
  readonly infinity: Readonly<Record<'f32' | 'f64', string>>;
  readonly nan: Readonly<Record<'f32' | 'f64', string>>;
  /** A value of a struct. */
  readonly aggregate: (type: string, items: string) => string;
  readonly vector: (type: string, items: string) => string;
  readonly wideFormat: string;
  /** Before everything else. */
  readonly head: string;
}

export const cudaWords: Words = {
  name: 'cuda',
  types: C_NAMES.cuda,
  spaces: { global: '', shared: '', local: '', constant: '' },
  kernel: 'extern "C" __global__ void',
  device: '__device__ inline',
  constant: '__constant__ const',
  shared: '__shared__',
  suffixes: { u32: 'u', i64: 'LL', u64: 'ULL' },
  truths: ['false', 'true'],
  infinity: { f32: '__int_as_float(0x7f800000)', f64: '__longlong_as_double(0x7ff0000000000000LL)' },
  nan: { f32: '__int_as_float(0x7fc00000)', f64: '__longlong_as_double(0x7ff8000000000000LL)' },
  aggregate: (type, items) => `${type}{${items}}`,
  vector: (type, items) => `make_${type}(${items})`,
  wideFormat: 'll',
  head: '',
};

export const openclWords: Words = {
  name: 'opencl',
  types: C_NAMES.opencl,
  spaces: { global: '__global ', shared: '__local ', local: '', constant: '__constant ' },
  kernel: '__kernel void',
  device: 'static inline',
  constant: '__constant',
  shared: '__local',
  suffixes: { u32: 'u', i64: 'L', u64: 'UL' },
  truths: ['0', '1'],
  infinity: { f32: 'INFINITY', f64: '(double)INFINITY' },
  nan: { f32: 'NAN', f64: '(double)NAN' },
  aggregate: (type, items) => `(${type}){${items}}`,
  vector: (type, items) => `(${type})(${items})`,
  wideFormat: 'l',
  head: '#pragma OPENCL FP_CONTRACT OFF\n',
};
