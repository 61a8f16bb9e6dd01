// The embedded CPU device beside PoCL, kernel by kernel, in CUDA C++ and in OpenCL C:
// npm run bench:cpu [-- --rounds 9 --workers 1,2 --languages cuda,opencl --checks --only pattern --json file]
// Other programs disturb a time on a shared machine. A ratio is that of the least processor times of all rounds, which
// both devices run in turn; the speed-up by a second worker is that of the least times on the clock.
// --oclgrind /usr/lib/oclgrind/liboclgrind-rt.so: its times for three of them, which takes minutes.
import { fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { measurePyOpenCL } from './pyopencl.ts';
import { parseArgs } from 'node:util';
import type { LaunchCost, Measured, PairsAnswer } from './pairs.ts';
import type { SimulatedAnswer } from './simulated.ts';
import type { Language } from './sides.ts';
import type { StreamTimes } from './streams.ts';
import { measureStartup, type Startup } from './startup.ts';
import { geometricMean, table, type Spread } from '../statistics.ts';

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '1,2' },
    rounds: { type: 'string', default: '9' },
    starts: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
    languages: { type: 'string', default: 'cuda' },
    checks: { type: 'boolean', default: false },
    oclgrind: { type: 'string' },
    python: { type: 'string', default: 'python3' },
    json: { type: 'string' },
  },
});

/** @param check - as `RAWKERNEL_CPU_CHECK` has it */
function measurePairs(language: Language, workers: number, check: string): Promise<PairsAnswer> {
  const env = {
    ...process.env,
    RAWKERNEL_DEVICE: 'cpu',
    RAWKERNEL_CPU_WORKERS: `${workers}`,
    RAWKERNEL_CPU_CHECK: check,
    // PoCL 3 and PoCL 5 name it differently.
    POCL_MAX_PTHREAD_COUNT: `${workers}`,
    POCL_CPU_MAX_CU_COUNT: `${workers}`,
  };
  return answerOf<PairsAnswer>('pairs.ts', [values.rounds, values.only, language], env);
}

