import { runInThisContext } from 'node:vm';

/** The types that random expressions have. */
export type RandomType = 'i32' | 'u32' | 'i64' | 'f32' | 'f64' | 'bool';

/** Numbers from 0 to 1 by a seed: mulberry32. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Draw = (type: RandomType) => string;

/** Texts of each type. `x` draws an operand; what C leaves undefined is kept out: overflow, division by 0, floats that do not fit. */
const FORMS: Readonly<Record<RandomType, readonly ((x: Draw, number: () => number) => string)[]>> = {
  i32: [
    (x) => `(${x('i32')} + ${x('i32')} | 0)`,
    (x) => `(${x('i32')} - ${x('i32')} | 0)`,
    (x) => `(${x('i32')} * ${x('i32')} | 0)`,
    (x) => `(${x('i32')} * ${x('i32')} + ${x('i32')} - ${x('i32')} | 0)`,
    (x) => `(${x('i32')} & ${x('i32')})`,
    (x) => `(${x('i32')} | ${x('i32')})`,
    (x) => `(${x('i32')} ^ ${x('u32')})`,
    (x) => `(~${x('i32')})`,
    (x) => `(-${x('i32')} | 0)`,
    (x) => `(${x('i32')} << ${x('i32')})`,
    (x) => `(${x('i32')} >> ${x('i32')})`,
    (x) => `(${x('u32')} | 0)`,
    (x) => `(${x('i64')} * ${x('i64')} + ${x('u32')} | 0)`,
    (x) => `((${x('u32')} - ${x('i32')}) ^ ${x('u32')})`,
    (x) => `(${x('i32')} + 3000000000 | 0)`,
    (x) => `((${x('i32')} >> 1) / (${x('i32')} | 1) | 0)`,
    (x) => `((${x('i32')} >> 1) % (${x('i32')} | 1))`,
    (x) => `Math.floor((${x('i32')} >> 1) / (${x('i32')} | 1))`,
    (x) => `Math.trunc((${x('i32')} >> 1) / (${x('i32')} | 1))`,
    (x) => `Math.imul(${x('i32')}, ${x('i32')})`,
    (x) => `Math.clz32(${x('i32')})`,
    (x) => `Math.max(${x('i32')}, ${x('i32')})`,
    (x) => `Math.min(${x('i32')}, ${x('i32')}, ${x('i32')})`,
    (x) => `Math.abs(${x('i32')} >> 1)`,
    (x) => `cuda.popc(${x('u32')})`,
    (x) => `cuda.clz(${x('i32')})`,
    (x) => `cuda.int32(${x('i64')})`,
    (x) => `cuda.int8(${x('i32')})`,
    (x) => `cuda.uint16(${x('i32')})`,
    (x) => `cuda.int16(${x('i64')})`,
    (x) => `(Math.max(-1e9, Math.min(1e9, Number.isNaN(${x('f64')}) ? 3.5 : 2.5)) | 0)`,
    (x) => `cuda.int32(Math.round(Math.fround(${x('i32')} & 65535) / 3))`,
    (x) => `((${x('i32')} & 15) ** 3)`,
    (x) => `(${x('bool')} ? ${x('i32')} : ${x('i32')})`,
    (x) => `(+${x('bool')})`,
  ],
  u32: [
    (x) => `(${x('i32')} >>> ${x('i32')})`,
    (x) => `(${x('i32')} >>> 0)`,
    (x) => `(${x('u32')} + ${x('u32')})`,
    (x) => `(${x('u32')} * ${x('u32')})`,
    (x) => `(${x('u32')} - ${x('u32')} >>> 0)`,
    (x) => `cuda.uint32(${x('i64')})`,
    (x) => `Math.floor(${x('u32')} / ((${x('u32')} | 1) >>> 0))`,
    (x) => `(${x('u32')} % ((${x('u32')} | 1) >>> 0))`,
    (x) => `Math.max(${x('u32')}, ${x('u32')})`,
    (x) => `(${x('bool')} ? ${x('u32')} : ${x('u32')})`,
  ],
  i64: [
    (x) => `cuda.int64(${x('i64')} + ${x('i64')})`,
    (x) => `cuda.int64(${x('i64')} * ${x('i64')})`,
    (x) => `cuda.int64(${x('i64')} - ${x('i32')})`,
    (x) => `(${x('i64')} & ${x('i64')})`,
    (x) => `(${x('i64')} ^ ${x('i64')})`,
    (x) => `(~${x('i64')})`,
    (x) => `(${x('i64')} << ${x('i32')})`,
    (x) => `(${x('i64')} >> ${x('i32')})`,
    (x) => `Math.trunc((${x('i64')} >> 1) / (${x('i64')} | 1))`,
    (x) => `Math.floor((${x('i64')} >> 1) / (${x('i64')} | 1))`,
    (x) => `((${x('i64')} >> 1) % (${x('i64')} | 1))`,
    (x) => `cuda.int64(${x('i32')})`,
    (x) => `cuda.int64(${x('u32')})`,
    (x) => `(cuda.int64(${x('i32')}) + ${x('u32')})`,
    (x) => `Math.min(${x('i64')}, ${x('i64')})`,
    (x) => `(-(${x('i64')} >> 1))`,
    (x) => `(${x('bool')} ? ${x('i64')} : ${x('i64')})`,
  ],
  f32: [
    (x) => `(${x('f32')} + ${x('f32')})`,
    (x) => `(${x('f32')} - ${x('f32')})`,
    (x) => `(${x('f32')} * ${x('f32')})`,
    (x) => `(${x('f32')} * ${x('f32')} + ${x('f32')})`,
    (x) => `(${x('f32')} / ${x('f32')})`,
    (x) => `(${x('f32')} % ${x('f32')})`,
    (x) => `(-${x('f32')})`,
    (x) => `(${x('f32')} + ${x('i32')})`,
    (x) => `(${x('f32')} * 0.3)`,
    (x) => `Math.sqrt(Math.abs(${x('f32')}))`,
    (x) => `Math.floor(${x('f32')})`,
    (x) => `Math.ceil(${x('f32')})`,
    (x) => `Math.trunc(${x('f32')})`,
    (x) => `Math.round(${x('f32')})`,
    (x) => `Math.sign(${x('f32')})`,
    (x) => `Math.max(${x('f32')}, ${x('f32')})`,
    (x) => `Math.min(${x('f32')}, ${x('f32')})`,
    (x) => `Math.fround(${x('f64')})`,
    (x) => `cuda.float32(${x('i32')})`,
    (x) => `cuda.float32(${x('u32')})`,
    (x) => `cuda.float32(${x('i64')})`,
    (x) => `cuda.fma(${x('f32')}, ${x('f32')}, ${x('f32')})`,
    (x) => `(${x('bool')} ? ${x('f32')} : ${x('f32')})`,
  ],
  f64: [
    (x) => `(${x('f64')} + ${x('f64')})`,
    (x) => `(${x('f64')} - ${x('f32')})`,
    (x) => `(${x('f64')} * ${x('f64')})`,
    (x) => `(${x('f64')} / ${x('f64')})`,
    (x) => `(${x('f64')} % ${x('f64')})`,
    (x) => `(${x('i32')} / ${x('i32')})`,
    (x) => `(${x('u32')} / 7)`,
    (x) => `(${x('f64')} + ${x('i32')})`,
    (x) => `(${x('f64')} - ${x('i64')})`,
    (x) => `(-${x('f64')})`,
    (x) => `Math.sqrt(${x('f64')})`,
    (x) => `Math.floor(${x('f64')})`,
    (x) => `Math.round(${x('f64')})`,
    (x) => `Math.abs(${x('f64')})`,
    (x) => `Math.max(${x('f64')}, ${x('f64')})`,
    (x) => `Math.min(${x('f64')}, ${x('f64')})`,
    (x) => `cuda.float64(${x('f32')})`,
    (x) => `cuda.float64(${x('u32')})`,
    (x) => `cuda.fma(${x('f64')}, ${x('f64')}, ${x('f64')})`,
    (x) => `(${x('bool')} ? ${x('f64')} : ${x('f64')})`,
  ],
  bool: [
    (x) => `(${x('i32')} < ${x('i32')})`,
    (x) => `(${x('i32')} >= ${x('u32')})`,
    (x) => `(${x('u32')} > ${x('u32')})`,
    (x) => `(${x('i64')} <= ${x('i64')})`,
    (x) => `(${x('f32')} < ${x('f32')})`,
    (x) => `(${x('f64')} !== ${x('f64')})`,
    (x) => `(${x('i32')} === ${x('i32')})`,
    (x) => `(!${x('bool')})`,
    (x) => `(!${x('f32')})`,
    (x) => `(${x('bool')} && ${x('bool')})`,
    (x) => `(${x('bool')} || ${x('bool')})`,
    (x) => `Number.isNaN(${x('f32')})`,
    (x) => `Number.isFinite(${x('f64')})`,
  ],
};

