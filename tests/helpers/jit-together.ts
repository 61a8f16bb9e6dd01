import { builtinInputs } from './jit-builtins.ts';
import { newNumbers, type HostType, type Numbers } from './random-jit-inputs.ts';

/** A kernel whose threads meet, or tell where they are. The simulator and a device are to leave the same in all of its arrays. */
export interface TogetherCase {
  readonly title: string;
  /** The rows of the tables of `src/jit/operation` that it tries. */
  readonly rows: readonly string[];
  readonly text: string;
  readonly grid: number | readonly number[];
  readonly block: number | readonly number[];
  readonly arrays: () => readonly Numbers[];
  /** Whether OpenCL has it not. */
  readonly isCuda?: boolean;
  /** Arrays, by their place, whose elements have no order: threads come to one element in any. */
  readonly unordered?: readonly number[];
}

const WIDE = ['i32', 'u32', 'i64', 'u64', 'f32', 'f64'] as const;
type Wide = (typeof WIDE)[number];

function isInteger(type: Wide): boolean {
  return !type.startsWith('f');
}

/** The operations of one value on each type. */
function atomicsOf(type: Wide): readonly string[] {
  return [
    ...['add', 'sub', 'max', 'min', 'nanmax', 'nanmin', 'exch'],
    ...(isInteger(type) ? ['and_', 'or_', 'xor'] : []),
    ...(type === 'u32' ? ['inc', 'dec'] : []),
  ];
}

function atomicRows(type: Wide): readonly string[] {
  return [...atomicsOf(type), 'cas'].map((name) => `atomic.${name}`);
}

const N = 1024;

/** Each operation on elements of its own, in memory of the device and of the block: what was there, and what is then. */
function atomicValues(type: Wide): TogetherCase {
  const names = atomicsOf(type);
  const lines = names.map((name, k) => {
    const at = `${k} * ${N} + i`;
    return `  g[${at}] = x[i]; s[j] = x[i];
  old[${at}] = cuda.atomic.${name}(g, ${at}, y[i]); olds[${at}] = cuda.atomic.${name}(s, j, y[i]); news[${at}] = s[j];`;
  });
  const at = `${names.length} * ${N} + i`;
  const text = `(x, y, z, g, old, olds, news) => {
  const s = cuda.shared.array(128, '${type}'), q = cuda.shared.array([2, 64], '${type}');
  const i = cuda.grid(1), j = cuda.threadIdx.x;
${lines.join('\n')}
  g[${at}] = x[i]; q[j >> 6][j & 63] = x[i];
  old[${at}] = cuda.atomic.cas(g, ${at}, (i & 1) === 1 ? x[i] : z[i], y[i]);
  olds[${at}] = cuda.atomic.cas(q, [j >> 6, j & 63], (i & 1) === 1 ? x[i] : z[i], y[i]);
  news[${at}] = q[j >> 6][j & 63];
}`;
  return {
    title: `atomic operations on ${type}: values`,
    rows: atomicRows(type),
    text,
    grid: N / 128,
    block: 128,
    arrays: () => {
      const inputs = builtinInputs(7);
      const own = ['x', 'y', 'z'].map((letter) => inputs.get(`${type}${letter}`) as Numbers);
      return [...own, ...[0, 1, 2, 3].map(() => newNumbers(type, (names.length + 1) * N))];
    },
  };
}

