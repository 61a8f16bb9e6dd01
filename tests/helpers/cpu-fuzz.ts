/** Code in CUDA C++ for one thread, and the same in JavaScript for all threads in lockstep. */
interface Code {
  readonly cuda: string;
  readonly js: string;
}

/** A random kernel and its model. */
export interface FuzzKernel {
  readonly cuda: string;
  /** A JavaScript function's body over `v` (4 variables of each thread), `p` (4 elements), `s` (shared arrays), `n`. */
  readonly model: string;
}

export const THREADS = 64;

/**
 * Random structured kernels: loops with break and continue, uniform and divergent branches, private and shared arrays,
 * barriers, shuffles and votes.
 */
export class KernelFuzzer {
  #seed: number;
  #names = 0;

  constructor(seed: number) {
    this.#seed = seed;
  }

  kernel(name: string): FuzzKernel {
    const body = this.#block(3, [], true);
    const cuda = `extern "C" __global__ void ${name}(unsigned* out, unsigned n) {
  __shared__ unsigned s0[${THREADS}], s1[${THREADS}];
  unsigned t = threadIdx.x, v0 = t, v1 = n, v2 = blockIdx.x, v3 = 7, p[4] = {1, 2, 3, t};
  s0[t] = t * 3; s1[t] = n + t;
  __syncthreads();
  ${body.cuda}
  out += blockIdx.x * ${THREADS * 4};
  out[t * 4] = v0; out[t * 4 + 1] = v1; out[t * 4 + 2] = v2; out[t * 4 + 3] = v3 ^ p[t & 3];
}
`;
    return { cuda, model: body.js };
  }

  #random(below: number): number {
    this.#seed = (Math.imul(this.#seed, 1103515245) + 12345) & 0x7fffffff;
    return (this.#seed >> 8) % below;
  }