const LEAVES: Readonly<Record<RandomType, readonly string[]>> = {
  i32: ['a[i]', 'b[i]', 'i', '7', '(-3)', '65537', '2147483647'],
  u32: ['u[i]', 'v[i]', 'cuda.uint32(5)'],
  i64: ['l[i]', 'm[i]', 'cuda.int64(3)'],
  f32: ['f[i]', 'g[i]', 'cuda.float32(0.1)'],
  f64: ['d[i]', 'e[i]', '0.1', '1e300'],
  bool: ['(a[i] > b[i])', 'true', '(f[i] <= g[i])'],
};

/** A random expression of a type. */
function randomJitExpression(type: RandomType, depth: number, number: () => number): string {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(number() * list.length)] as T;
  if (depth <= 0) return pick(LEAVES[type]);
  const form = pick(FORMS[type]);
  return form((inner) => randomJitExpression(inner, depth - 1 - Math.floor(number() * 2), number), number);
}

const OUTPUTS: Readonly<Record<RandomType, string>> = {
  i32: 'oi',
  u32: 'ou',
  i64: 'ol',
  f32: 'of',
  f64: 'od',
  bool: 'oi',
};
const TYPES = Object.keys(OUTPUTS) as RandomType[];

/** A loop that computes with random expressions; each kind of loop and jump comes up. */
function loop(number: () => number, target: string): string {
  const x = (type: RandomType): string => randomJitExpression(type, 1, number);
  const body = `s = (s * 31 + ${x('i32')} | 0); t = t * 0.5 + ${x('f32')};`;
  const jump = number() < 0.5 ? `if (${x('bool')}) continue;` : `if (${x('bool')} && k > 2) break;`;
  const kinds = [
    `for (let k = 0; k < (${x('i32')} & 7); k++) { ${body} ${jump} s ^= k; }`,
    `let k = 9; while (k-- > 0) { ${body} ${jump} s += k & 3; s |= 0; }`,
    `let k = 0; do { ${body} k += 2; if (k > 8) break; } while (${x('bool')});`,
  ];
  const kind = kinds[Math.floor(number() * kinds.length)] ?? '';
  return `{ let s = 1, t = cuda.float32(0); ${kind} ${target} = s ^ (t < 1 ? 5 : 9); }`;
}