/** Many threads at three elements. Sums are exact, so that the order leaves no trace but in which thread saw what. */
function atomicContention(type: Wide): TogetherCase {
  const names = atomicsOf(type);
  const value: Readonly<Record<string, string>> = {
    ...{
      add: '1',
      sub: '1',
      inc: '100',
      dec: '100',
      exch: 'v[i]',
      max: 'v[i]',
      min: 'v[i]',
      nanmax: 'v[i]',
      nanmin: 'v[i]',
    },
    ...{ and_: '~(v[i] & 7)', or_: 'v[i]', xor: 'v[i]' },
  };
  // What a thread saw depends on the order, but for these; with what exch leaves, the values are those that were given.
  const isSeen = (name: string): boolean => ['add', 'sub', 'inc', 'dec'].includes(name);
  const lines = names.flatMap((name, k) =>
    (['g', 's'] as const).map((array) => {
      const call = `cuda.atomic.${name}(${array}, ${3 * k} + i % 3, ${value[name] ?? '1'})`;
      const seen = array === 'g' ? `old[${k} * ${N} + i]` : `olds[${k} * ${N} + i]`;
      return isSeen(name) ? `  ${seen} = ${call};` : `  ${call};`;
    }),
  );
  const count = names.length;
  const text = `(v, g, out, old, olds, claims, winners) => {
  const s = cuda.shared.array(${3 * count}, '${type}');
  const i = cuda.grid(1), j = cuda.threadIdx.x;
  if (j < ${3 * count}) s[j] = g[${3 * count} + j];
  cuda.syncthreads();
${lines.join('\n')}
  if (cuda.atomic.cas(claims, i % 5, 0, 7) === 0) cuda.atomic.add(winners, i % 5, 1);
  cuda.syncthreads();
  if (j < ${3 * count}) out[cuda.blockIdx.x * ${3 * count} + j] = s[j];
}`;
  return {
    title: `atomic operations on ${type}: many threads at one element`,
    rows: atomicRows(type).filter((row) => row !== 'atomic.exch'),
    text: text.replaceAll(/^ .*exch.*\n/gm, ''),
    grid: N / 128,
    block: 128,
    unordered: [3, 4],
    arrays: () => {
      const v = newNumbers(type, N);
      const g = newNumbers(type, 6 * count);
      for (let i = 0; i < N; i++)
        v[i] = type.endsWith('64') && isInteger(type) ? BigInt((i * 7919) % 1013) : (i * 7919) % 1013;
      for (let i = 0; i < 6 * count; i++) g[i] = type.endsWith('64') && isInteger(type) ? 500n : 500;
      const claims = newNumbers(type, 5);
      return [
        v,
        g,
        newNumbers(type, 3 * count * (N / 128)),
        newNumbers(type, count * N),
        newNumbers(type, count * N),
        claims,
        newNumbers(type, 5),
      ];
    },
  };
}

/** `exch` under contention: what threads saw and what is left are all that was there and was given. */
const EXCHANGE: TogetherCase = {
  title: 'atomic exchange: no value is lost',
  rows: ['atomic.exch', 'atomic.compare_and_swap'],
  text: `(g, seen, first) => {
  const i = cuda.grid(1);
  seen[i] = cuda.atomic.exch(g, 0, i + 1);
  if (cuda.atomic.compare_and_swap(first, -1, 7) === -1) cuda.atomic.add(first, 1, 1);
}`,
  grid: 8,
  block: 128,
  arrays: () => [newNumbers('i32', 1), newNumbers('i32', 1024), Int32Array.of(-1, 0)],
};

/** Each warp function on values of a type, in code that all lanes run, and in branches with masks of their own. */
function warpValues(type: HostType): TogetherCase {
  const each = [
    ...['(i * 7) & 31', '3', '40', '-1', 'i & 1'].map((lane) => `cuda.shfl_sync(0xffffffff, x[i], ${lane})`),
    ...['0', '1', '16', '31'].flatMap((delta) => [
      `cuda.shfl_up_sync(0xffffffff, x[i], ${delta})`,
      `cuda.shfl_down_sync(0xffffffff, x[i], ${delta})`,
    ]),
    ...['1', '5', '31'].map((mask) => `cuda.shfl_xor_sync(0xffffffff, x[i], ${mask})`),
  ];
  const length = 64;
  const lines = each.map((call, k) => `  out[${k * length} + i] = ${call};`);
  const k = each.length;
  const text = `(x, out, words) => {
  const i = cuda.grid(1), lane = cuda.laneid;
${lines.join('\n')}
  words[i] = cuda.match_any_sync(0xffffffff, x[i]);
  words[${length} + i] = cuda.ballot_sync(0xffffffff, x[i] > 0);
  words[${2 * length} + i] = (cuda.all_sync(0xffffffff, x[i] === x[i]) ? 1 : 0) + (cuda.any_sync(0xffffffff, x[i] < 0) ? 2 : 0) + (cuda.all_sync(0xffffffff, lane >= 0) ? 4 : 0);
  words[${3 * length} + i] = cuda.activemask();
  words[${4 * length} + i] = cuda.lanemask_lt();
  if (lane < 16) {
    out[${k * length} + i] = cuda.shfl_sync(0xffff, x[i], (lane * 5) & 15);
    words[${5 * length} + i] = cuda.ballot_sync(0xffff, x[i] !== 0);
    cuda.syncwarp(0xffff);
  } else {
    out[${k * length} + i] = cuda.shfl_xor_sync(0xffff0000, x[i], 3);
    words[${5 * length} + i] = cuda.match_any_sync(0xffff0000, x[i]);
  }
  cuda.syncwarp();
  let sum = 0;
  for (let n = 0; n < 3 + (i >> 5); n++) {
    const got = cuda.shfl_up_sync(0xffffffff, n * 100 + lane, n);
    if (got % 3 === 0) continue;
    sum += got;
  }
  words[${6 * length} + i] = sum;
  if ((lane & 1) === 1) return;
  words[${7 * length} + i] = cuda.shfl_sync(0x55555555, lane * 3, lane + 2) + cuda.popc(cuda.ballot_sync(0x55555555, x[i] > 1));
}`;
  const wide = /^[iu](?:8|16)$/.test(type) ? 'i32' : type;
  return {
    title: `warp functions on ${type}`,
    rows: [
      'shfl_sync',
      'shfl_up_sync',
      'shfl_down_sync',
      'shfl_xor_sync',
      'all_sync',
      'any_sync',
      'ballot_sync',
      'match_any_sync',
      'activemask',
      'lanemask_lt',
      'syncwarp',
      'laneid',
    ],
    text,
    grid: 1,
    block: length,
    isCuda: true,
    arrays: () => [
      (builtinInputs(3).get(`${type}x`) as Numbers & Int32Array).slice(100, 164),
      newNumbers(wide, (k + 1) * length),
      newNumbers('u32', 8 * length),
    ],
  };
}