/** What a measuring process sends. */
function answerOf<Answer>(file: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Answer> {
  const child = fork(join(import.meta.dirname, file), args, { env, execArgv: ['--import', 'tsx'] });
  return new Promise((resolve, reject) => {
    child.on('message', (answer: Answer) => resolve(answer));
    child.on('exit', (status) => reject(new Error(`the measuring process ended with status ${status ?? 'none'}`)));
  });
}

/** The kernels that it ends within minutes. */
const SIMULATED = '^(?:tiled matmul|reduction|stencil)';

/** One thread, as oclgrind has it. */
function measureOclgrind(library: string, checks: boolean): Promise<SimulatedAnswer> {
  const flags = checks ? { OCLGRIND_DATA_RACES: '1', OCLGRIND_UNINITIALIZED: '1' } : {};
  const env = { ...process.env, ...flags, RAWKERNEL_LIBOPENCL: library, OCLGRIND_NUM_THREADS: '1' };
  return answerOf<SimulatedAnswer>('simulated.ts', [SIMULATED], env);
}

/** How many times as long as on PoCL. */
async function checkersTable(
  library: string,
  { kernels }: PairsAnswer,
  checked: readonly PairsAnswer[],
): Promise<string> {
  const simulated = [await measureOclgrind(library, false), await measureOclgrind(library, true)];
  const rows = kernels.flatMap((one) => {
    const { name, pocl } = one;
    if (!pocl || simulated[0]?.[name] === undefined) return [];
    const times = [...checked.map((other) => wallOf(other, name)), ...simulated.map((answer) => answer[name])];
    return [[name, ...times.map((time) => (time === undefined ? '' : (time / pocl.wall.median).toFixed(1)))]];
  });
  const head = ['times as long as PoCL', ...CHECKS, 'oclgrind', 'races, uninitialised'];
  return table([head, ...rows]);
}

/** The checked mode's two halves. */
const CHECKS = ['bounds', 'all'];

const ms = ({ median, spread }: Spread): string => `${median.toFixed(2)} ±${(spread / 2).toFixed(2)}`;
const ratio = (a: number, b: number | undefined): string => (b === undefined ? '' : (a / b).toFixed(2));

/** A kernel's ratio of least times to PoCL's. */
function ratiosOf(kernels: readonly Measured[], key: 'processor' | 'wall'): number[] {
  return kernels.flatMap((one) => (one.pocl ? [one.embedded.least[key] / one.pocl.least[key]] : []));
}

/** How many times as much time a kernel takes in another run. */
function factorOf(one: Measured, other: PairsAnswer | undefined, key: 'processor' | 'wall'): number | undefined {
  const found = other?.kernels.find(({ name }) => name === one.name);
  return found && found.embedded.least[key] / one.embedded.least[key];
}

function wallOf({ kernels }: PairsAnswer, wanted: string): number | undefined {
  return kernels.find(({ name }) => name === wanted)?.embedded.wall.median;
}

function pairsTable(
  kernels: readonly Measured[],
  single: PairsAnswer | undefined,
  checked: readonly PairsAnswer[],
): string {
  const head = ['ms', 'embedded', 'PoCL', 'ratio', 'by the clock', 'difference'];
  const more = [...(single ? ['speed-up'] : []), ...checked.map((_, i) => CHECKS[i] ?? '')];
  const rows = kernels.map((one) => {
    const { embedded, pocl, difference } = one;
    const slower = factorOf(one, single, 'wall');
    return [
      one.name,
      embedded.least.processor.toFixed(2),
      pocl?.least.processor.toFixed(2) ?? '',
      ratio(embedded.least.processor, pocl?.least.processor),
      ratio(embedded.least.wall, pocl?.least.wall),
      difference?.toExponential(1) ?? '',
      ...(single ? [slower?.toFixed(2) ?? ''] : []),
      ...checked.map((other) => factorOf(one, other, 'processor')?.toFixed(2) ?? ''),
    ];
  });
  return table([[...head, ...more], ...rows]);
}

function startupTable({ bare, cold, warm, memory }: Startup): string {
  return [
    table([
      ['from the start of the process, ms', 'whole', 'above bare Node'],
      ['bare Node', ms(bare), ''],
      ['first launch, program in the cache', ms(warm), (warm.median - bare.median).toFixed(0)],
      ['first launch, nothing in the cache', ms(cold), (cold.median - bare.median).toFixed(0)],
    ]),
    `resident memory, MB: ${memory.warm} from the cache, ${memory.compiled} after a compilation and ` +
      `${memory.compiler} for the compiler, ${memory.later} when that has ended`,
  ].join('\n');
}

const us = ({ enqueue, roundTrip }: LaunchCost): string =>
  `enqueue ${enqueue.toFixed(1)}, launch and wait ${ms(roundTrip)}`;

/** A small kernel by one stream, by two, and by a queue without an order. */
function streamsText(title: string, { one, two, unordered }: StreamTimes): string {
  const other = unordered === undefined ? '' : `, by one out-of-order queue ${unordered.toFixed(1)}`;
  return `${title}: by one stream ${one.toFixed(1)}, by two ${two.toFixed(1)} (${(one / two).toFixed(2)} times the throughput)${other}`;
}

const results: Record<string, unknown> = {
  processor: `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}`,
  node: process.version,
  date: new Date().toISOString(),
};
console.log(`${String(results['processor'])}, Node ${process.version}`);
const startup = measureStartup(Number(values.starts));
console.log(`\n${startupTable(startup)}`);
for (const language of values.languages.split(',') as Language[]) {
  const answers = new Map<number, PairsAnswer>();
  for (const workers of values.workers.split(',').map(Number)) {
    const answer = await measurePairs(language, workers, '');
    answers.set(workers, answer);
    const checked: PairsAnswer[] = [];
    if (workers === 1 && values.checks)
      for (const check of CHECKS) checked.push(await measurePairs(language, 1, check));
    const single = workers === 1 ? undefined : answers.get(1);
    const title = language === 'cuda' ? 'CUDA C++ on the embedded device' : 'OpenCL C on both';
    console.log(`\n${title}, ${workers} worker(s), ${answer.pocl ?? 'no PoCL'}`);
    console.log(pairsTable(answer.kernels, single, checked));
    const [processor, wall] = (['processor', 'wall'] as const).map((key) =>
      geometricMean(ratiosOf(answer.kernels, key)),
    );
    console.log(`geometric mean of the ratios: ${processor?.toFixed(2)}, by the clock ${wall?.toFixed(2)}`);
    for (const [i, other] of checked.entries()) {
      const factors = answer.kernels.map((one) => factorOf(one, other, 'processor') ?? NaN);
      console.log(`geometric mean with ${CHECKS[i] ?? ''} checked: ${geometricMean(factors).toFixed(2)} times`);
    }
    if (language === 'opencl' && workers === 1 && values.oclgrind !== undefined) {
      console.log(await checkersTable(values.oclgrind, answer, checked));
    }
    console.log(`empty kernel, us: ${us(answer.launch)}`);
    if (answer.poclLaunch) console.log(`the same on PoCL: ${us(answer.poclLaunch)}`);
    if (answer.streams) console.log(streamsText('kernel of one block, us', answer.streams));
    if (answer.poclStreams) console.log(streamsText('the same on PoCL', answer.poclStreams));
    const key = language === 'cuda' ? `workers${workers}` : `opencl${workers}`;
    results[key] = { ...answer, checked: checked.map((one) => one.kernels) };
  }
}
const python = measurePyOpenCL(values.python);
if (python) console.log(`PyOpenCL ${python.version} on PoCL: ${us(python)}`);
else console.log(`no PyOpenCL in ${values.python}: its calls are not measured`);
if (values.json !== undefined)
  writeFileSync(values.json, JSON.stringify({ ...results, startup, python }, undefined, 2));
