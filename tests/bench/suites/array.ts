import type { ArrayBench, Arrays } from '../array-bench.ts';
import { callSide, type Case, type Side } from '../harness.ts';

/** What cupy_array.py and torch_side.py have too: the sizes are the same there. */
const FULL = { n: 1 << 28, side: 16_384, product: 8192, launches: 10, slow: 2 };
/** And numpy_side.py, for processors. */
const SMALL = { n: 1 << 24, side: 4096, product: 1024, launches: 2, slow: 1 };
const ROUNDS = 7;
const SHORT = 1000;
const CALLS = 2000;

type Sizes = typeof FULL;
type Vector = ReturnType<Arrays['empty']>;

/** Arrays: bandwidth of large ones beside a copy, and host time of short ones. */
export function* arraySuite(bench: ArrayBench): Generator<Case> {
  const size = bench.isProcessor ? SMALL : FULL;
  yield* largeCases(bench, size);
  yield* sortCases(bench, size);
  yield* productCase(bench, size);
  yield* shortCases(bench);
}

function* largeCases(bench: ArrayBench, { n, side, launches, slow }: Sizes): Generator<Case> {
  const { xp, lane } = bench;
  using x = noise(bench, n);
  using y = noise(bench, n);
  using z = xp.empty(n, lane);
  const bytes = 4 * n;
  const copy = bench.rate('copy by the driver', 2 * bytes, launches, () => {
    bench.copy(z, x);
  });
  const rate = (name: string, amount: number, run: () => void, count = launches): Case =>
    ofSides(bench, name, [copy, bench.rate('rawkernel', amount, count, run)]);
  yield rate('array copy', 2 * bytes, () => x.copy({ out: z }));
  yield rate('array 2 * x + y, fused', 3 * bytes, () => xp.evaluate.with({ out: z })`2 * ${x} + ${y}`);
  yield rate('array x + y', 3 * bytes, () => x.add(y, { out: z }));
  yield rate('array exp', 2 * bytes, () => x.exp({ out: z }));
  const all = { axis: undefined };
  using one = xp.empty([], lane);
  using place = xp.empty([], { ...lane, dtype: 'i64' });
  yield rate('array sum', bytes, () => x.sum({ ...all, out: one }));
  yield rate('array max', bytes, () => x.max({ ...all, out: one }));
  yield rate('array argmax', bytes, () => x.argmax({ out: place }));
  yield rate('array dot', 2 * bytes, () => xp.dot(x, y, { out: one }));
  using matrix = x.reshape([n / side, side]);
  using columns = xp.empty(side, lane);
  using rows = xp.empty(n / side, lane);
  yield rate('array sum, axis 0', bytes, () => matrix.sum({ axis: 0, out: columns }));
  yield rate('array sum, axis 1', bytes, () => matrix.sum({ axis: 1, out: rows }));
  yield rate('array cumsum', 2 * bytes, () => x.cumsum({ out: z }));
  using result = z.reshape([n / side, side]);
  yield rate('array cumsum, axis 0', 2 * bytes, () => matrix.cumsum({ axis: 0, out: result }));
  using square = x.at(xp.slice(0, side * Math.floor(n / side))).reshape([n / side, side]);
  using turned = z.reshape([side, n / side]);
  using transposed = square.T;
  yield rate('array transpose', 2 * bytes, () => transposed.copy({ out: turned }));
  using cube = x.reshape([n / (64 * 256), 64, 256]);
  using permuted = cube.permuteDims([2, 0, 1]);
  using cubeOut = z.reshape(permuted.shape);
  yield rate('array permutation [2, 0, 1]', 2 * bytes, () => permuted.copy({ out: cubeOut }));
  using swapped = cube.permuteDims([1, 0, 2]);
  using swappedOut = z.reshape(swapped.shape);
  yield rate('array permutation [1, 0, 2]', 2 * bytes, () => swapped.copy({ out: swappedOut }));
  const rng = new xp.random.Generator(1);
  yield rate('array random uniform', bytes, () => rng.random({ out: z }));
  yield rate('array random normal', bytes, () => rng.standardNormal({ out: z }));
  using mask = x.greater(0);
  yield rate(
    'array x[mask]',
    bytes + n + (2 * bytes) / 4,
    () => {
      x.at(mask).close();
    },
    slow,
  );
  using magnitudes = xp.evaluate`abs(${x}) * 1023`;
  using numbers = magnitudes.astype('i32');
  yield rate('array bincount, 1,024 bins', bytes, () => {
    xp.bincount(numbers).close();
  });
  yield rate('array histogram, 256 bins', bytes, () => {
    for (const made of xp.histogram(x, 256, { range: [-1, 1] })) made.close();
  });
}

/** Keys in a nanosecond: passes over them are as many as they have bytes. */
function* sortCases(bench: ArrayBench, { n, slow }: Sizes): Generator<Case> {
  const { xp, lane } = bench;
  using floats = noise(bench, n);
  using integers = floats.view('u32');
  using sorted = xp.empty(n, lane);
  using sortedIntegers = sorted.view('u32');
  using order = xp.empty(n, { ...lane, dtype: 'i64' });
  const keys = (name: string, run: () => void): Case => ({
    ...ofSides(bench, name, [bench.rate('rawkernel', n, slow, run)]),
    unit: 'GKey/s',
  });
  yield keys('array sort u32', () => integers.sort({ out: sortedIntegers }));
  yield keys('array sort f32', () => floats.sort({ out: sorted }));
  yield keys('array argsort u32', () => integers.argsort({ out: order }));
}

function* productCase(bench: ArrayBench, { product: n, slow }: Sizes): Generator<Case> {
  using a = noise(bench, n * n).reshape([n, n]);
  using b = noise(bench, n * n).reshape([n, n]);
  using c = bench.xp.empty([n, n], bench.lane);
  yield {
    ...ofSides(bench, 'array matmul', [bench.rate('rawkernel', 2 * n ** 3, slow, () => a.matmul(b, { out: c }))]),
    unit: 'GFLOP/s',
  };
}

/** Host time: the device does little. */
function* shortCases(bench: ArrayBench): Generator<Case> {
  const { xp, lane } = bench;
  using x = xp.ones(SHORT, lane);
  using y = xp.ones(SHORT, lane);
  using z = xp.empty(SHORT, lane);
  const short = (name: string, run: () => void): Case => ({
    name: `short ${name}`,
    unit: 'ns',
    sides: [callSide('rawkernel', CALLS, run, bench.settle), ...bench.theirs(`short ${name}`)],
  });
  yield short('x + y', () => x.add(y).close());
  yield short('add(x, y, out)', () => x.add(y, { out: z }));
  yield short('2 * x', () => x.mul(2).close());
  yield short('sum', () => x.sum().close());
  yield short('exp', () => x.exp().close());
  yield short('x[1:]', () => x.at(xp.slice(1, null)).close());
  yield short('empty', () => xp.empty(SHORT, lane).close());
}

function noise({ xp, lane }: ArrayBench, n: number): Vector {
  using index = xp.arange(n, lane);
  return xp.evaluate`sin(${index})`;
}

function ofSides(bench: ArrayBench, name: string, sides: readonly Side[]): Case {
  return { name, unit: 'GB/s', sides: [...sides, ...bench.theirs(name)], rounds: ROUNDS };
}