const PLACES = ['threadIdx', 'blockIdx', 'blockDim', 'gridDim'].flatMap((name) =>
  ['x', 'y', 'z'].map((axis) => `${name}.${axis}`),
);

const WHERE: TogetherCase = {
  title: 'places in the grid',
  rows: [...PLACES, 'grid', 'gridsize'],
  text: `(out) => {
  const [x, y, z] = cuda.grid(3), [a, b, c] = cuda.gridsize(3), [p, q] = cuda.grid(2), [m, n] = cuda.gridsize(2);
  const at = 24 * ((z * b + y) * a + x);
  ${[...PLACES.map((place) => `cuda.${place}`), 'x', 'y', 'z', 'a', 'b', 'c', 'p', 'q', 'm', 'n', 'cuda.grid(1)', 'cuda.gridsize(1)'].map((value, k) => `out[at + ${k}] = ${value};`).join('\n  ')}
}`,
  grid: [3, 2, 2],
  block: [4, 3, 2],
  arrays: () => [newNumbers('i32', 12 * 24 * 24)],
};

const BARRIERS: TogetherCase = {
  title: 'barriers in loops, arrays of the block and of the thread with two and three axes',
  rows: [
    'syncthreads',
    'threadfence',
    'threadfence_block',
    'threadfence_system',
    'shared.array',
    'local.array',
    'const.array_like',
  ],
  text: `(x, out, { table }) => {
  const sums = cuda.shared.array(64, 'f32'), cube = cuda.shared.array([2, 4, 8], 'i32'), own = cuda.local.array([2, 3], 'f64'), deep = cuda.local.array([2, 2, 2], 'u8');
  const taps = cuda.const.array_like(table);
  const j = cuda.threadIdx.x, i = cuda.grid(1);
  sums[j] = x[i];
  cube[j >> 5][(j >> 3) & 3][j & 7] = i;
  for (let a = 0; a < 2; a++) for (let b = 0; b < 3; b++) { own[a][b] = x[i] * (a + 1) - b; deep[a][b & 1][a ^ 1] = b + j; }
  cuda.syncthreads();
  for (let step = 32; step > 0; step >>= 1) {
    if (j < step) sums[j] += sums[j + step];
    cuda.threadfence_block();
    cuda.syncthreads();
    if (step === 4 && cuda.blockIdx.x === 1) continue;
    const other = cube[(j >> 5) ^ 1][3 - ((j >> 3) & 3)][(j + step) & 7];
    cuda.syncthreads();
    cube[j >> 5][(j >> 3) & 3][j & 7] = (other * 3 + step) | 0;
    cuda.syncthreads();
  }
  cuda.threadfence(); cuda.threadfence_system();
  out[i] = sums[0] + own[1][2] + own[0][j % 3] + cube[j >> 5][(j >> 3) & 3][j & 7] + deep[1][1][0] + deep[0][0][1] + taps[j & 3] + sums.length + cube.shape[2] + cube.size + own.ndim;
}`,
  grid: 3,
  block: 64,
  arrays: () => [Float32Array.from({ length: 192 }, (_, i) => Math.sin(i) * 100), newNumbers('f64', 192)],
};

