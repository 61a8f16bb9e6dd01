/** Code in CUDA C++ and the same in JavaScript, both for one thread. */
interface Code {
  readonly cuda: string;
  readonly js: string;
}

/** A random kernel without barriers and its model. */
export interface PlainKernel {
  readonly cuda: string;
  /** A JavaScript function's body over `t` (indices), `input`, `n` and `m`; returns what the thread writes, if it does. */
  readonly model: string;
}

/** Where a kernel runs: block and grid, x and y. */
export interface PlainShape {
  readonly block: readonly [number, number];
  readonly grid: readonly [number, number];
}

export const INPUTS = 256;
/** Values that each thread writes. */
export const RESULTS = 5;
const VARIABLES = 3;

/**
 * Random kernels without barriers: conditions on a thread's index, some of which come around the end of their type,
 * early returns, loops that all threads go through alike and others, integers and floats.
 */
export class PlainFuzzer {
  #seed: number;
  #names = 0;

  constructor(seed: number) {
    this.#seed = seed;
  }

  kernel(name: string): PlainKernel {
    const guard = this.#guard();
    const body = this.#statements(3, []);
    const early = this.#random(2) === 1;
    const ids = 'int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y';
    const declare = 'unsigned v0 = x, v1 = y, v2 = n; float f0 = x, f1 = 0.5f;';
    const results = ['v0', 'v1', 'v2', '__float_as_uint(f0)', '__float_as_uint(f1)'];
    const stores = results.map((value, i) => `to[${i}] = ${value};`).join(' ');
    const to = `unsigned *to = out + (y * gridDim.x * blockDim.x + x) * ${RESULTS};`;
    const work = `${to} ${declare} ${body.cuda} ${stores}`;
    const cuda = early ? `if (!(${guard.cuda})) return; ${work}` : `if (${guard.cuda}) { ${work} }`;
    return {
      cuda: `extern "C" __global__ void ${name}(unsigned *out, const unsigned *in, int n, int m) {\n  ${ids};\n  ${cuda}\n}\n`,
      model: `const { x, y, tx, lin } = t; if (!(${guard.js})) return undefined;
let v0 = x >>> 0, v1 = y >>> 0, v2 = n >>> 0, f0 = x, f1 = 0.5; ${body.js} return [v0, v1, v2, bits(f0), bits(f1)];`,
    };
  }

  #random(below: number): number {
    this.#seed = (Math.imul(this.#seed, 1103515245) + 12345) & 0x7fffffff;
    return (this.#seed >> 8) % below;
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#random(list.length)] as T;
  }

