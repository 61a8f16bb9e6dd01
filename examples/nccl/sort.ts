// A sort of keys that are split over the ranks: each sorts its own, samples of all tell where to cut, and every rank gets the
// keys between two cuts: sample sort. Parts of equal keys are cut, too, so that no rank gets much more than the others.
// requires: nccl
import * as xp from 'rawkernel/cuda/array';
import { Communicator, group } from 'rawkernel/nccl';

/** Keys and samples of each rank: every 300th key is one. */
const [keys, samples, stride] = [19_200, 64, 300];

await using communicator = await Communicator.fromEnvironment({ alone: true });
const { rank, size } = communicator;

/** A number that looks random: the finalizer of MurmurHash3. */
function mixed(value: number): number {
  let x = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}

/** The key of a rank and a number. */
const inputs: Readonly<Record<string, (from: number, i: number) => number>> = {
  'any keys': (from, i) => mixed(from * keys + i + 1),
  'four keys': (from, i) => mixed(from * keys + i + 1) % 4,
  'half of them one key': (from, i) => (i % 2 === 0 ? 99 : mixed(from * keys + i + 1)),
  'the wrong way round': (from, i) => (size - from) * keys - i,
  'one key': () => 7,
};

const keysOf = (from: number, key: (from: number, i: number) => number): Uint32Array<ArrayBuffer> =>
  Uint32Array.from({ length: keys }, (_, i) => key(from, i));

/** Where the sorted keys of this rank are cut: part i is for rank i. */
async function cutsOf(sorted: xp.NDArray<'u32'>): Promise<number[]> {
  using all = xp.zeros(samples * size, { dtype: 'u32' });
  await communicator.allGather(sorted.at(`::${stride}`).copy(), { out: all });
  // Equal samples are in the order of their places, so a cut may go through equal keys.
  const places = Array.from(await all.read(), (key, i) => ({
    key,
    place: i * stride,
  })).sort((a, b) => a.key - b.key || a.place - b.place);
  const splitters = places.filter((_, i) => i > 0 && i % samples === 0);
  if (splitters.length === 0) return [0, keys];
  using cutKeys = xp.array(Uint32Array.from(splitters, ({ key }) => key));
  const first = Array.from(xp.searchsorted(sorted, cutKeys).get(), Number);
  const behind = Array.from(xp.searchsorted(sorted, cutKeys, { side: 'right' }).get(), Number);
  const inner = splitters.map(({ place }, i) => Math.min(Math.max(place - rank * keys, first[i] ?? 0), behind[i] ?? 0));
  return [0, ...inner, keys];
}

/** Give each rank its part, and get those of all ranks. */
async function exchanged(sorted: xp.NDArray<'u32'>, cuts: readonly number[]): Promise<xp.NDArray<'u32'>> {
  const given = Int32Array.from({ length: size }, (_, to) => (cuts[to + 1] ?? 0) - (cuts[to] ?? 0));
  const counts = xp.zeros(size, { dtype: 'i32' });
  await communicator.allToAll(xp.array(given), { out: counts });
  const got = await counts.read();
  const result = xp.zeros(
    got.reduce((sum, count) => sum + count, 0),
    { dtype: 'u32' },
  );
  await group(() => {
    let place = 0;
    for (let other = 0; other < size; other++) {
      const [sent, received] = [given[other] ?? 0, got[other] ?? 0];
      if (sent > 0) void communicator.send(sorted.at(`${cuts[other]}:${cuts[other + 1]}`), other);
      if (received > 0) void communicator.recv(result.at(`${place}:${place + received}`), other);
      place += received;
    }
  });
  // In the event loop, where a rank hears of others that have failed: an upload behind the transfers would wait outside of it.
  await communicator.done();
  return result;
}

/** All keys on rank 0, in the order of ranks. */
async function collected(part: xp.NDArray<'u32'>): Promise<{ sizes: number[]; all: Uint32Array | undefined }> {
  const counts = xp.zeros(size, { dtype: 'i32' });
  await communicator.allGather(xp.array(Int32Array.of(part.size)), { out: counts });
  const sizes = Array.from(await counts.read());
  const all = rank === 0 ? xp.zeros(keys * size, { dtype: 'u32' }) : undefined;
  await group(() => {
    if (part.size > 0) void communicator.send(part, 0);
    let place = 0;
    for (const [from, count] of sizes.entries()) {
      if (all && count > 0) void communicator.recv(all.at(`${place}:${place + count}`), from);
      place += count;
    }
  });
  return { sizes, all: await all?.read() };
}

let passed = true;
for (const [name, key] of Object.entries(inputs)) {
  const sorted = xp.array(keysOf(rank, key)).sort();
  const part = await exchanged(sorted, await cutsOf(sorted));
  const { sizes, all } = await collected(part.sort());
  if (!all) continue;
  const expected = new Uint32Array(keys * size);
  for (let from = 0; from < size; from++) expected.set(keysOf(from, key), from * keys);
  expected.sort();
  const isSorted = all.every((one, i) => one === expected[i]);
  console.log(`${name}: ${isSorted ? 'sorted' : 'not sorted'}, ${Math.min(...sizes)} to ${Math.max(...sizes)} a rank`);
  // Between two cuts are 64 samples, and before each run of them less than 300 keys of each rank.
  passed &&= isSorted && Math.max(...sizes) <= keys + size * stride;
}
if (rank === 0) {
  console.log(`${size} rank(s), ${keys} keys each`);
  console.log(passed ? 'PASSED' : 'FAILED');
  process.exitCode = passed ? 0 : 1;
}
