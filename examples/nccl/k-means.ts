// k-means of points that are split over the ranks. Coordinates are integers, and so are the sums that are added up over the
// ranks: the result is the same, bit for bit, for any number of them.
// requires: nccl
import * as cuda from 'rawkernel/cuda';
import { Communicator } from 'rawkernel/nccl';

const [points, clusters] = [12_000, 5];
/** One unit of length, in fixed point. */
const UNIT = 1 << 12;
const source = `
// sums has x, y and the number of points of each cluster, then the number of points that have moved to another one.
extern "C" __global__ void assign(long long *sums, int *labels, const int2 *points, const int2 *centres, int k, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int2 p = points[i];
  int nearest = 0;
  long long least = 0;
  for (int c = 0; c < k; c++) {
    long long dx = p.x - centres[c].x, dy = p.y - centres[c].y, distance = dx * dx + dy * dy;
    if (c == 0 || distance < least) nearest = c, least = distance;
  }
  // Unsigned sums wrap, which is right for negative numbers.
  unsigned long long *to = (unsigned long long *)sums;
  atomicAdd(to + 3 * nearest, (unsigned long long)(long long)p.x);
  atomicAdd(to + 3 * nearest + 1, (unsigned long long)(long long)p.y);
  atomicAdd(to + 3 * nearest + 2, 1ull);
  if (labels[i] != nearest) atomicAdd(to + 3 * k, 1ull);
  labels[i] = nearest;
}`;

await using communicator = await Communicator.fromEnvironment({ alone: true });
const { rank, size } = communicator;
const assign = new cuda.SourceModule(source).getFunction('assign');

/** Clouds that touch each other. */
const coordinates = Int32Array.from({ length: 2 * points }, (_, i) => {
  const [cloud, axis] = [(i >> 1) % clusters, i % 2];
  const centre = 3 * (axis === 0 ? Math.cos(cloud) : Math.sin(2 * cloud));
  const noise = ((i * 0.7548776662) % 1) + ((i * 0.569840291) % 1) + ((i * 0.3819660113) % 1) - 1.5;
  return Math.round((centre + 1.5 * noise) * UNIT);
});
/** All in one cloud. */
const start = Int32Array.from({ length: 2 * clusters }, (_, i) => coordinates[2 * clusters * (i >> 1) + (i % 2)] ?? 0);

/** New centres: the mean of the points of each, in whole units; those without a point stay. */
function means(sums: ArrayLike<number>, centres: Int32Array): Int32Array<ArrayBuffer> {
  return Int32Array.from(centres, (old, i) => {
    const [sum = 0, count = 0] = [sums[3 * (i >> 1) + (i % 2)], sums[3 * (i >> 1) + 2]];
    return count === 0 ? old : Math.round(sum / count);
  });
}

const [from, to] = [Math.floor((rank * points) / size), Math.floor(((rank + 1) * points) / size)];
const own = cuda.toDevice(coordinates.subarray(2 * from, 2 * to));
const labels = cuda.toDevice(new Int32Array(to - from).fill(-1));
const sums = cuda.toDevice(new BigInt64Array(3 * clusters + 1));
const stream = new cuda.Stream();
const onDevice = cuda.toDevice(start);

let [centres, rounds, moved] = [start, 0, Infinity];
for (; moved > 0; rounds++) {
  cuda.memcpyHtoD(onDevice, centres);
  cuda.memsetD8Async(sums, 0, sums.byteLength, stream);
  const shape = { block: 128, grid: Math.ceil((to - from) / 128), stream };
  assign(sums, labels, own, onDevice, clusters, to - from, shape);
  await communicator.allReduce(sums, { stream });
  await stream.done();
  const all = Array.from(cuda.fromDevice(sums, BigInt64Array), Number);
  centres = means(all, centres);
  moved = all[3 * clusters] ?? 0;
}

/** The same on the host. */
function reference(): { centres: Int32Array; rounds: number } {
  let centres = start;
  const nearest = new Int32Array(points).fill(-1);
  for (let rounds = 1; ; rounds++) {
    const sums = new Float64Array(3 * clusters);
    let moved = 0;
    for (let i = 0; i < points; i++) {
      const [x = 0, y = 0] = coordinates.subarray(2 * i, 2 * i + 2);
      const distances = Array.from({ length: clusters }, (_, c) => {
        return (x - (centres[2 * c] ?? 0)) ** 2 + (y - (centres[2 * c + 1] ?? 0)) ** 2;
      });
      const label = distances.indexOf(Math.min(...distances));
      [x, y, 1].forEach((value, part) => (sums[3 * label + part] = (sums[3 * label + part] ?? 0) + value));
      if (nearest[i] !== label) moved++;
      nearest[i] = label;
    }
    centres = means(sums, centres);
    if (moved === 0) return { centres, rounds };
  }
}

const text = (list: Int32Array): string =>
  Array.from({ length: clusters }, (_, c) =>
    [0, 1].map((axis) => ((list[2 * c + axis] ?? 0) / UNIT).toFixed(3)).join(' '),
  ).join(', ');
if (rank === 0) {
  const expected = reference();
  console.log(`${size} rank(s), ${points} points, ${rounds} rounds; the centres: ${text(centres)}`);
  const passed = rounds === expected.rounds && centres.every((value, i) => value === expected.centres[i]);
  if (!passed) console.log(`by the host, after ${expected.rounds} rounds: ${text(expected.centres)}`);
  console.log(passed ? 'PASSED' : 'FAILED');
  process.exitCode = passed ? 0 : 1;
}
