// What the toolkit costs, beside C and the peers that this machine has: npm run bench [-- options]
//   --suite NAMES            of start, launch, objects, transfer, computation, array, opencl, opencl-array
//   --only PATTERN           cases whose name matches
//   --rounds N --quick       how often each side is measured; --quick: few rounds, for a look
//   --python P               with CuPy, cuda.core, Triton, PyTorch, NumPy     --peer-python P  with PyCUDA and PyOpenCL
//   --json FILE --chart FILE the figures, and a picture of them (SVG)
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { chart } from './chart.ts';
import { measure, type Case } from './harness.ts';
import { Peer } from './peers/peer.ts';
import { caseText, emptyReport } from './report.ts';

const { values } = parseArgs({
  options: {
    suite: { type: 'string', default: 'start,launch,objects,transfer,computation,array,opencl,opencl-array' },
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '25' },
    quick: { type: 'boolean', default: false },
    python: { type: 'string', default: 'python3' },
    'peer-python': { type: 'string', default: 'python3' },
    json: { type: 'string' },
    chart: { type: 'string' },
  },
});
const rounds = values.quick ? 5 : Number(values.rounds);
const wanted = values.suite.split(',');
const only = new RegExp(values.only, 'i');
const report = emptyReport();

/** Start the peers that are there, for as long as `run` measures. */
async function withPeers(
  files: readonly (readonly [string, ...string[]])[],
  python: string,
  run: (peers: readonly Peer[]) => Promise<void>,
): Promise<void> {
  const started = await Promise.all(files.map(([file, ...args]) => Peer.start(python, file, args)));
  const found = started.filter((peer) => peer !== undefined);
  for (const { name, version } of found) report.machine[name] = version;
  try {
    await run(found);
  } finally {
    for (const peer of found) peer.close();
  }
}

async function runSuite(name: string, cases: AsyncGenerator<Case> | Generator<Case>): Promise<void> {
  let titled = false;
  for await (const one of cases) {
    if (!only.test(one.name)) continue;
    if (!titled) console.log(`\n== ${name}`);
    titled = true;
    const result = await measure(name, one, rounds);
    report.cases.push(result);
    console.log(`\n${caseText(result)}`);
    save();
  }
}

/** After each case: what was measured is kept, whatever comes. */
function save(): void {
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(report, undefined, 1)}\n`);
  if (values.chart !== undefined) writeFileSync(values.chart, chart(report));
}

/** The modules of suites are loaded when they are wanted: an import makes a context. */
async function cudaSuites(): Promise<void> {
  const { openCuda } = await import('./cuda.ts');
  const files = ['cupy_side.py', 'cuda_core_side.py', 'triton_side.py', 'torch_side.py', 'numpy_side.py'] as const;
  await withPeers(
    files.map((file) => [file] as const),
    values.python,
    (found) =>
      withPeers([['pycuda_side.py']], values['peer-python'], async (others) => {
        const bench = openCuda([...others, ...found]);
        report.machine['CUDA'] = `${bench.device.name}, driver for CUDA ${bench.driver}`;
        console.log(`CUDA: ${report.machine['CUDA']}`);
        for (const { name, version } of bench.peers) console.log(`${name} ${version}`);
        const { arraySuite } = await import('./suites/array.ts');
        const { cudaArrayBench } = await import('./array-bench.ts');
        const suites = {
          launch: (await import('./suites/launch.ts')).launchSuite,
          objects: (await import('./suites/objects.ts')).objectSuite,
          transfer: (await import('./suites/transfer.ts')).transferSuite,
          computation: (await import('./suites/computation.ts')).computationSuite,
          array: (one: typeof bench) => arraySuite(cudaArrayBench(one)),
        };
        for (const [name, suite] of Object.entries(suites))
          if (wanted.includes(name)) await runSuite(name, suite(bench));
      }),
  );
}

async function openclSuites(): Promise<void> {
  const { openclBenches } = await import('./opencl.ts');
  const { openclSuite } = await import('./suites/opencl.ts');
  const { arraySuite } = await import('./suites/array.ts');
  const { openclArrayBench } = await import('./array-bench.ts');
  for (const bench of openclBenches()) {
    report.machine[`OpenCL: ${bench.name}`] = bench.version;
    if (wanted.includes('opencl')) {
      await withPeers([['pyopencl_side.py', bench.platform]], values['peer-python'], (found) =>
        runSuite(`opencl: ${bench.name}`, openclSuite(bench, found)),
      );
    }
    if (wanted.includes('opencl-array')) {
      await withPeers([['numpy_side.py']], values.python, (found) =>
        runSuite(`opencl-array: ${bench.name}`, arraySuite(openclArrayBench(bench, found))),
      );
    }
  }
}

console.log(`${report.processor}, Node ${report.node}`);
if (wanted.includes('start')) {
  const { startSuite } = await import('./suites/start.ts');
  await runSuite('start', startSuite());
}
if (['launch', 'objects', 'transfer', 'computation', 'array'].some((name) => wanted.includes(name))) await cudaSuites();
if (['opencl', 'opencl-array'].some((name) => wanted.includes(name))) await openclSuites();
save();
process.exit();