  /** An expression of a thread's own values. */
  #expression(depth: number): Code {
    const kind = this.#random(depth > 0 ? 9 : 3);
    if (kind === 0) {
      const value = this.#random(100);
      return { cuda: `${value}u`, js: `${value}` };
    }
    if (kind === 1) return { cuda: 't', js: 't' };
    if (kind === 2) return this.#variable();
    const a = this.#expression(depth - 1);
    const b = this.#expression(depth - 1);
    switch (kind) {
      case 3:
      case 4:
      case 6: {
        const op = { 3: '+', 4: '-', 6: '^' }[kind];
        return { cuda: `(${a.cuda}${op}${b.cuda})`, js: `((${a.js}${op}${b.js})>>>0)` };
      }
      case 5:
        return { cuda: `(${a.cuda}*${b.cuda})`, js: `(Math.imul(${a.js},${b.js})>>>0)` };
      case 7:
        return { cuda: `(${a.cuda}<<(${b.cuda}&7u))`, js: `((${a.js}<<(${b.js}&7))>>>0)` };
      default:
        return { cuda: `(${a.cuda}>${b.cuda}?${a.cuda}:${b.cuda})`, js: `(${a.js}>${b.js}?${a.js}:${b.js})` };
    }
  }

  #variable(): Code {
    const k = this.#random(4);
    return { cuda: `v${k}`, js: `v[${k}][t]` };
  }

  /** A condition that all threads agree on. */
  #uniform(counters: readonly string[]): string {
    const values = ['n', ...counters, '3'];
    const a = values[this.#random(values.length)] ?? '';
    const b = values[this.#random(values.length)] ?? '';
    return this.#random(2) === 1 ? `(((${a}+${b})&1)!=0)` : `(${a}>${b})`;
  }

  /** Statements without barriers, for one thread in both languages. */
  #simple(depth: number): Code {
    const kind = this.#random(6);
    const value = this.#expression(2);
    if (kind <= 1) {
      const to = this.#variable();
      return { cuda: `${to.cuda}=${value.cuda};`, js: `${to.js}=${value.js};` };
    }
    if (kind === 2) {
      const i = this.#expression(1);
      return { cuda: `p[${i.cuda}&3u]=${value.cuda};`, js: `p[${i.js}&3][t]=${value.js};` };
    }
    if (kind === 3) {
      const to = this.#variable();
      return { cuda: `${to.cuda}+=p[${value.cuda}&3u];`, js: `${to.js}=(${to.js}+p[${value.js}&3][t])>>>0;` };
    }
    if (depth === 0) return { cuda: 'v1^=t;', js: 'v[1][t]=(v[1][t]^t)>>>0;' };
    const a = this.#simple(depth - 1);
    if (kind === 4) {
      const condition = this.#expression(1);
      const b = this.#simple(depth - 1);
      return {
        cuda: `if(${condition.cuda}&1u){${a.cuda}}else{${b.cuda}}`,
        js: `if(${condition.js}&1){${a.js}}else{${b.js}}`,
      };
    }
    const q = `q${depth}`;
    return {
      cuda: `for(unsigned ${q}=0;${q}<(${value.cuda}&3u);${q}++){${a.cuda} if(v0>4000000000u)break;}`,
      js: `for(let ${q}=0;${q}<(${value.js}&3);${q}++){${a.js} if(v[0][t]>4000000000)break;}`,
    };
  }

  /** A statement that may have barriers in it. All threads must meet in it unless it says otherwise. */
  #statement(depth: number, counters: readonly string[], together: boolean): Code {
    const kind = this.#random(depth > 0 ? 13 : 8);
    const each = (js: string): string => `for(let t=0;t<${THREADS};t++){${js}}`;
    if (kind <= 1) {
      const { cuda, js } = this.#simple(2);
      return { cuda, js: each(js) };
    }
    if (kind <= 3) {
      const array = this.#random(2);
      const shift = this.#random(THREADS);
      const value = this.#expression(1);
      return {
        cuda: `__syncthreads(); s${array}[(t+${shift})&63]=${value.cuda}; __syncthreads();`,
        js: each(`s[${array}][(t+${shift})&63]=${value.js};`),
      };
    }
    if (kind === 4) {
      const array = this.#random(2);
      const i = this.#expression(1);
      const to = this.#variable();
      return {
        cuda: `${to.cuda}+=s${array}[${i.cuda}&63u]; __syncthreads();`,
        js: each(`${to.js}=(${to.js}+s[${array}][${i.js}&63])>>>0;`),
      };
    }
    if (kind === 5) {
      const [from, to, lanes] = [this.#random(4), this.#random(4), 1 + this.#random(31)];
      return {
        cuda: `v${to}+=__shfl_xor_sync(0xffffffffu,v${from},${lanes});`,
        js: `{const o=v[${from}].slice();${each(`v[${to}][t]=(v[${to}][t]+o[t^${lanes}])>>>0;`)}}`,
      };
    }
    if (kind === 6) {
      const condition = this.#expression(1);
      const to = this.#random(4);
      const votes = `let m=[0,0];${each(`if(${condition.js}&1)m[t>>5]|=1<<(t&31);`)}`;
      return {
        cuda: `v${to}^=__ballot_sync(0xffffffffu,${condition.cuda}&1u);`,
        js: `{${votes}${each(`v[${to}][t]=(v[${to}][t]^m[t>>5])>>>0;`)}}`,
      };
    }
    if (kind === 7) {
      // Only the threads of one half warp meet.
      const [from, to] = [this.#random(4), this.#random(4)];
      const half = 'if((t&31)<16)';
      return {
        cuda: `${half}{v${to}+=__shfl_down_sync(0x0000ffffu,v${from},3,16);}`,
        js: `{const o=v[${from}].slice();${each(`${half}v[${to}][t]=(v[${to}][t]+o[(t&15)+3<16?t+3:t])>>>0;`)}}`,
      };
    }
    if (kind === 8 && together) {
      const condition = this.#expression(1);
      const to = this.#random(4);
      return {
        cuda: `v${to}+=__syncthreads_count(${condition.cuda}&1u);`,
        js: `{let c=0;${each(`c+=${condition.js}&1;`)}${each(`v[${to}][t]=(v[${to}][t]+c)>>>0;`)}}`,
      };
    }
    if (kind <= 10) {
      const condition = this.#uniform(counters);
      const a = this.#block(depth - 1, counters, together);
      const b = this.#block(depth - 1, counters, together);
      return { cuda: `if(${condition}){${a.cuda}}else{${b.cuda}}`, js: `if(${condition}){${a.js}}else{${b.js}}` };
    }
    const j = `j${this.#names++}`;
    const inner = [...counters, j];
    const body = this.#block(depth - 1, inner, together);
    const condition = this.#uniform(inner);
    const most = 1 + this.#random(4);
    const way = this.#random(2) === 1 ? 'break' : 'continue';
    const head = `${j}=0;${j}<${most}+(n&1);${j}++`;
    return {
      cuda: `for(unsigned ${head}){${body.cuda} if(${condition} && ${j}>1) ${way}; v2+=${j};}`,
      js: `for(let ${head}){${body.js} if(${condition} && ${j}>1) ${way}; ${each(`v[2][t]=(v[2][t]+${j})>>>0;`)}}`,
    };
  }

  #block(depth: number, counters: readonly string[], together: boolean): Code {
    const parts = Array.from({ length: 1 + this.#random(4) }, () => this.#statement(depth, counters, together));
    return { cuda: parts.map(({ cuda }) => cuda).join(' '), js: parts.map(({ js }) => js).join(' ') };
  }
}

/** What a kernel must leave in `out` for one block. */
export function simulate({ model }: FuzzKernel, n: number, block: number): number[] {
  const threads = Array.from({ length: THREADS }, (_, t) => t);
  const v = [threads.slice(), threads.map(() => n), threads.map(() => block), threads.map(() => 7)];
  const p = [threads.map(() => 1), threads.map(() => 2), threads.map(() => 3), threads.slice()];
  const s = [threads.map((t) => t * 3), threads.map((t) => n + t)];
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the model is made here
  const run = new Function('v', 'p', 's', 'n', model) as (...state: unknown[]) => void;
  run(v, p, s, n);
  return threads.flatMap((t) => [
    v[0]?.[t] ?? 0,
    v[1]?.[t] ?? 0,
    v[2]?.[t] ?? 0,
    ((v[3]?.[t] ?? 0) ^ (p[t & 3]?.[t] ?? 0)) >>> 0,
  ]);
}
