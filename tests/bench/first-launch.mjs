// A program whose first kernel is all it does; with `memory` it tells how much memory it holds, and the compiler too.
import { execFileSync } from 'node:child_process';
import { fromDevice, SourceModule, toDevice } from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';

const module = new SourceModule(`extern "C" __global__ void k(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 2 * a[i] + 1;
}`);
const memory = toDevice(new Float32Array(1000).fill(3));
module.getFunction('k')(memory, 1000, { block: 256, grid: 4 });
if (fromDevice(memory, 'f32')[999] !== 7) throw new Error('wrong');

const megabytes = (bytes) => Math.round(bytes / 2 ** 20);

/** Resident memory of the processes that this one has started; ps is on every Unix. */
function others() {
  const lines = execFileSync('ps', ['-A', '-o', 'ppid=,rss=,args='], { encoding: 'utf8' }).split('\n');
  const own = lines
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((found) => found?.[1] === `${process.pid}`);
  return own.filter((found) => !found[3].startsWith('ps ')).reduce((sum, found) => sum + Number(found[2]) * 1024, 0);
}

if (process.argv[2] === 'memory') {
  const compiled = megabytes(process.memoryUsage.rss());
  const compiler = megabytes(others());
  // The compiler ends when it has had nothing to do for a while.
  for (let i = 0; i < 120 && others() > 0; i++) await new Promise((resolve) => setTimeout(resolve, 500));
  console.log(JSON.stringify({ compiled, compiler, later: megabytes(process.memoryUsage.rss() + others()) }));
}
process.exit();