const VOTES: TogetherCase = {
  title: 'barriers that count, and what is of CUDA alone',
  rows: ['syncthreads_count', 'syncthreads_and', 'syncthreads_or', 'nanosleep', 'warpsize', 'laneid'],
  text: `(x, out) => {
  const j = cuda.threadIdx.x;
  for (let k = 0; k < 4; k++) {
    const count = cuda.syncthreads_count(x[j] % 4 > k);
    const all = cuda.syncthreads_and(x[j] >= k), any = cuda.syncthreads_or(x[j] === k * 9);
    cuda.nanosleep(10);
    out[k * 96 + j] = count * 4 + (all ? 2 : 0) + (any ? 1 : 0) + 1000 * cuda.laneid + 100000 * cuda.warpsize;
  }
}`,
  grid: 1,
  block: 96,
  isCuda: true,
  arrays: () => [Int32Array.from({ length: 96 }, (_, i) => (i * 37) % 101), newNumbers('i32', 4 * 96)],
};

const PATTERNS: TogetherCase = {
  title: 'places and sizes as patterns',
  rows: ['threadIdx', 'blockIdx', 'blockDim', 'gridDim'],
  text: `(x, out) => {
  const { x: column, y: row } = cuda.threadIdx;
  const { x: width, y: height } = cuda.blockDim;
  const { x: block } = cuda.blockIdx, { x: blocks } = cuda.gridDim;
  const i = (block * height + row) * width + column;
  out[i] = x[i] + 1000 * column + 100 * row + 10 * block + blocks;
}`,
  grid: 3,
  block: [8, 4],
  arrays: () => [Int32Array.from({ length: 96 }, (_, i) => (i * 37) % 101), newNumbers('i32', 96)],
};

const GRID: TogetherCase = {
  title: 'a barrier of the grid',
  rows: ['cg.this_grid'],
  text: `(x, y) => {
  const i = cuda.grid(1);
  y[i] = x[(i + 5) % x.length] + i;
  cuda.cg.this_grid().sync();
  x[i] = y[(i + 7) % x.length];
}`,
  grid: 4,
  block: 8,
  arrays: () => [Int32Array.from({ length: 32 }, (_, i) => i * i), new Int32Array(32)],
  isCuda: true,
};

/** States in arrays of the thread. Normal numbers are as exact as the device's functions are: their sixteenths are compared. */
const RANDOM: TogetherCase = {
  title: 'random numbers',
  rows: [
    'random.xoroshiro128pNext',
    'random.xoroshiro128pUniformFloat32',
    'random.xoroshiro128pUniformFloat64',
    'random.xoroshiro128pNormalFloat32',
    'random.xoroshiro128pNormalFloat64',
  ],
  text: `(words, next, single, double, normals, { State }) => {
  const own = cuda.local.array(2, State);
  const i = cuda.grid(1);
  for (let k = 0; k < 2; k++) own[k] = { s0: words[2 * i + k], s1: words[2 * i + 1 - k] };
  for (let k = 0; k < 4; k++) {
    const at = 4 * i + k;
    next[at] = cuda.random.xoroshiro128pNext(own, k & 1);
    single[at] = cuda.random.xoroshiro128pUniformFloat32(own, 0) - 2 * cuda.random.xoroshiro128pUniformFloat32(own, k >> 1);
    double[at] = cuda.random.xoroshiro128pUniformFloat64(own, 1);
    normals[2 * at] = Math.round(16 * cuda.random.xoroshiro128pNormalFloat32(own, 0));
    normals[2 * at + 1] = Math.round(16 * cuda.random.xoroshiro128pNormalFloat64(own, 1));
  }
  words[2 * i] = own[0].s0 ^ own[1].s0;
  words[2 * i + 1] = own[0].s1 ^ own[1].s1;
}`,
  grid: 2,
  block: 32,
  arrays: () => [
    BigUint64Array.from({ length: 128 }, (_, i) => BigInt.asUintN(64, BigInt(i + 1) * 0xd1342543de82ef95n)),
    newNumbers('u64', 256),
    newNumbers('f32', 256),
    newNumbers('f64', 256),
    newNumbers('i32', 512),
  ],
};

/** All of them. Rows of the tables that are none of values alone are here. */
export const TOGETHER_CASES: readonly TogetherCase[] = [
  ...WIDE.map(atomicValues),
  ...WIDE.map(atomicContention),
  EXCHANGE,
  ...(['i8', 'u16', ...WIDE] as const).map(warpValues),
  WHERE,
  BARRIERS,
  VOTES,
  PATTERNS,
  GRID,
  RANDOM,
];