/** Inputs of each kernel. */
export const RANDOM_THREADS = 64;

/** A kernel of so many random expressions, each of which has a row of the outputs. */
export function randomJitKernel(seed: number, count: number): (...args: never[]) => void {
  const number = randomNumbers(seed);
  const lines = Array.from({ length: count }, (_, row) => {
    const target = (name: string): string => `${name}[${row} * ${RANDOM_THREADS} + i]`;
    if (row % 8 === 7) return loop(number, target('oi'));
    const type = TYPES[row % TYPES.length] as RandomType;
    const text = randomJitExpression(type, 3, number);
    return `${target(OUTPUTS[type])} = ${type === 'bool' ? `${text} ? 1 : 0` : text};`;
  });
  const text = `(function random(a, b, u, v, l, m, f, g, d, e, oi, ou, ol, of, od) {
  const i = cuda.grid(1);
  if (i >= ${RANDOM_THREADS}) return;
  ${lines.join('\n  ')}
})`;
  return runInThisContext(text) as (...args: never[]) => void;
}

/** The arrays that a random kernel reads: numbers at the ends of the types first. */
export function randomJitInputs(seed: number): readonly ArrayBufferView[] {
  const number = randomNumbers(seed ^ 0x5eed);
  const list = (ends: readonly number[], draw: () => number): number[] =>
    Array.from({ length: RANDOM_THREADS }, () =>
      number() < 0.4 ? (ends[Math.floor(number() * ends.length)] as number) : draw(),
    );
  const whole = (): number =>
    number() < 0.5 ? Math.floor(number() * 200 - 100) : Math.floor(number() * 2 ** 32) - 2 ** 31;
  const integers = [0, 1, -1, 2 ** 31 - 1, -(2 ** 31), 31, 32, 255];
  const fraction = (): number => (number() - 0.5) * 10 ** Math.floor(number() * 12 - 4);
  const floats = [0, -0, 1, -1, 0.5, -0.5, 1.5, 2.5, NaN, Infinity, -Infinity, 1e-45, 3.4e38, 16777217, -0.3];
  const wide = (): bigint[] =>
    list([0, 1, -1, 2 ** 53, -(2 ** 53)], whole).map((value) =>
      number() < 0.2
        ? number() < 0.5
          ? 2n ** 63n - 1n
          : -(2n ** 63n)
        : BigInt(value) * (number() < 0.3 ? 4294967311n : 1n),
    );
  return [
    new Int32Array(list(integers, whole)),
    new Int32Array(list(integers, whole)),
    new Uint32Array(list(integers, whole)),
    new Uint32Array(list(integers, whole)),
    new BigInt64Array(wide()),
    new BigInt64Array(wide()),
    new Float32Array(list(floats, fraction)),
    new Float32Array(list(floats, fraction)),
    new Float64Array(list(floats, fraction)),
    new Float64Array(list(floats, fraction)),
  ];
}

/** Outputs of a kernel, one array for each type. */
export function randomJitOutputs(count: number): readonly ArrayBufferView[] {
  const n = count * RANDOM_THREADS;
  return [new Int32Array(n), new Uint32Array(n), new BigInt64Array(n), new Float32Array(n), new Float64Array(n)];
}
