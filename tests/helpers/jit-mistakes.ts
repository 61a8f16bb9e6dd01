import { cuda, device, jit, reduce, stencil, vectorize, type F32, type I32 } from '../../src/cuda/jit/index.ts';

// Each has one mistake, in the line whose comment is its title. Tools that run TypeScript make other lines of these: of types, blank
// lines, comments and constants nothing is left.

interface Vector {
  readonly x: number;
  readonly y: number;
}
type Pair = readonly [number, number];

/** A kernel that throws. */
export interface Mistake {
  readonly title: string;
  /** What is marked in the line. */
  readonly word: string;
  readonly run: () => unknown;
}

declare const scale: number;

const floats = (): Float32Array => new Float32Array(8);

const first = jit((a: F32, out: F32) => {
  const i: number = cuda.grid(1);
  if (i < out.length) out[i] = a[i]! + scale; // a name
});

const apart = jit(
  'void(f32[], f32[])', // a signature
  (
    a, // the input
    out,
  ) => {
    const i = cuda.grid(1);
    const next = i + 1;

    // A comment, behind a blank line.
    if (next < out.length) {
      out[next] = a[i]! / scale; // apart from the call
    }
  },
);

const twice = device((x: number): number => {
  const doubled = x * 2;
  return doubled + scale; // a device function
});
const calls = jit((out: F32, { twice }) => void (out[0] = twice(out[1]!)), { const: { twice } });

function made(at: Pair) {
  const kernel = jit(function named(out: F32): void {
    out[0] = 1;
    out[1] = out[2]! - scale; // in a function
  });
  kernel.specialize('(f32[])');
  return at;
}

const logistic = vectorize((x: number) => 1 / (1 + Math.exp(-x * scale))); // a function of arrays
const sum = reduce((a, b) => a + b + scale, { identity: 0 }); // a reduction
const smooth = stencil((a: F32) => 0.5 * (a[-1]! + a[1]!) + scale); // a stencil

class Holder {
  readonly kernel = jit((out: F32) => {
    for (let k = 0; k < 3; k++) {
      out[k + 1] = scale * k; // a field
    }
  });
  static method(out: F32): void {
    out[3] = -scale; // a method
  }
}

const twins = [
  jit((out: F32) => {
    const i: number = cuda.grid(1);
    out[i] = 7 * scale;
  }),
  jit((out: F32) => {
    const i: number = cuda.grid(1);
    out[i] = 8 * scale; // one of two
  }),
];

const wide = jit<[out: F32, at: I32]>((out, at) => {
  const v: Vector = { x: 1, y: 2 } satisfies Vector;
  const k = at[0] as number;
  out[k]! += v.x + scale; // types of many kinds
});

const inner = jit((out: F32) => {
  const quotient = (x: number, y: number): number => x / y; // a function inside
  out[0] = quotient(1, 2);
});

const bounds = jit((a: F32, out: F32) => {
  const i = cuda.grid(1);
  const far = 2 * i;

  if (i > 3) out[far] = a[i]!; // out of bounds
});

const barrier = jit((out: I32) => {
  const i = cuda.grid(1);
  if (i === 1) return;
  out[i] = 1;
  cuda.syncthreads(); // a barrier
});

/** Kernels in most of the ways in which they are written. */
export const mistakes: readonly Mistake[] = [
  { title: 'a name', word: 'scale', run: () => first.specialize('(f32[], f32[])') },
  { title: 'apart from the call', word: 'scale', run: () => apart.inspect() },
  { title: 'a device function', word: 'scale', run: () => calls.specialize('(f32[])') },
  { title: 'in a function', word: 'scale', run: () => made([1, 2]) },
  { title: 'a function of arrays', word: 'scale', run: () => logistic(floats()) },
  { title: 'a reduction', word: 'scale', run: () => sum(floats()) },
  { title: 'a stencil', word: 'scale', run: () => smooth(floats()) },
  { title: 'a field', word: 'scale', run: () => new Holder().kernel.specialize('(f32[])') },
  // eslint-disable-next-line @typescript-eslint/unbound-method -- a method's text is no other function's
  { title: 'a method', word: 'scale', run: () => jit(Holder.method).specialize('(f32[])') },
  { title: 'one of two', word: 'scale', run: () => twins[1]?.specialize('(f32[])') },
  { title: 'types of many kinds', word: 'scale', run: () => wide.specialize('(f32[], i32[])') },
  { title: 'a function inside', word: '(x', run: () => inner.specialize('(f32[])') },
  { title: 'out of bounds', word: 'out[far]', run: () => bounds.simulate(1, 8)(floats(), floats()) },
  { title: 'a barrier', word: 'cuda', run: () => barrier.simulate(1, 8)(new Int32Array(8)) },
];