  /** What decides whether a thread does anything. */
  #guard(): Code {
    const one = (): Code => {
      const constant = this.#pick([0, 1, 3, 17, 0x7fff_fff0, 0x8000_0000, 0xffff_fff0]);
      const relation = this.#pick(['<', '<=', '>', '>=']);
      const value = this.#pick([
        { cuda: 'x', js: 'x' },
        { cuda: `(int)(threadIdx.x + ${constant}u)`, js: `(tx + ${constant} | 0)` },
        { cuda: `(int)((unsigned)x * 3u + ${constant}u)`, js: `(x * 3 + ${constant} | 0)` },
        { cuda: `(int)(${constant}u - 2u * (unsigned)x)`, js: `(${constant} - 2 * x | 0)` },
        { cuda: '(int)(threadIdx.y * blockDim.x + threadIdx.x)', js: 'lin' },
      ]);
      const other = this.#pick(['n', 'm', '5']);
      switch (this.#random(4)) {
        case 0:
          return {
            cuda: `(unsigned)${value.cuda} ${relation} (unsigned)${other}`,
            js: `(${value.js} >>> 0) ${relation} (${other} >>> 0)`,
          };
        case 1:
          return {
            cuda: `(long long)${value.cuda} + 7 ${relation} (long long)${other}`,
            js: `${value.js} + 7 ${relation} ${other}`,
          };
        case 2:
          return {
            cuda: `(long long)(unsigned)${value.cuda} ${relation} (long long)${other}`,
            js: `(${value.js} >>> 0) ${relation} ${other}`,
          };
        default:
          return { cuda: `${value.cuda} ${relation} ${other}`, js: `${value.js} ${relation} ${other}` };
      }
    };
    const row = this.#pick([
      { cuda: 'y < m', js: 'y < m' },
      { cuda: 'y > 0', js: 'y > 0' },
    ]);
    const [a, b] = [one(), one()];
    switch (this.#random(5)) {
      case 0:
        return a;
      case 1:
        return { cuda: `${a.cuda} && ${row.cuda}`, js: `${a.js} && ${row.js}` };
      case 2:
        return { cuda: `${a.cuda} && ${b.cuda}`, js: `${a.js} && ${b.js}` };
      case 3:
        return { cuda: `${a.cuda} || ${b.cuda}`, js: `${a.js} || ${b.js}` };
      default:
        return { cuda: `!(${a.cuda} || !(${row.cuda}))`, js: `!(${a.js} || !(${row.js}))` };
    }
  }

  #unsigned(depth: number, counters: readonly string[]): Code {
    const kind = this.#random(depth > 0 ? 9 : 4);
    if (kind === 0) {
      const value = this.#random(1000);
      return { cuda: `${value}u`, js: `${value}` };
    }
    if (kind === 1) {
      const name = this.#pick(['x', 'y', 'n', ...counters]);
      return { cuda: `(unsigned)${name}`, js: `(${name} >>> 0)` };
    }
    if (kind === 2 || kind === 3) {
      const name = `v${this.#random(VARIABLES)}`;
      return { cuda: name, js: name };
    }
    const a = this.#unsigned(depth - 1, counters);
    const b = this.#unsigned(depth - 1, counters);
    switch (kind) {
      case 4:
        return { cuda: `in[(${a.cuda}) & ${INPUTS - 1}u]`, js: `input[(${a.js}) & ${INPUTS - 1}]` };
      case 5:
        return { cuda: `(${a.cuda} * ${b.cuda})`, js: `(Math.imul(${a.js}, ${b.js}) >>> 0)` };
      case 6:
        return { cuda: `(${a.cuda} >> (${b.cuda} & 15u))`, js: `(${a.js} >>> (${b.js} & 15))` };
      case 7:
        return {
          cuda: `(${a.cuda} > ${b.cuda} ? ${a.cuda} : ${b.cuda})`,
          js: `(${a.js} > ${b.js} ? ${a.js} : ${b.js})`,
        };
      default: {
        const op = this.#pick(['+', '-', '^']);
        return { cuda: `(${a.cuda} ${op} ${b.cuda})`, js: `((${a.js} ${op} ${b.js}) >>> 0)` };
      }
    }
  }

  #float(depth: number, counters: readonly string[]): Code {
    const kind = this.#random(depth > 0 ? 6 : 2);
    if (kind === 0) {
      const name = `f${this.#random(2)}`;
      return { cuda: name, js: name };
    }
    if (kind === 1) {
      const from = this.#unsigned(1, counters);
      return { cuda: `(float)(${from.cuda} & 1023u)`, js: `(${from.js} & 1023)` };
    }
    const a = this.#float(depth - 1, counters);
    if (kind === 2) return { cuda: `sqrtf(fabsf(${a.cuda}))`, js: `Math.fround(Math.sqrt(Math.abs(${a.js})))` };
    const b = this.#float(depth - 1, counters);
    const op = this.#pick(['+', '-', '*']);
    return { cuda: `(${a.cuda} ${op} ${b.cuda})`, js: `Math.fround(${a.js} ${op} ${b.js})` };
  }

  #statement(depth: number, counters: readonly string[]): Code {
    const kind = this.#random(depth > 0 ? 9 : 5);
    if (kind <= 2) {
      const to = `v${this.#random(VARIABLES)}`;
      const value = this.#unsigned(3, counters);
      return { cuda: `${to} = ${value.cuda};`, js: `${to} = ${value.js};` };
    }
    if (kind <= 4) {
      const to = `f${this.#random(2)}`;
      const value = this.#float(2, counters);
      // Small enough not to end as a NaN, whose bits are nobody's business.
      return {
        cuda: `${to} = fminf(fmaxf(${value.cuda}, -1e6f), 1e6f);`,
        js: `${to} = Math.min(Math.max(${value.js}, -1e6), 1e6);`,
      };
    }
    const a = this.#statements(depth - 1, counters);
    if (kind === 5) {
      const condition = this.#unsigned(2, counters);
      const b = this.#statements(depth - 1, counters);
      return {
        cuda: `if (${condition.cuda} & 1u) { ${a.cuda} } else { ${b.cuda} }`,
        js: `if (${condition.js} & 1) { ${a.js} } else { ${b.js} }`,
      };
    }
    const j = `j${this.#names++}`;
    const body = this.#statements(depth - 1, [...counters, j]);
    const most = this.#pick([
      { cuda: '(n & 7)', js: '(n & 7)' },
      { cuda: '(m & 3) + 1', js: '(m & 3) + 1' },
      { cuda: '5', js: '5' },
      ...counters.map((counter) => ({ cuda: counter, js: counter })),
      // Not all threads go round as often.
      { cuda: '(x & 3)', js: '(x & 3)' },
    ]);
    return {
      cuda: `for (int ${j} = 0; ${j} < ${most.cuda}; ${j}++) { ${body.cuda} }`,
      js: `for (let ${j} = 0; ${j} < ${most.js}; ${j}++) { ${body.js} }`,
    };
  }

  #statements(depth: number, counters: readonly string[]): Code {
    const parts = Array.from({ length: 1 + this.#random(3) }, () => this.#statement(depth, counters));
    return { cuda: parts.map(({ cuda }) => cuda).join(' '), js: parts.map(({ js }) => js).join(' ') };
  }
}

type Model = (t: object, input: Uint32Array, n: number, m: number, bits: (x: number) => number) => number[] | undefined;

/** What a kernel must leave in `out`, which holds `before` where no thread writes. */
export function simulatePlain(
  { model }: PlainKernel,
  { block, grid }: PlainShape,
  input: Uint32Array,
  n: number,
  m: number,
  before: number,
): Uint32Array {
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the model is made here
  const run = new Function('t', 'input', 'n', 'm', 'bits', model) as Model;
  const float = new Float32Array(1);
  const word = new Uint32Array(float.buffer);
  const bits = (x: number): number => {
    float[0] = x;
    return word[0] ?? 0;
  };
  const [width, height] = [block[0] * grid[0], block[1] * grid[1]];
  const out = new Uint32Array(width * height * RESULTS).fill(before);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const tx = x % block[0];
      const results = run({ x, y, tx, lin: (y % block[1]) * block[0] + tx }, input, n, m, bits);
      if (results) out.set(results, (y * width + x) * RESULTS);
    }
  }
  return out;
}
